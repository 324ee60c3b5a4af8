/** Timeline of a checkout: its lines in `changes`, the newest first. */
import type { CheckoutRef } from '#payment/references.ts'
import { integer, text, type Row, type Sql } from './database.ts'
import { conditions, pageOf, type ListPage, type PageRequest, type Place } from './list-page.ts'
import { NONE } from './changes.ts'

const SUBJECTS = ['checkout', 'attempt', 'refund', 'mail'] as const
type Subject = (typeof SUBJECTS)[number]

/** One change of state: who changed what, from what, to what, why, when. */
export interface TimelineLine {
  readonly version: number
  readonly place: number
  readonly at: number
  readonly subject: Subject
  /** Of the attempt or the refund; of a mail its kind. */
  readonly id: string | null
  readonly from: string | null
  readonly to: string
  readonly by: string
  readonly why: string
}

/** A line names its subject as "checkout", "attempt <order code>", "refund <refund id>" or "mail <kind>". */
const subjectOf = (written: string): Pick<TimelineLine, 'subject' | 'id'> => {
  const [kind = '', id = null] = written.split(' ')
  const subject = SUBJECTS.find((each) => each === kind)
  if (subject === undefined) throw new Error(`a change of something unknown: ${kind}`)
  return { subject, id }
}

const fromRow = (row: Row): TimelineLine => {
  const from = text(row, 'moved_from')
  return {
    version: integer(row, 'version'),
    place: integer(row, 'place'),
    at: integer(row, 'at'),
    ...subjectOf(text(row, 'subject')),
    from: from === NONE ? null : from,
    to: text(row, 'moved_to'),
    by: text(row, 'actor'),
    why: text(row, 'why'),
  }
}

const placeOf = ({ version, place }: TimelineLine): Place => [version, String(place)]

/** Version and place are the order in which the lines were written, whatever a clock said. */
export const timelineOf = async (
  sql: Sql,
  { merchantId, checkoutId }: CheckoutRef,
  { after, limit }: PageRequest,
): Promise<ListPage<TimelineLine>> => {
  const { values, add } = conditions(merchantId, checkoutId)
  const [version, place] = after ?? []
  const older = version === undefined ? '' : `AND (version, place) < (${add(version)}, ${add(Number(place))})`
  const rows = await sql.rows(
    `SELECT version, place, subject, actor, moved_from, moved_to, why, at FROM changes
     WHERE merchant_id = $1 AND checkout_id = $2 ${older} ORDER BY version DESC, place DESC LIMIT ${add(limit + 1)}`,
    ...values,
  )
  return pageOf(rows.map(fromRow), limit, placeOf)
}

/** Whose checkout it is, for the operator, who knows its id alone: 160 random bits, so that no two merchants share one. */
export const findOwner = async (
  sql: Sql,
  checkoutId: string,
): Promise<{ readonly merchantId: string; readonly label: string } | null> => {
  const [row] = await sql.rows(
    `SELECT merchants.id, merchants.label FROM merchants
     JOIN checkouts ON checkouts.merchant_id = merchants.id AND checkouts.id = $1`,
    checkoutId,
  )
  return row === undefined ? null : { merchantId: text(row, 'id'), label: text(row, 'label') }
}

const PAGE = 100

/** Every line, the oldest first. */
export const wholeTimeline = async (sql: Sql, ref: CheckoutRef): Promise<TimelineLine[]> => {
  const lines: TimelineLine[] = []
  let after: Place | null = null
  do {
    const page: ListPage<TimelineLine> = await timelineOf(sql, ref, { after, limit: PAGE })
    lines.push(...page.items)
    after = page.after
  } while (after !== null)
  return lines.toReversed()
}
