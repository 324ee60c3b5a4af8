/** Adyen, inbox: what the adapter reads of the notifications that are stored. */
import type { KeyScope } from '../../store/merchant/keys.ts'
import {
  disputeIds,
  notificationsOfDispute,
  notificationsOfPayment,
  reportNotifications,
  reportNotificationsBefore,
  type AcquirerNotification,
} from '../../store/merchant/acquirer-notifications.ts'
import type { Sql } from '../../store/engine/database.ts'
import { NOTICES_MAX } from './disputes.ts'
import type { AdyenInbox } from './gateway.ts'
import type { ReportNotice } from './statement.ts'

/** One without an address is not left out: its payments would be missing in the statement, and nobody would see it. */
const noticeOf = ({ pspReference, reportAddress, occurredAt }: AcquirerNotification): ReportNotice => ({
  fileName: pspReference,
  address: reportAddress ?? '',
  toldAt: occurredAt,
})

/** One more than may be: then it has too many. */
export const toldOfDispute = (sql: Sql, scope: KeyScope, disputeId: string): Promise<AcquirerNotification[]> =>
  notificationsOfDispute(sql, scope, disputeId, NOTICES_MAX + 1)

/** The inbox of one account: of a merchant, in a mode. */
export const openAdyenInbox = (sql: Sql, scope: KeyScope): AdyenInbox => ({
  ofPayment: (reference, events) => notificationsOfPayment(sql, scope, reference, events),
  reports: async (from) => (await reportNotifications(sql, scope, from)).map(noticeOf),
  reportsBefore: async (from) => (await reportNotificationsBefore(sql, scope, from)).map(noticeOf),
  disputes: async ({ from, to }, after, limit) => {
    const found = await disputeIds(sql, scope, after ?? '', limit)
    const disputes: AcquirerNotification[][] = []
    for (const { disputeId, openedAt } of found)
      if (openedAt >= from && openedAt < to) disputes.push(await toldOfDispute(sql, scope, disputeId))
    // A full page may be the last one too: the next is then empty.
    return { disputes, after: found.length === limit ? (found.at(-1)?.disputeId ?? null) : null }
  },
})
