/** Queues the hourly summary: events of an hour that were too many for a mail each become one mail to the shop. */
import type { Dependencies } from '../../dependencies.ts'
import { hashedId } from '../../ids.ts'
import { isRegistered } from '../../store/outbox/mail-addresses.ts'
import { notificationsWrite } from '../../store/outbox/mails.ts'
import { readShop } from '../../store/merchant/merchants.ts'
import { takeSummary, type SummaryHour } from '../../store/outbox/notification-hours.ts'
import { recipientOf } from '../../store/outbox/notifications.ts'

/** Takes the sum and writes the mail in one transaction. A shop that has turned these mails off meanwhile gets none. */
export const queueHourlySummary = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>, hour: SummaryHour) =>
  database.transact(async (sql): Promise<void> => {
    const now = clock.now()
    const sum = await takeSummary(sql, hour)
    if (sum === null) return
    const { merchantId, mode, topic } = hour
    const { settings } = await readShop(sql, merchantId)
    const to = recipientOf(settings)
    const chosen = settings.notifications[topic]
    if (to === null || chosen === false) return
    if (chosen === null && !(await isRegistered(sql, { merchantId, address: to.recipient }))) return
    // With the time: events of this hour that another worker counts later get a summary of their own.
    const id = hashedId('notifications', merchantId, mode, topic, String(hour.hour), String(now))
    const facts = { kind: 'shop_summary', mode, topic, hour: hour.hour, ...sum } as const
    await sql.writeAll(notificationsWrite([{ merchantId, id, ...to, facts, dueAt: now }], now))
  })
