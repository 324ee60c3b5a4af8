/** Paths and methods of the shopper's calls, for page and server. No schemas here: they would be in the page's bytes. Those of the merchant API: access.ts. */

export const SHOPPER_BASE = '/api/v1'
export const MERCHANT_BASE = '/merchant/v1'
export const MERCHANT_HEADER = 'merchant'

export interface CallPath {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base; `:name` stands for a value. */
  readonly path: string
}

/** The calls of the shopper's page. */
export const SHOPPER_PATHS = {
  readCheckout: { method: 'GET', path: '/checkouts/:checkoutId' },
  cancelCheckout: { method: 'DELETE', path: '/checkouts/:checkoutId' },
  listBinCodes: { method: 'GET', path: '/bincodes' },
  startPayment: { method: 'POST', path: '/checkouts/:checkoutId/3ds' },
  authenticate: { method: 'PATCH', path: '/3ds/:orderCode/authenticate' },
  reportCollectError: { method: 'PATCH', path: '/3ds/:orderCode/collect-error' },
  reportChallengeError: { method: 'PATCH', path: '/3ds/:orderCode/challenge-error' },
  monitorChallenge: { method: 'GET', path: '/3ds/:orderCode/monitor' },
  pay: { method: 'PATCH', path: '/checkouts/:checkoutId/3ds/:orderCode/pay' },
} as const satisfies Record<string, CallPath>

/** The address of a shopper's call with its values filled in. */
export const shopperAddress = ({ path }: CallPath, values: Readonly<Record<string, string>> = {}): string =>
  SHOPPER_BASE + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
