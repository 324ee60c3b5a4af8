import { ANSWERED_AT_ONCE_MS } from '#payment/charge.ts'
import type { Acknowledged, BookedOrder, StoredRows } from './evidence.ts'

export interface Evidence {
  readonly acknowledged: readonly Acknowledged[]
  readonly books: readonly BookedOrder[]
  readonly rows: StoredRows
}

/** One broken promise, in a sentence. */
export interface Finding {
  readonly kind: 'lost' | 'double charge' | 'unsettled' | 'untrue'
  readonly line: string
}

type Checkout = StoredRows['checkouts'][number]

const OPEN_ENDS: readonly string[] = ['charging', 'unknown', 'requested']

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> =>
  Map.groupBy(items, keyOf)

const unsettled = ({ rows, books }: Evidence): string[] => [
  ...rows.attempts
    .filter(({ state }) => OPEN_ENDS.includes(state))
    .map(({ orderCode, state }) => `attempt ${orderCode} is still ${state}`),
  ...rows.refunds
    .filter(({ state }) => OPEN_ENDS.includes(state))
    .map(({ checkoutId, refundId, state }) => `refund ${refundId} of checkout ${checkoutId} is still ${state}`),
  ...books.filter(({ status }) => status === 'pending').map(({ orderId }) => `the acquirer still weighs ${orderId}`),
]

const lost = ({ acknowledged, rows, books }: Evidence): string[] => {
  const checkouts = new Map(rows.checkouts.map((checkout) => [checkout.id, checkout]))
  const attempts = new Map(rows.attempts.map((attempt) => [attempt.orderCode, attempt]))
  const refunds = new Map(rows.refunds.map((refund) => [`${refund.checkoutId} ${refund.refundId}`, refund]))
  const orders = new Map(books.map((order) => [order.orderId, order]))

  const isKept = (word: Acknowledged): boolean => {
    switch (word.said) {
      case 'created':
        return checkouts.get(word.checkoutId)?.amountYen === word.amountYen
      case 'started':
        return attempts.get(word.orderCode)?.checkoutId === word.checkoutId
      case 'authenticated':
        return rows.checkCodes.get(word.orderCode) === word.checkCode
      case 'paid': {
        const checkout = checkouts.get(word.checkoutId)
        const isPaid = checkout?.status === 'paid' || checkout?.status === 'refunded'
        return isPaid && checkout.transactionId === word.transactionId
      }
      case 'cancelled':
        return checkouts.get(word.checkoutId)?.status === 'cancelled'
      case 'nothing charged':
        return orders.get(word.orderCode)?.status !== 'charged'
      case 'refund': {
        const refund = refunds.get(`${word.checkoutId} ${word.refundId}`)
        if (refund?.amountYen !== word.amountYen) return false
        return word.status === 'pending' || refund.state === word.status
      }
    }
  }
  return acknowledged
    .filter((word) => !isKept(word))
    .map((word) => `it was said and is not so: ${JSON.stringify(word)}`)
}

/** Every closing is one letter to the merchant; nothing is said of what is open. */
const closings = (status: string): string[] => {
  if (status === 'open') return []
  return status === 'refunded' ? ['paid', 'refunded'] : [status]
}

/** Who may have read that we would write, and was charged nothing. */
const isOwedALetter = ({ state, wasInDoubt, flightMs }: StoredRows['attempts'][number]): boolean =>
  (state === 'declined' || state === 'void') && (wasInDoubt || flightMs > ANSWERED_AT_ONCE_MS)

/** The letters that must have been written, and no others. */
const lettersDue = ({ status }: Checkout, refundsGiven: number, attempts: StoredRows['attempts']): string[] => {
  const closed = closings(status)
  return [
    ...closed.map((event) => `webhook checkout.${event}`),
    ...(closed.includes('paid') ? ['mail receipt'] : []),
    ...Array.from({ length: refundsGiven }, () => ['webhook refund', 'mail refund']).flat(),
    ...attempts.filter(isOwedALetter).map(() => 'mail nothing_charged'),
  ]
}

interface Gathered {
  readonly charged: readonly BookedOrder[]
  readonly attempts: StoredRows['attempts']
  readonly refunds: StoredRows['refunds']
  readonly ledger: StoredRows['ledger']
  readonly letters: StoredRows['letters']
}

const namesAndYen = (refunds: readonly { readonly refundId: string; readonly yen: number }[]): string =>
  refunds
    .map(({ refundId, yen }) => `${refundId}: ${yen} yen`)
    .toSorted()
    .join(', ')

const untrueOf = (checkout: Checkout, { charged, attempts, refunds, ledger, letters }: Gathered): string[] => {
  const isPaid = checkout.status === 'paid' || checkout.status === 'refunded'
  const [order] = charged
  const wrong: string[] = []
  if (order !== undefined && !isPaid) wrong.push(`was charged and is ${checkout.status}`)
  if (order === undefined && isPaid) wrong.push(`is ${checkout.status} and was never charged`)
  if (order !== undefined && isPaid) {
    if (order.orderId !== checkout.orderCode || order.transactionId !== checkout.transactionId)
      wrong.push('names another charge than the acquirer')
    if (order.amount !== checkout.amountYen) wrong.push(`of ${checkout.amountYen} yen was charged ${order.amount}`)
  }
  const ours = refunds
    .filter(({ state }) => state === 'refunded')
    .map(({ refundId, amountYen }) => ({ refundId, yen: amountYen }))
  const theirs = charged.flatMap((each) => each.refunds.map(({ refundId, amount }) => ({ refundId, yen: amount })))
  if (namesAndYen(ours) !== namesAndYen(theirs))
    wrong.push(`gave back "${namesAndYen(ours)}", and by the acquirer "${namesAndYen(theirs)}"`)
  const given = sum(theirs.map(({ yen }) => yen))
  if (isPaid && (checkout.status === 'refunded') !== (given === checkout.amountYen))
    wrong.push(`is ${checkout.status} with ${given} of ${checkout.amountYen} yen given back`)
  const due = isPaid ? checkout.amountYen - given : 0
  const booked = sum(ledger.filter(({ account }) => account === 'acquirer').map(({ amountYen }) => amountYen))
  if (booked !== due) wrong.push(`has ${booked} yen in the ledger, not ${due}`)
  for (const [entry, lines] of grouped(ledger, (line) => line.entry))
    if (sum(lines.map(({ amountYen }) => amountYen)) !== 0) wrong.push(`has a ledger entry out of balance: ${entry}`)
  const wanted = lettersDue(checkout, ours.length, attempts)
  const written = letters.map(({ kind, event }) => `${kind} ${event}`)
  for (const letter of new Set([...wanted, ...written])) {
    const [has, should] = [written, wanted].map((all) => all.filter((each) => each === letter).length)
    if (has !== should) wrong.push(`has ${has} of "${letter}", not ${should}`)
  }
  return wrong.map((what) => `checkout ${checkout.id} ${what}`)
}

/** Compares what was said with what is stored and with the acquirer's books, when the dust has settled. */
export const audit = (evidence: Evidence): Finding[] => {
  const { rows, books } = evidence
  const checkoutOf = new Map(rows.attempts.map(({ orderCode, checkoutId }) => [orderCode, checkoutId]))
  const charged = grouped(
    books.filter(({ status }) => status === 'charged'),
    ({ orderId }) => checkoutOf.get(orderId) ?? `nobody's`,
  )
  const [attempts, refunds, ledger, letters] = [
    grouped(rows.attempts, ({ checkoutId }) => checkoutId),
    grouped(rows.refunds, ({ checkoutId }) => checkoutId),
    grouped(rows.ledger, ({ checkoutId }) => checkoutId),
    grouped(rows.letters, ({ checkoutId }) => checkoutId),
  ]
  const known = new Set(rows.checkouts.map(({ id }) => id))
  const twice = rows.checkouts.flatMap(({ id }) => {
    const times = charged.get(id)?.length ?? 0
    return times > 1 ? [`checkout ${id} was charged ${times} times`] : []
  })
  const untrue = [
    ...[...charged.entries()]
      .filter(([checkoutId]) => !known.has(checkoutId))
      .flatMap(([, orders]) => orders.map(({ orderId }) => `order ${orderId} was charged and nobody here knows it`)),
    ...rows.checkouts.flatMap((checkout) =>
      untrueOf(checkout, {
        charged: charged.get(checkout.id) ?? [],
        attempts: attempts.get(checkout.id) ?? [],
        refunds: refunds.get(checkout.id) ?? [],
        ledger: ledger.get(checkout.id) ?? [],
        letters: letters.get(checkout.id) ?? [],
      }),
    ),
  ]
  const found = (kind: Finding['kind'], lines: readonly string[]): Finding[] => lines.map((line) => ({ kind, line }))
  return [
    ...found('lost', lost(evidence)),
    ...found('double charge', twice),
    ...found('unsettled', unsettled(evidence)),
    ...found('untrue', untrue),
  ]
}
