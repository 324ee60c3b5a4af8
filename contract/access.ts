/** Who may call what: the routes of the merchant API, each with the access that its API key needs and what a call costs the key. */
import type { CallPath } from './paths.ts'

export const MERCHANT_MODES = ['test', 'live'] as const
export type MerchantMode = (typeof MERCHANT_MODES)[number]

export const isMerchantMode = (value: string): value is MerchantMode => MERCHANT_MODES.some((mode) => mode === value)

/** How a key is written: its mode, and 16 to 64 letters and digits. */
export const API_KEY = /^sk_(?:test|live)_[A-Za-z0-9]{16,64}$/

/**
 * Access of a key, from the least to the most; each may do what those before it may. `read`: read alone. `sales`: also
 * create and cancel checkouts and reusable links. `full`: also refunds, settings and webhooks.
 */
export const KEY_ACCESSES = ['read', 'sales', 'full'] as const
export type KeyAccess = (typeof KEY_ACCESSES)[number]

export const isKeyAccess = (value: string): value is KeyAccess => KEY_ACCESSES.some((access) => access === value)

/** Whether a key with the access `held` may make a call that needs `needed`. */
export const mayCall = (held: KeyAccess, needed: KeyAccess): boolean =>
  KEY_ACCESSES.indexOf(held) >= KEY_ACCESSES.indexOf(needed)

/** What one call of each lane takes from the budget of its key (`server/http/limits/key-limits.ts`): about what it costs the server. */
export const CALL_COSTS = { creates: 1, merchantCalls: 1, costlyCalls: 5, uploads: 25, reports: 50 } as const
export type MerchantLane = keyof typeof CALL_COSTS

/**
 * Calls that a person cannot make by a passkey that does not confirm yet after a recovery: refunds, and changes of settings,
 * pictures and webhooks, which decide how cards are checked and who is told of payments. Sales go on.
 */
export const needsConfirmingPasskey = ({
  access,
  method,
}: {
  readonly access: KeyAccess
  readonly method: string
}): boolean => access === 'full' && method !== 'GET'

interface MerchantRoute extends CallPath {
  readonly access: KeyAccess
  readonly lane: MerchantLane
}

/** Every call of the merchant API: the access that its key needs, and the lane, which says what it costs. */
export const MERCHANT_ROUTES = {
  // Checkouts.
  createCheckout: { access: 'sales', lane: 'creates', method: 'POST', path: '/checkouts' },
  readMerchantCheckout: { access: 'read', lane: 'merchantCalls', method: 'GET', path: '/checkouts/:checkoutId' },
  listCheckouts: { access: 'read', lane: 'costlyCalls', method: 'GET', path: '/checkouts' },
  readTimeline: { access: 'read', lane: 'costlyCalls', method: 'GET', path: '/checkouts/:checkoutId/timeline' },
  cancelMerchantCheckout: {
    access: 'sales',
    lane: 'merchantCalls',
    method: 'POST',
    path: '/checkouts/:checkoutId/cancel',
  },
  sendReceipt: { access: 'sales', lane: 'merchantCalls', method: 'POST', path: '/checkouts/:checkoutId/receipt' },
  drawQrCode: { access: 'read', lane: 'merchantCalls', method: 'GET', path: '/checkouts/:checkoutId/qr.svg' },

  // Reusable links.
  createReusableLink: { access: 'sales', lane: 'creates', method: 'POST', path: '/links' },
  readReusableLink: { access: 'read', lane: 'merchantCalls', method: 'GET', path: '/links/:linkId' },
  listReusableLinks: { access: 'read', lane: 'costlyCalls', method: 'GET', path: '/links' },
  changeReusableLink: { access: 'sales', lane: 'merchantCalls', method: 'PATCH', path: '/links/:linkId' },
  drawLinkQrCode: { access: 'read', lane: 'merchantCalls', method: 'GET', path: '/links/:linkId/qr.svg' },

  // Refunds.
  refundCheckout: { access: 'full', lane: 'merchantCalls', method: 'POST', path: '/checkouts/:checkoutId/refunds' },
  listCheckoutRefunds: { access: 'read', lane: 'merchantCalls', method: 'GET', path: '/checkouts/:checkoutId/refunds' },
  readRefund: {
    access: 'read',
    lane: 'merchantCalls',
    method: 'GET',
    path: '/checkouts/:checkoutId/refunds/:refundId',
  },
  listRefunds: { access: 'read', lane: 'costlyCalls', method: 'GET', path: '/refunds' },

  // Reports.
  readSummary: { access: 'read', lane: 'reports', method: 'GET', path: '/summary' },
  exportMovements: { access: 'read', lane: 'reports', method: 'GET', path: '/exports/movements.csv' },
  readFigures: { access: 'read', lane: 'reports', method: 'GET', path: '/figures' },
  exportFigures: { access: 'read', lane: 'reports', method: 'GET', path: '/exports/figures.csv' },
  exportCheckouts: { access: 'read', lane: 'reports', method: 'GET', path: '/exports/checkouts.csv' },
  listReconciliations: { access: 'read', lane: 'costlyCalls', method: 'GET', path: '/reconciliations' },
  readReconciliation: {
    access: 'read',
    lane: 'merchantCalls',
    method: 'GET',
    path: '/reconciliations/:reconciliationId',
  },

  // What needs a person.
  readAttention: { access: 'read', lane: 'costlyCalls', method: 'GET', path: '/attention' },

  // The shop, and the key itself.
  readMe: { access: 'read', lane: 'merchantCalls', method: 'GET', path: '/me' },
  readSettings: { access: 'read', lane: 'merchantCalls', method: 'GET', path: '/settings' },
  changeSettings: { access: 'full', lane: 'costlyCalls', method: 'PATCH', path: '/settings' },
  replacePicture: { access: 'full', lane: 'uploads', method: 'PUT', path: '/settings/:picture' },
  removePicture: { access: 'full', lane: 'merchantCalls', method: 'DELETE', path: '/settings/:picture' },

  // Webhooks and events.
  createWebhook: { access: 'full', lane: 'merchantCalls', method: 'POST', path: '/webhooks' },
  listWebhooks: { access: 'full', lane: 'merchantCalls', method: 'GET', path: '/webhooks' },
  readWebhook: { access: 'full', lane: 'merchantCalls', method: 'GET', path: '/webhooks/:webhookId' },
  changeWebhook: { access: 'full', lane: 'merchantCalls', method: 'PATCH', path: '/webhooks/:webhookId' },
  removeWebhook: { access: 'full', lane: 'costlyCalls', method: 'DELETE', path: '/webhooks/:webhookId' },
  pingWebhook: { access: 'full', lane: 'merchantCalls', method: 'POST', path: '/webhooks/:webhookId/ping' },
  rollWebhook: { access: 'full', lane: 'merchantCalls', method: 'POST', path: '/webhooks/:webhookId/roll' },
  replayWebhook: { access: 'full', lane: 'costlyCalls', method: 'POST', path: '/webhooks/:webhookId/replay' },
  listDeliveries: { access: 'full', lane: 'costlyCalls', method: 'GET', path: '/webhooks/:webhookId/deliveries' },
  listEvents: { access: 'full', lane: 'costlyCalls', method: 'GET', path: '/events' },
  redeliverEvent: { access: 'full', lane: 'merchantCalls', method: 'POST', path: '/events/:eventId/redeliver' },
} as const satisfies Record<string, MerchantRoute>

export type MerchantCallName = keyof typeof MERCHANT_ROUTES
