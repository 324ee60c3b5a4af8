/** Queues the mail that tells a shop that its webhook endpoint fails or was disabled: one for each spell of failure. */
import { endpointMail } from '#payment/endpoint-mail.ts'
import { isMailAddress } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { takeNotice, type NoticeRef } from '../../store/outbox/endpoint-notices.ts'
import { endpointMailWrite } from '../../store/outbox/mails.ts'
import { readShop } from '../../store/merchant/merchants.ts'

/**
 * Takes the notice and writes the mail in one transaction. Of a shop without an address only the operator learns, by the log:
 * the line is written before the commit, so that a crash between the two repeats it instead of losing it. A transaction that
 * runs again writes it once more too.
 */
export const queueEndpointMail = (
  { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
  ref: NoticeRef,
) =>
  database.transact(async (sql): Promise<void> => {
    const now = clock.now()
    const news = await takeNotice(sql, ref, now)
    if (news === null) return
    const { merchantId: merchant, endpointId: webhook, kind: why } = ref
    const { receipt, locale } = (await readShop(sql, merchant)).settings
    const recipient = receipt.shopEmail
    if (isMailAddress(recipient)) await sql.writeAll(endpointMailWrite(endpointMail(news, { recipient, locale }), now))
    else log.error('a webhook endpoint fails, and its shop has no e-mail address', { merchant, webhook, why })
  })
