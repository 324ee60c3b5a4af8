/** Paths and methods of all calls, once for both sides. No schemas here: the page carries these bytes. */

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

/** The calls of the merchant's own server. */
export const MERCHANT_PATHS = {
  readMe: { method: 'GET', path: '/me' },
  createCheckout: { method: 'POST', path: '/checkouts' },
  readCheckout: { method: 'GET', path: '/checkouts/:checkoutId' },
  refundCheckout: { method: 'POST', path: '/checkouts/:checkoutId/refunds' },
  readSettings: { method: 'GET', path: '/settings' },
  changeSettings: { method: 'PATCH', path: '/settings' },
  replacePicture: { method: 'PUT', path: '/settings/:picture' },
  removePicture: { method: 'DELETE', path: '/settings/:picture' },
} as const satisfies Record<string, CallPath>

/** The merchant's calls that list, report, cancel, draw and send a receipt again. */
export const MERCHANT_LIST_PATHS = {
  listCheckouts: { method: 'GET', path: '/checkouts' },
  readTimeline: { method: 'GET', path: '/checkouts/:checkoutId/timeline' },
  cancelCheckout: { method: 'POST', path: '/checkouts/:checkoutId/cancel' },
  sendReceipt: { method: 'POST', path: '/checkouts/:checkoutId/receipt' },
  listCheckoutRefunds: { method: 'GET', path: '/checkouts/:checkoutId/refunds' },
  readRefund: { method: 'GET', path: '/checkouts/:checkoutId/refunds/:refundId' },
  listRefunds: { method: 'GET', path: '/refunds' },
  drawQrCode: { method: 'GET', path: '/checkouts/:checkoutId/qr.svg' },
  readSummary: { method: 'GET', path: '/summary' },
  exportMovements: { method: 'GET', path: '/exports/movements.csv' },
} as const satisfies Record<string, CallPath>

/** The merchant's calls about webhooks and events. */
export const WEBHOOK_PATHS = {
  createWebhook: { method: 'POST', path: '/webhooks' },
  listWebhooks: { method: 'GET', path: '/webhooks' },
  readWebhook: { method: 'GET', path: '/webhooks/:webhookId' },
  changeWebhook: { method: 'PATCH', path: '/webhooks/:webhookId' },
  removeWebhook: { method: 'DELETE', path: '/webhooks/:webhookId' },
  pingWebhook: { method: 'POST', path: '/webhooks/:webhookId/ping' },
  rollWebhook: { method: 'POST', path: '/webhooks/:webhookId/roll' },
  replayWebhook: { method: 'POST', path: '/webhooks/:webhookId/replay' },
  listDeliveries: { method: 'GET', path: '/webhooks/:webhookId/deliveries' },
  listEvents: { method: 'GET', path: '/events' },
  redeliverEvent: { method: 'POST', path: '/events/:eventId/redeliver' },
} as const satisfies Record<string, CallPath>

/** The address of a shopper's call with its values filled in. */
export const shopperAddress = ({ path }: CallPath, values: Readonly<Record<string, string>> = {}): string =>
  SHOPPER_BASE + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
