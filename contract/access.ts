/** Who may call what: the routes of the merchant API, each with the access that its API key needs. */
import type { CallPath } from './paths.ts'

export const MERCHANT_MODES = ['test', 'live'] as const
export type MerchantMode = (typeof MERCHANT_MODES)[number]

export const isMerchantMode = (value: string): value is MerchantMode => MERCHANT_MODES.some((mode) => mode === value)

/** How a key is written: its mode, and 16 to 64 letters and digits. */
export const API_KEY = /^sk_(?:test|live)_[A-Za-z0-9]{16,64}$/

/**
 * Access of a key, from the least to the most; each may do what those before it may. `read`: read alone. `sales`: also
 * create and cancel checkouts. `full`: also refunds, settings and webhooks.
 */
export const KEY_ACCESSES = ['read', 'sales', 'full'] as const
export type KeyAccess = (typeof KEY_ACCESSES)[number]

export const isKeyAccess = (value: string): value is KeyAccess => KEY_ACCESSES.some((access) => access === value)

/** Whether a key with the access `held` may make a call that needs `needed`. */
export const mayCall = (held: KeyAccess, needed: KeyAccess): boolean =>
  KEY_ACCESSES.indexOf(held) >= KEY_ACCESSES.indexOf(needed)

/** A route of the merchant API. */
interface MerchantRoute extends CallPath {
  readonly access: KeyAccess
}

/** Every call of the merchant API by its name. The server starts with no route that names no access. */
export const MERCHANT_ROUTES = {
  // Checkouts.
  createCheckout: { access: 'sales', method: 'POST', path: '/checkouts' },
  readMerchantCheckout: { access: 'read', method: 'GET', path: '/checkouts/:checkoutId' },
  listCheckouts: { access: 'read', method: 'GET', path: '/checkouts' },
  readTimeline: { access: 'read', method: 'GET', path: '/checkouts/:checkoutId/timeline' },
  cancelMerchantCheckout: { access: 'sales', method: 'POST', path: '/checkouts/:checkoutId/cancel' },
  sendReceipt: { access: 'sales', method: 'POST', path: '/checkouts/:checkoutId/receipt' },
  drawQrCode: { access: 'read', method: 'GET', path: '/checkouts/:checkoutId/qr.svg' },

  // Refunds.
  refundCheckout: { access: 'full', method: 'POST', path: '/checkouts/:checkoutId/refunds' },
  listCheckoutRefunds: { access: 'read', method: 'GET', path: '/checkouts/:checkoutId/refunds' },
  readRefund: { access: 'read', method: 'GET', path: '/checkouts/:checkoutId/refunds/:refundId' },
  listRefunds: { access: 'read', method: 'GET', path: '/refunds' },

  // Reports.
  readSummary: { access: 'read', method: 'GET', path: '/summary' },
  exportMovements: { access: 'read', method: 'GET', path: '/exports/movements.csv' },

  // The shop, and the key itself.
  readMe: { access: 'read', method: 'GET', path: '/me' },
  readSettings: { access: 'read', method: 'GET', path: '/settings' },
  changeSettings: { access: 'full', method: 'PATCH', path: '/settings' },
  replacePicture: { access: 'full', method: 'PUT', path: '/settings/:picture' },
  removePicture: { access: 'full', method: 'DELETE', path: '/settings/:picture' },

  // Webhooks and events.
  createWebhook: { access: 'full', method: 'POST', path: '/webhooks' },
  listWebhooks: { access: 'full', method: 'GET', path: '/webhooks' },
  readWebhook: { access: 'full', method: 'GET', path: '/webhooks/:webhookId' },
  changeWebhook: { access: 'full', method: 'PATCH', path: '/webhooks/:webhookId' },
  removeWebhook: { access: 'full', method: 'DELETE', path: '/webhooks/:webhookId' },
  pingWebhook: { access: 'full', method: 'POST', path: '/webhooks/:webhookId/ping' },
  rollWebhook: { access: 'full', method: 'POST', path: '/webhooks/:webhookId/roll' },
  replayWebhook: { access: 'full', method: 'POST', path: '/webhooks/:webhookId/replay' },
  listDeliveries: { access: 'full', method: 'GET', path: '/webhooks/:webhookId/deliveries' },
  listEvents: { access: 'full', method: 'GET', path: '/events' },
  redeliverEvent: { access: 'full', method: 'POST', path: '/events/:eventId/redeliver' },
} as const satisfies Record<string, MerchantRoute>

export type MerchantCallName = keyof typeof MERCHANT_ROUTES
