/** Checks of a simulated run: compares its record with every promise. */
import { groupByCheckout, type AcquirerOrder, type RecordsToCompare } from '../promises/checkout-records.ts'
import { readStoredRecords } from '../promises/stored-records.ts'
import { brokenPromises } from '../promises/promises.ts'
import { reconciliationFaults } from '../promises/reconciliation.ts'
import { gatewayForReconciliation, type SimulatedOrder } from './acquirer.ts'
import { figureFaultsOf } from './figures.ts'
import type { CheckoutOutcome, RunRecord } from './run-record.ts'
import type { ShownMessage } from './shopper.ts'
import { authenticationValueFor, isChargeable } from './three-ds.ts'

/** Run to check: the records that every proof compares, and what only a simulation can see. */
interface RunToCheck extends RecordsToCompare {
  readonly run: RunRecord
}

/** One check of a settled run. Each sentence is a promise that was broken. */
type RunCheck = (checked: RunToCheck) => readonly string[]

const STATUS_AT_ACQUIRER: Readonly<Record<SimulatedOrder['status'], AcquirerOrder['status']>> = {
  charged: 'charged',
  declined: 'declined',
  fenced: 'void',
}

const toAcquirerOrder = ({ orderCode, status, amountYen, transactionId, refunds }: SimulatedOrder): AcquirerOrder => ({
  orderCode,
  status: STATUS_AT_ACQUIRER[status],
  amountYen,
  transactionId,
  refunds: [...refunds].map(([refundId, refund]) => ({ refundId, amountYen: refund.amountYen })),
})

const noRefundBeyondTheChargeIsRequested: RunCheck = ({ run }) =>
  run.excessRefunds.map((refund) => `more was asked back than was paid: ${refund}`)

const everyChargeHadItsClearance: RunCheck = ({ run }) =>
  [...run.ordersAtAcquirer.values()].flatMap(({ orderCode, status, order }) => {
    if (status !== 'charged' || order === null) return []
    const { clearance, card, amountYen } = order
    if (!isChargeable(card, clearance.by)) return [`order ${orderCode} was charged though its issuer refused it`]
    if (clearance.by === 'exemption') return []
    return clearance.authentication.authenticationValue === authenticationValueFor(orderCode, amountYen, card)
      ? []
      : [`order ${orderCode} was charged on the authentication of another`]
  })

const STATUSES_BEHIND_MESSAGE: Readonly<Record<ShownMessage['message'], readonly string[]>> = {
  paid: ['paid', 'refunded'],
  cancelled: ['cancelled'],
  expired: ['expired', 'failed'],
  failed: [],
  'nothing charged': [],
  confirming: [],
}

const messagesShownAreTrue: RunCheck = ({ stored, run: { messagesShown, ordersAtAcquirer } }) => {
  const statusOf = new Map(stored.checkouts.map(({ id, status }) => [id, status]))
  return messagesShown.flatMap(({ checkoutId, message, orderCode }) => {
    const status = statusOf.get(checkoutId) ?? 'gone'
    const deniesCharge = message === 'failed' || message === 'nothing charged'
    if (deniesCharge && orderCode !== null && ordersAtAcquirer.get(orderCode)?.status === 'charged')
      return [`a shopper was told of ${orderCode}: ${message}, and it was charged`]
    return STATUSES_BEHIND_MESSAGE[message].length === 0 || STATUSES_BEHIND_MESSAGE[message].includes(status)
      ? []
      : [`a shopper was told ${message}, and checkout ${checkoutId} is ${status}`]
  })
}

const ENDED_STATES = ['charged', 'declined', 'void', 'abandoned', 'refused']

const cardsOfEndedAttemptsAreWiped: RunCheck = ({ stored, run }) =>
  stored.attempts
    .filter(({ state, orderCode }) => ENDED_STATES.includes(state) && run.holdWatch.unwipedOrderCodes.has(orderCode))
    .map(({ state }) => `the card of an attempt that is ${state} was not forgotten`)

const noAttemptBeganWithoutItsCard: RunCheck = ({ stored, run }) =>
  stored.attempts
    .filter(({ orderCode }) => run.holdWatch.refusedOrderCodes.has(orderCode))
    .map(({ state }) => `an attempt whose card could not be held is ${state}`)

const LONG_DOUBT = /in doubt for ten minutes and more$/

const noOtherAlarmWasRaised: RunCheck = ({ run }) =>
  run.alarms.filter((alarm) => !LONG_DOUBT.test(alarm)).map((alarm) => `the server called for help: ${alarm}`)

const CHECKS: readonly RunCheck[] = [
  (checked) => brokenPromises(checked).map(({ description }) => description),
  noRefundBeyondTheChargeIsRequested,
  everyChargeHadItsClearance,
  messagesShownAreTrue,
  cardsOfEndedAttemptsAreWiped,
  noAttemptBeganWithoutItsCard,
  ({ run }) => run.holdWatch.faults,
  ({ run }) => run.home.faults,
  noOtherAlarmWasRaised,
]

/** How each checkout ended. */
const outcomesOf = (checked: RunToCheck): CheckoutOutcome[] => {
  const messagesOf = Map.groupBy(checked.run.messagesShown, ({ checkoutId }) => checkoutId)
  return groupByCheckout(checked).checkouts.map(({ checkout: { id, status }, charges }) => {
    const lastMessages = new Map((messagesOf.get(id) ?? []).map(({ tab, message }) => [tab, message]))
    return { checkoutId: id, status, charges: charges.length, lastMessages: [...lastMessages.values()] }
  })
}

/** Checks the record of a run against every promise. */
export const checkRun = async (run: RunRecord) => {
  const { sql } = run
  const acquirerOrders = [...run.ordersAtAcquirer.values()].map(toAcquirerOrder)
  const { daysSummed, faults } = await figureFaultsOf(sql)
  const checked: RunToCheck = { stored: await readStoredRecords(sql), acquirerOrders, run }
  return {
    brokenPromises: [
      ...CHECKS.flatMap((check) => check(checked)),
      ...(await reconciliationFaults(sql, gatewayForReconciliation(run.ordersAtAcquirer), acquirerOrders)),
      ...faults,
    ],
    daysSummed,
    outcomes: outcomesOf(checked),
  }
}
