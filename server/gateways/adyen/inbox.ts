/** Adyen, inbox: what the adapter reads of the notifications that are stored. */
import type { KeyScope } from '../../store/merchant/keys.ts'
import {
  disputeNotifications,
  notificationsOfPayment,
  reportNotifications,
  reportNotificationsBefore,
  type AcquirerNotification,
} from '../../store/merchant/acquirer-notifications.ts'
import type { Sql } from '../../store/engine/database.ts'
import type { AdyenInbox } from './gateway.ts'
import type { ReportNotice } from './statement.ts'

/** One without an address is not left out: its payments would be missing in the statement, and nobody would see it. */
const noticeOf = ({ pspReference, reportAddress, occurredAt }: AcquirerNotification): ReportNotice => ({
  fileName: pspReference,
  address: reportAddress ?? '',
  toldAt: occurredAt,
})

/** The inbox of one account: of a merchant, in a mode. */
export const openAdyenInbox = (sql: Sql, scope: KeyScope): AdyenInbox => ({
  ofPayment: (reference, events) => notificationsOfPayment(sql, scope, reference, events),
  reports: async (from) => (await reportNotifications(sql, scope, from)).map(noticeOf),
  reportsBefore: async (from) => (await reportNotificationsBefore(sql, scope, from)).map(noticeOf),
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
