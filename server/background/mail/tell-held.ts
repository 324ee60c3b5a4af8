/** Tell held: what a shop was not told one by one in an hour becomes one mail, once. */
import type { Dependencies } from '../../dependencies.ts'
import { hashedId } from '../../ids.ts'
import { isRegistered } from '../../store/outbox/mail-addresses.ts'
import { notificationsWrite } from '../../store/outbox/mails.ts'
import { readShop } from '../../store/merchant/merchants.ts'
import { takeSummary, type SummaryHour } from '../../store/outbox/notification-hours.ts'
import { recipientOf } from '../../store/outbox/notifications.ts'

/** The sum is taken and the mail is there, or neither. A shop that has turned these mails off meanwhile gets none. */
export const tellHeld = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>, held: SummaryHour) =>
  database.transact(async (sql): Promise<void> => {
    const now = clock.now()
    const sum = await takeSummary(sql, held)
    if (sum === null) return
    const { merchantId, mode, topic, hour } = held
    const { settings } = await readShop(sql, merchantId)
    const to = recipientOf(settings)
    const chosen = settings.notifications[topic]
    if (to === null || chosen === false) return
    if (chosen === null && !(await isRegistered(sql, { merchantId, address: to.recipient }))) return
    // With the time: events of this hour that another worker counts later are a sum of their own.
    const id = hashedId('notifications', merchantId, mode, topic, String(hour), String(now))
    const facts = { kind: 'shop_summary', mode, topic, hour, ...sum } as const
    await sql.writeAll(notificationsWrite([{ merchantId, id, ...to, facts, dueAt: now }], now))
  })
