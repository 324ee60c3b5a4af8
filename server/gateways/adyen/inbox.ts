/** Adyen, inbox: what the adapter reads of the notifications that are stored. */
import type { KeyScope } from '../../store/merchant/keys.ts'
import {
  disputeNotifications,
  notificationsOfPayment,
  reportNotifications,
} from '../../store/merchant/acquirer-notifications.ts'
import type { Sql } from '../../store/engine/database.ts'
import type { AdyenInbox } from './gateway.ts'

/** The inbox of one account: of a merchant, in a mode. */
export const openAdyenInbox = (sql: Sql, scope: KeyScope): AdyenInbox => ({
  ofPayment: (reference, events) => notificationsOfPayment(sql, scope, reference, events),
  reports: async (from) =>
    (await reportNotifications(sql, scope, from)).map(({ pspReference, reportAddress, occurredAt }) => ({
      fileName: pspReference,
      // One without an address is not left out: its payments would be missing in the statement, and nobody would see it.
      address: reportAddress ?? '',
      toldAt: occurredAt,
    })),
  disputes: async (openedIn, after, limit) => {
    const told = await disputeNotifications(sql, scope, { openedIn, after, limit })
    const disputes = Map.groupBy(told, ({ disputeId }) => disputeId)
    const last = told.at(-1)
    // A full page may be the last one too: the next is then empty.
    const isFull = disputes.size === limit && last !== undefined
    return {
      disputes: [...disputes.values()],
      after: isFull ? { openedAt: last.openedAt, disputeId: last.pspReference } : null,
    }
  },
})
