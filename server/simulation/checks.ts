import { ANSWERED_AT_ONCE_MS } from '#payment/charge.ts'
import { reconcile } from '../reconcile.ts'
import { integer, text, textOrNull, type Row } from '../store/database.ts'
import { openBooks, type BookedOrder } from './acquirer.ts'
import type { Ending, Evidence } from './evidence.ts'
import type { Told } from './shopper.ts'
import { isChargeable, proofOf } from './three-ds.ts'

/** The evidence with the store's tables read out. */
interface Facts extends Evidence {
  readonly checkouts: readonly Row[]
  readonly attempts: readonly Row[]
  readonly refunds: readonly Row[]
  readonly lines: readonly Row[]
  readonly letters: readonly Row[]
  /** Orders of attempts that were in doubt at some time, or were answered so late that their shoppers may have left. */
  readonly doubted: ReadonlySet<string>
}

/** Whatever must hold when the dust has settled. Each sentence is a promise that was broken. */
type Check = (facts: Facts) => readonly string[]

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

const yenOf = (rows: readonly Row[]): number => sum(rows.map((row) => integer(row, 'amount_yen')))

const ofCheckout = (rows: readonly Row[], checkout: Row): Row[] =>
  rows.filter((row) => text(row, 'checkout_id') === text(checkout, 'id'))

const refundedYenOf = (order: BookedOrder): number => sum([...order.refunds.values()].map(({ amountYen }) => amountYen))

const chargesOf = ({ attempts, books }: Pick<Facts, 'attempts' | 'books'>, checkout: Row): BookedOrder[] =>
  ofCheckout(attempts, checkout).flatMap((attempt) => {
    const order = books.get(text(attempt, 'order_code'))
    return order?.status === 'charged' ? [order] : []
  })

const isPaid = (checkout: Row): boolean => ['paid', 'refunded'].includes(text(checkout, 'status'))

const nothingIsInDoubt: Check = ({ attempts, refunds }) => [
  ...attempts
    .filter((row) => ['charging', 'unknown'].includes(text(row, 'state')))
    .map((row) => `attempt ${text(row, 'order_code')} is ${text(row, 'state')} for ever`),
  ...refunds
    .filter((row) => ['requested', 'unknown'].includes(text(row, 'state')))
    .map((row) => `refund ${text(row, 'refund_id')} is ${text(row, 'state')} for ever`),
]

const everyCheckoutIsChargedOnce: Check = (facts) =>
  facts.checkouts.flatMap((checkout) => {
    const name = `checkout ${text(checkout, 'id')}`
    const [order, ...more] = chargesOf(facts, checkout)
    if (more.length > 0) return [`${name} was charged ${more.length + 1} times`]
    if (order === undefined) return isPaid(checkout) ? [`${name} is paid and was never charged`] : []
    if (!isPaid(checkout)) return [`${name} was charged and is ${text(checkout, 'status')}`]
    const amountYen = integer(checkout, 'amount_yen')
    return [
      ...(order.amountYen === amountYen ? [] : [`${name} of ${amountYen} yen was charged ${order.amountYen}`]),
      ...(textOrNull(checkout, 'order_code') === order.orderCode ? [] : [`${name} names another order`]),
    ]
  })

const everyYenIsAccountedFor: Check = (facts) => {
  const { checkouts, refunds, lines, overdrawn } = facts
  const total = yenOf(lines)
  return [
    ...(total === 0 ? [] : [`the ledger adds up to ${total} yen`]),
    ...overdrawn.map((refund) => `more was asked back than was paid: ${refund}`),
    ...checkouts.flatMap((checkout) => {
      const name = `checkout ${text(checkout, 'id')}`
      const [order] = chargesOf(facts, checkout)
      if (order === undefined) return []
      const given = refundedYenOf(order)
      const ours = yenOf(ofCheckout(refunds, checkout).filter((row) => text(row, 'state') === 'refunded'))
      const booked = yenOf(ofCheckout(lines, checkout).filter((row) => text(row, 'account') === 'acquirer'))
      const isRefunded = text(checkout, 'status') === 'refunded'
      return [
        ...(given <= order.amountYen ? [] : [`${name} was refunded more than it paid`]),
        ...(isRefunded === (given === order.amountYen) ? [] : [`${name} is not refunded by ${given} yen`]),
        ...(ours === given ? [] : [`${name}: we say ${ours} yen were given back, the acquirer ${given}`]),
        ...(booked === order.amountYen - given ? [] : [`${name}: ${booked} yen are booked for it`]),
      ]
    }),
  ]
}

/** Every letter that is owed for how a checkout ended, by its id. */
const lettersDue = ({ attempts, refunds, doubted }: Facts, checkout: Row): string[] => {
  const status = text(checkout, 'status')
  const closed = status === 'refunded' ? ['paid', 'refunded'] : status === 'open' ? [] : [status]
  const unpaid = ofCheckout(attempts, checkout).filter(
    (row) => ['void', 'declined'].includes(text(row, 'state')) && doubted.has(text(row, 'order_code')),
  )
  const given = ofCheckout(refunds, checkout).filter((row) => text(row, 'state') === 'refunded')
  return [
    ...closed.map((end) => `checkout.${end}.webhook`),
    ...(isPaid(checkout) ? ['receipt.mail'] : []),
    ...unpaid.map((row) => `nothing_charged.${text(row, 'order_code')}.mail`),
    ...given.flatMap((row) => ['mail', 'webhook'].map((kind) => `refund.${text(row, 'refund_id')}.${kind}`)),
  ]
}

const everyLetterIsPosted: Check = (facts) =>
  facts.checkouts.flatMap((checkout) => {
    const id = text(checkout, 'id')
    const due = new Set(lettersDue(facts, checkout).map((letter) => `${id}.${letter}`))
    const posted = new Set(ofCheckout(facts.letters, checkout).map((row) => text(row, 'id')))
    return [
      ...[...due].filter((letter) => !posted.has(letter)).map((letter) => `nobody was written ${letter}`),
      ...[...posted].filter((letter) => !due.has(letter)).map((letter) => `somebody was written ${letter}`),
    ]
  })

const everyChargeWasCleared: Check = ({ books }) =>
  [...books.values()].flatMap(({ orderCode, status, order }) => {
    if (status !== 'charged' || order === null) return []
    const { clearance, card, amountYen } = order
    if (!isChargeable(card, clearance.by)) return [`order ${orderCode} was charged though its issuer refused it`]
    if (clearance.by === 'exemption') return []
    return clearance.authentication.authenticationValue === proofOf(orderCode, amountYen, card)
      ? []
      : [`order ${orderCode} was charged on the authentication of another`]
  })

const MEANS: Readonly<Record<Told['word'], readonly string[]>> = {
  paid: ['paid', 'refunded'],
  cancelled: ['cancelled'],
  expired: ['expired', 'failed'],
  failed: [],
  'nothing charged': [],
  confirming: [],
}

const everyShopperWasToldTheTruth: Check = ({ told, checkouts, books }) => {
  const statusOf = new Map(checkouts.map((row) => [text(row, 'id'), text(row, 'status')]))
  return told.flatMap(({ checkoutId, word, orderCode }) => {
    const status = statusOf.get(checkoutId) ?? 'gone'
    const isDenied = word === 'failed' || word === 'nothing charged'
    if (isDenied && orderCode !== null && books.get(orderCode)?.status === 'charged')
      return [`a shopper was told of ${orderCode}: ${word}, and it was charged`]
    return MEANS[word].length === 0 || MEANS[word].includes(status)
      ? []
      : [`a shopper was told ${word}, and checkout ${checkoutId} is ${status}`]
  })
}

const OVER = ['charged', 'declined', 'void', 'abandoned', 'refused']

const noCardIsKept: Check = ({ attempts, unwiped }) =>
  attempts
    .filter((row) => OVER.includes(text(row, 'state')) && unwiped.has(text(row, 'order_code')))
    .map((row) => `the card of an attempt that is ${text(row, 'state')} was not forgotten`)

const LONG_DOUBT = /in doubt for ten minutes and more$/

const nothingElseWentWrong: Check = ({ alarms }) =>
  alarms.filter((alarm) => !LONG_DOUBT.test(alarm)).map((alarm) => `the server called for help: ${alarm}`)

const CHECKS: readonly Check[] = [
  nothingIsInDoubt,
  everyCheckoutIsChargedOnce,
  everyYenIsAccountedFor,
  everyLetterIsPosted,
  everyChargeWasCleared,
  everyShopperWasToldTheTruth,
  noCardIsKept,
  nothingElseWentWrong,
]

/** What the server's own reconciliation makes of it: it must agree with every charge, and leave nothing open. */
const unreconciled = async ({ sql, books }: Evidence): Promise<string[]> => {
  const named: string[] = []
  const said = await reconcile(sql, openBooks(books), (found) => named.push(`a break: ${JSON.stringify(found)}`))
  if (said.outcome === 'unknown') return [...named, 'the books could not be compared']
  const charges = [...books.values()].filter(({ status }) => status === 'charged').length
  if (said.inDoubt > 0) named.push(`${said.inDoubt} movements of money are in doubt for ever`)
  if (said.breaks === 0 && said.charges !== charges) named.push(`${said.charges} of ${charges} charges agree`)
  return named
}

const SUBJECT = 'attempt '

export const brokenPromises = async (evidence: Evidence): Promise<string[]> => {
  const { sql } = evidence
  const changes = await sql.rows(
    `SELECT subject FROM changes WHERE moved_to = 'unknown'
     UNION
     SELECT ended.subject FROM changes AS ended
       JOIN changes AS claimed ON claimed.subject = ended.subject AND claimed.moved_to = 'charging'
     WHERE ended.moved_to IN ('declined', 'void') AND ended.at - claimed.at > $1`,
    ANSWERED_AT_ONCE_MS,
  )
  const facts: Facts = {
    ...evidence,
    checkouts: await sql.rows('SELECT * FROM checkouts'),
    attempts: await sql.rows('SELECT * FROM attempts'),
    refunds: await sql.rows('SELECT * FROM refunds'),
    lines: await sql.rows('SELECT * FROM ledger_lines'),
    letters: await sql.rows('SELECT * FROM outbox'),
    doubted: new Set(changes.map((row) => text(row, 'subject').slice(SUBJECT.length))),
  }
  return [...CHECKS.flatMap((check) => check(facts)), ...(await unreconciled(evidence))]
}

/** How each checkout ended. */
export const endingsOf = async ({ sql, books, told }: Evidence): Promise<Ending[]> => {
  const attempts = await sql.rows('SELECT order_code, checkout_id FROM attempts')
  return (await sql.rows('SELECT id, status FROM checkouts')).map((checkout) => {
    const checkoutId = text(checkout, 'id')
    const last = new Map(told.filter((each) => each.checkoutId === checkoutId).map(({ tab, word }) => [tab, word]))
    const charges = chargesOf({ attempts, books }, checkout).length
    return { checkoutId, status: text(checkout, 'status'), charges, lastWords: [...last.values()] }
  })
}
