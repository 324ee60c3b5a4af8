/** Audit lists: every kind of change that a person makes, and the calls that list them. A change without a word here cannot be written down. */
import { Type, type Static } from 'typebox'
import { MERCHANT_MODES } from '../access.ts'
import { NoPath } from '../calls.ts'
import { PageQuery, pageOf } from '../merchant/lists.ts'
import { bodilessConsoleCall } from './calls.ts'
import { closed, Instant } from './fields.ts'
import { CONSOLE_ROUTES } from './paths.ts'

const AUDIT_ACTIONS = [
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
  'session_ended',
  // API keys.
  'key_created',
  'key_rolled',
  'key_revoked',
  // The merchant API with a session.
  'checkout_created',
  'checkout_cancelled',
  'receipt_sent',
  'link_created',
  'link_changed',
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
  'set_aside_read',
  'set_aside_retried',
  'set_aside_dropped',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const isAuditAction = (value: string): value is AuditAction => AUDIT_ACTIONS.some((action) => action === value)

const AuditLineAnswer = Type.Object(
  {
    id: Type.String(),
    mode: Type.Optional(Type.Enum([...MERCHANT_MODES], { description: 'Left out: it is of no mode.' })),
    at: Instant,
    personId: Type.String({ description: 'Stays the same when the person’s name changes.' }),
    person: Type.String({ description: 'As the person was called then.' }),
    action: Type.Enum([...AUDIT_ACTIONS]),
    subject: Type.String({
      description: 'What was changed: the id of a checkout or of a key, the address of a person.',
    }),
    details: Type.String(),
  },
  { ...closed, title: 'AuditLine' },
)
export type AuditLineAnswer = Static<typeof AuditLineAnswer>

const AuditList = pageOf('AuditList', AuditLineAnswer)

export const listAudit = {
  ...bodilessConsoleCall({
    ...CONSOLE_ROUTES.listAudit,
    summary: 'List what people have changed at the shop, in both modes, the newest first',
    params: NoPath,
    answer: AuditList,
    errors: ['invalid_field'],
  }),
  query: PageQuery,
}

export const listInstallationAudit = {
  ...bodilessConsoleCall({
    ...CONSOLE_ROUTES.listInstallationAudit,
    summary: 'List what people have changed that belongs to no shop, such as operators, the newest first',
    params: NoPath,
    answer: AuditList,
    errors: ['invalid_field'],
  }),
  query: PageQuery,
}
