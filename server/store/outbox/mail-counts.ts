/** Mail counts in the database: how many mails of a class went out on a day, to whom by a hash, from which merchant. */
import { createHash } from 'node:crypto'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { comparableAddress } from '#payment/erasure.ts'
import { mailDay, type MailClass, type MailCounts } from '#payment/mail-permission.ts'
import { changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { Row, Sql, SqlValue } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { insertRows } from '../engine/write.ts'

/** A mail as it is counted. */
export interface CountedMail {
  readonly class: MailClass
  readonly merchantId: string
  readonly recipient: string
  readonly day: Instant
}

const ALL = ''

/** Not the address itself: counts need no erasing, they end after two days. */
const hashOf = (address: string): string => createHash('sha256').update(comparableAddress(address)).digest('hex')

export const countedMail = (
  mail: Pick<CountedMail, 'class' | 'merchantId' | 'recipient'>,
  now: Instant,
): CountedMail => ({ ...mail, day: mailDay(now) })

/** Always in this order: two that take rows in another one would wait for each other. */
const keysOf = ({ class: mailClass, merchantId, recipient, day }: CountedMail): SqlValue[][] => {
  const hash = hashOf(recipient)
  return [
    [day, mailClass, ALL, hash],
    [day, mailClass, merchantId, hash],
    [day, mailClass, merchantId, ALL],
  ]
}

const COLUMNS = ['day', 'class', 'merchant_id', 'recipient', 'mails', 'kept_back']
const KEY = ['day', 'class', 'merchant_id', 'recipient']

const addToCounts = (sql: Sql, mail: CountedMail, by: 1 | -1): Promise<Row[]> => {
  const [write] = insertRows(
    'mail_counts',
    COLUMNS,
    keysOf(mail).map((key) => [...key, Math.max(by, 0), 0]),
    `ON CONFLICT (${KEY.join(', ')}) DO UPDATE SET mails = mail_counts.mails + ${by} RETURNING merchant_id, recipient, mails`,
  )
  return write === undefined ? Promise.resolve([]) : sql.rows(write.text, ...write.values)
}

/** Counts a mail before it is sent, and answers the counts with it: of two at once each sees the other. */
export const countMail = async (sql: Sql, mail: CountedMail): Promise<MailCounts> => {
  const rows = await addToCounts(sql, mail, 1)
  const countOf = (merchantId: string, isToAll: boolean): number => {
    const isOf = (row: Row): boolean =>
      text(row, 'merchant_id') === merchantId && (text(row, 'recipient') === ALL) === isToAll
    return integer(rows.find(isOf) ?? {}, 'mails')
  }
  return {
    toOneFromAll: countOf(ALL, false),
    toOneFromMerchant: countOf(mail.merchantId, false),
    fromMerchant: countOf(mail.merchantId, true),
  }
}

/** A mail that was counted and did not go out. */
export const uncountMail = async (sql: Sql, mail: CountedMail): Promise<void> => {
  await addToCounts(sql, mail, -1)
}

/** Not sent because of a cap. Answers how many of this class were kept back for this merchant today. */
export const keepBack = async (sql: Sql, mail: CountedMail): Promise<number> => {
  await uncountMail(sql, mail)
  const [row] = await sql.rows(
    `UPDATE mail_counts SET kept_back = kept_back + 1
     WHERE day = $1 AND class = $2 AND merchant_id = $3 AND recipient = $4 RETURNING kept_back`,
    mail.day,
    mail.class,
    mail.merchantId,
    ALL,
  )
  return row === undefined ? 0 : integer(row, 'kept_back')
}

const OLD_COUNTS: Batch = {
  table: 'mail_counts',
  key: KEY,
  where: 'day < $1',
  order: 'day',
  change: 'DELETE',
}

/** Counts of the day before yesterday and earlier. True when there may be more of them. */
export const forgetOldCounts = (sql: Sql, now: Instant): Promise<boolean> =>
  changeBatch(sql, OLD_COUNTS, [mailDay(now) - DAY_MS])
