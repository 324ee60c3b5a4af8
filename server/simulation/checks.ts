import { reconcile } from '../reconcile.ts'
import { integer, text, type Sql } from '../store/database.ts'
import { openBooks, type BookedOrder } from './acquirer.ts'
import type { Ending } from './plays.ts'
import type { Told } from './shopper.ts'
import { proofOf } from './three-ds.ts'

/** What must hold when the dust has settled; each broken promise is one sentence. */

interface CheckoutFacts {
  readonly id: string
  readonly status: string
  readonly amountYen: number
  readonly orderCode: string | null
  readonly validUntil: number
}

interface AttemptFacts {
  readonly orderCode: string
  readonly checkoutId: string
  readonly state: string
}

const orNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

const refundedYenOf = (order: BookedOrder): number => sum([...order.refunds.values()].map(({ amountYen }) => amountYen))

export interface Evidence {
  readonly sql: Sql
  readonly books: ReadonlyMap<string, BookedOrder>
  readonly told: readonly Told[]
  /** What the server called a person for. */
  readonly alarms: readonly string[]
  readonly cardsHeld: number
  readonly overdrawn: readonly string[]
}

/** How each checkout ended. */
export const endingsOf = async ({ sql, books, told }: Evidence): Promise<Ending[]> => {
  const checkouts = await sql.rows('SELECT id, status FROM checkouts')
  const attempts = await sql.rows('SELECT order_code, checkout_id FROM attempts')
  return checkouts.map((row) => {
    const checkoutId = text(row, 'id')
    const last = new Map(told.filter((each) => each.checkoutId === checkoutId).map(({ tab, word }) => [tab, word]))
    const charges = attempts.filter(
      (attempt) =>
        text(attempt, 'checkout_id') === checkoutId && books.get(text(attempt, 'order_code'))?.status === 'charged',
    )
    return { checkoutId, status: text(row, 'status'), charges: charges.length, lastWords: [...last.values()] }
  })
}

/** What the server's own reconciliation makes of it: it must agree with every charge, and leave nothing open. */
const unreconciled = async (sql: Sql, books: Evidence['books']): Promise<string[]> => {
  const named: string[] = []
  const said = await reconcile(sql, openBooks(books), (found) => named.push(`a break: ${JSON.stringify(found)}`))
  if (said.outcome === 'unknown') return [...named, 'the books could not be compared']
  const charges = [...books.values()].filter(({ status }) => status === 'charged').length
  if (said.inDoubt > 0) named.push(`${said.inDoubt} movements of money are in doubt for ever`)
  if (said.breaks === 0 && said.charges !== charges) named.push(`${said.charges} of ${charges} charges agree`)
  return named
}

export const brokenPromises = async ({ sql, books, told, cardsHeld, overdrawn }: Evidence): Promise<string[]> => {
  const broken: string[] = []
  const checkouts: CheckoutFacts[] = (await sql.rows('SELECT * FROM checkouts')).map((row) => ({
    id: text(row, 'id'),
    status: text(row, 'status'),
    amountYen: integer(row, 'amount_yen'),
    orderCode: orNull(row['order_code']),
    validUntil: integer(row, 'valid_until'),
  }))
  const attempts: AttemptFacts[] = (await sql.rows('SELECT * FROM attempts')).map((row) => ({
    orderCode: text(row, 'order_code'),
    checkoutId: text(row, 'checkout_id'),
    state: text(row, 'state'),
  }))
  const refunds = await sql.rows('SELECT * FROM refunds')
  const lines = await sql.rows('SELECT * FROM ledger_lines')
  const letters = await sql.rows('SELECT * FROM outbox')
  const checkoutOf = new Map(attempts.map(({ orderCode, checkoutId }) => [orderCode, checkoutId]))

  const doubted = new Set(
    (await sql.rows("SELECT subject FROM changes WHERE moved_to = 'unknown'")).map((row) => text(row, 'subject')),
  )
  for (const { orderCode, state } of attempts) {
    if (state === 'charging' || state === 'unknown') broken.push(`attempt ${orderCode} is ${state} for ever`)
    const isOwed = doubted.has(`attempt ${orderCode}`) && (state === 'void' || state === 'declined')
    const wrote = letters.filter(
      (row) => text(row, 'event') === 'nothing_charged' && text(row, 'id').includes(`.${orderCode}.`),
    )
    if (wrote.length !== (isOwed ? 1 : 0))
      broken.push(`attempt ${orderCode} is ${state}, and its shopper was written to ${wrote.length} times`)
  }
  for (const row of refunds) {
    const state = text(row, 'state')
    if (state === 'requested' || state === 'unknown')
      broken.push(`refund ${text(row, 'refund_id')} is ${state} for ever`)
  }

  for (const checkout of checkouts) {
    const charged = [...books.values()].filter(
      ({ orderCode, status }) => status === 'charged' && checkoutOf.get(orderCode) === checkout.id,
    )
    const name = `checkout ${checkout.id}`
    const isPaid = checkout.status === 'paid' || checkout.status === 'refunded'
    if (charged.length > 1) broken.push(`${name} was charged ${charged.length} times`)
    if (charged.length === 1 && !isPaid) broken.push(`${name} was charged and is ${checkout.status}`)
    if (charged.length === 0 && isPaid) broken.push(`${name} is ${checkout.status} and was never charged`)
    const [order] = charged
    if (order === undefined) continue
    if (order.amountYen !== checkout.amountYen)
      broken.push(`${name} of ${checkout.amountYen} yen was charged ${order.amountYen}`)
    if (checkout.orderCode !== order.orderCode) broken.push(`${name} names another order than the one charged`)
    const given = refundedYenOf(order)
    if (given > order.amountYen) broken.push(`${name} was refunded more than it paid`)
    if ((checkout.status === 'refunded') !== (given === order.amountYen))
      broken.push(`${name} is ${checkout.status} with ${given} of ${order.amountYen} yen given back`)
    const ours = sum(
      refunds
        .filter((row) => text(row, 'checkout_id') === checkout.id && text(row, 'state') === 'refunded')
        .map((row) => integer(row, 'amount_yen')),
    )
    if (ours !== given) broken.push(`${name}: we say ${ours} yen were given back, the acquirer ${given}`)
    const booked = sum(
      lines
        .filter((row) => text(row, 'checkout_id') === checkout.id && text(row, 'account') === 'acquirer')
        .map((row) => integer(row, 'amount_yen')),
    )
    if (booked !== order.amountYen - given)
      broken.push(`${name}: the ledger has ${booked} yen, not ${order.amountYen - given}`)
    for (const [event, kind] of [
      ['checkout.paid', 'webhook'],
      ['receipt', 'mail'],
    ]) {
      const sent = letters.filter(
        (row) => text(row, 'checkout_id') === checkout.id && text(row, 'event') === event && text(row, 'kind') === kind,
      )
      if (sent.length !== 1) broken.push(`${name} has ${sent.length} ${kind}s of ${event}`)
    }
  }

  const total = sum(lines.map((row) => integer(row, 'amount_yen')))
  if (total !== 0) broken.push(`the ledger adds up to ${total} yen`)

  for (const { orderCode, status, order } of books.values()) {
    if (status !== 'charged' || order === null) continue
    const { clearance, card, amountYen } = order
    if (clearance.by === 'exemption') continue
    if (clearance.authentication.authenticationValue !== proofOf(orderCode, amountYen, card))
      broken.push(`order ${orderCode} was charged on the authentication of another`)
  }

  const statusOf = new Map(checkouts.map(({ id, status }) => [id, status]))
  for (const { checkoutId, word, orderCode } of told) {
    const status = statusOf.get(checkoutId)
    if (word === 'paid' && status !== 'paid' && status !== 'refunded')
      broken.push(`a shopper was told paid, and checkout ${checkoutId} is ${status}`)
    if (word === 'expired' && status !== 'expired' && status !== 'failed')
      broken.push(`a shopper was told expired, and checkout ${checkoutId} is ${status}`)
    if (word === 'cancelled' && status !== 'cancelled')
      broken.push(`a shopper was told cancelled, and checkout ${checkoutId} is ${status}`)
    if (
      (word === 'failed' || word === 'nothing charged') &&
      orderCode !== null &&
      books.get(orderCode)?.status === 'charged'
    )
      broken.push(
        `a shopper was told that ${orderCode} ${word === 'failed' ? 'failed' : 'was not charged'}, and it was charged`,
      )
  }
  for (const refund of overdrawn) broken.push(`more was asked back than was paid: ${refund}`)
  broken.push(...(await unreconciled(sql, books)))
  if (cardsHeld > 0) broken.push(`${cardsHeld} cards are still held`)
  return broken
}
