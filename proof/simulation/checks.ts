import { followTrails, type AcquirerOrder, type BothSides } from '../promises/both-sides.ts'
import { readFacts } from '../promises/facts.ts'
import { brokenPromises } from '../promises/promises.ts'
import { unreconciled } from '../promises/reconciled.ts'
import { openBooks, type BookedOrder } from './acquirer.ts'
import type { Ending, Evidence } from './evidence.ts'
import type { Told } from './shopper.ts'
import { isChargeable, proofOf } from './three-ds.ts'

/** What only a simulated world can tell of itself, beside what both sides have of the money. */
interface Judged extends BothSides {
  readonly evidence: Evidence
}

/** Whatever must hold when the dust has settled. Each sentence is a promise that was broken. */
type Check = (judged: Judged) => readonly string[]

const STATUS: Readonly<Record<BookedOrder['status'], AcquirerOrder['status']>> = {
  charged: 'charged',
  declined: 'declined',
  fenced: 'void',
}

const acquirerOrder = ({ orderCode, status, amountYen, transactionId, refunds }: BookedOrder): AcquirerOrder => ({
  orderCode,
  status: STATUS[status],
  amountYen,
  transactionId,
  refunds: [...refunds].map(([refundId, refund]) => ({ refundId, amountYen: refund.amountYen })),
})

const nothingIsOverdrawn: Check = ({ evidence }) =>
  evidence.overdrawn.map((refund) => `more was asked back than was paid: ${refund}`)

const everyChargeWasCleared: Check = ({ evidence }) =>
  [...evidence.books.values()].flatMap(({ orderCode, status, order }) => {
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

const everyShopperWasToldTheTruth: Check = ({ facts, evidence: { told, books } }) => {
  const statusOf = new Map(facts.checkouts.map(({ id, status }) => [id, status]))
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

const noCardIsKept: Check = ({ facts, evidence }) =>
  facts.attempts
    .filter(({ state, orderCode }) => OVER.includes(state) && evidence.unwiped.has(orderCode))
    .map(({ state }) => `the card of an attempt that is ${state} was not forgotten`)

const LONG_DOUBT = /in doubt for ten minutes and more$/

const nothingElseWentWrong: Check = ({ evidence }) =>
  evidence.alarms.filter((alarm) => !LONG_DOUBT.test(alarm)).map((alarm) => `the server called for help: ${alarm}`)

const CHECKS: readonly Check[] = [
  (judged) => brokenPromises(judged).map(({ line }) => line),
  nothingIsOverdrawn,
  everyChargeWasCleared,
  everyShopperWasToldTheTruth,
  noCardIsKept,
  nothingElseWentWrong,
]

/** How each checkout ended. */
const endingsOf = (judged: Judged): Ending[] => {
  const saidOf = Map.groupBy(judged.evidence.told, ({ checkoutId }) => checkoutId)
  return followTrails(judged).trails.map(({ checkout: { id, status }, charges }) => {
    const lastWords = new Map((saidOf.get(id) ?? []).map(({ tab, word }) => [tab, word]))
    return { checkoutId: id, status, charges: charges.length, lastWords: [...lastWords.values()] }
  })
}

export interface Verdict {
  readonly broken: readonly string[]
  readonly endings: readonly Ending[]
}

/** Holds what a world leaves behind against every promise. */
export const judgeWorld = async (evidence: Evidence): Promise<Verdict> => {
  const { sql } = evidence
  const books = [...evidence.books.values()].map(acquirerOrder)
  const judged: Judged = { facts: await readFacts(sql), books, evidence }
  return {
    broken: [
      ...CHECKS.flatMap((check) => check(judged)),
      ...(await unreconciled(sql, openBooks(evidence.books), books)),
    ],
    endings: endingsOf(judged),
  }
}
