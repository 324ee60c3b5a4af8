/** Audit actions: every kind of change that a person makes, in one list. A change without a word here cannot be written down. */
export const AUDIT_ACTIONS = [
  // People.
  'person_invited',
  'invitation_withdrawn',
  'person_joined',
  'person_changed',
  'role_changed',
  'person_removed',
  'person_recovered',
  'passkey_enrolled',
  'passkey_removed',
  'passkey_approved',
  // API keys.
  'key_created',
  'key_rolled',
  'key_revoked',
  // The merchant API with a session.
  'checkout_created',
  'checkout_cancelled',
  'receipt_sent',
  'refund_made',
  'settings_changed',
  'picture_replaced',
  'picture_removed',
  'webhook_created',
  'webhook_changed',
  'webhook_removed',
  'webhook_rolled',
  'webhook_pinged',
  'webhook_replayed',
  'event_redelivered',
  // The operator.
  'shop_opened',
  'shop_closed',
  'shop_reopened',
  'outbox_retried',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const isAuditAction = (value: string): value is AuditAction => AUDIT_ACTIONS.some((action) => action === value)
