/** Gateway under test: an acquirer, adapters to it behind fault lines, and our own row of an order, as the contract's tests use them. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { jstMoment, type Instant } from '#contract/jst.ts'
import type { Clearance } from '#payment/authentication-verdict.ts'
import type { Card, ChargeOrder, ChargeOutcome, Gateway, SentOrder } from '#payment/ports.ts'
import { systemClock, systemRandom } from '../../server/dependencies.ts'
import { cardWithNumber } from '../harness/cards.ts'
import { openFaultLine, type Exchange, type Fault, type FaultLine, type MatchesCall } from './fault-line.ts'

/** One request of a charge or of a refund. */
export interface Step {
  readonly name: string
  readonly matches: MatchesCall
  readonly movesMoney?: true
}

/** Clauses that not every acquirer keeps. Where one is not kept, the text says why, and the test asserts what guards us instead. */
export interface KeptClauses {
  /** A refund that was refused stays refused under its id, whatever amount is asked for. */
  readonly 'a refused refund stays refused under its id': true | string
  readonly 'a statement comes in ascending order': true | string
  /** Without a reference the acquirer itself says whether it has the order. */
  readonly 'an inquiry by our own order code': true | string
  /** A fence without a reference closes the order code at the acquirer: a charge that begins afterwards is refused there. */
  readonly 'a fence by our own order code': true | string
  readonly 'readiness is asked for': true | string
  readonly 'disputes are asked for at the acquirer': true | string
}

/** What card holders and issuers do. */
export interface DisputeControl {
  /** Disputes a charged order: the money is taken. Answers the acquirer's id of the dispute. */
  open(order: { readonly orderCode: string; readonly reference: string }): Promise<string>
  end(disputeId: string, as: 'won' | 'lost'): Promise<void>
}

/** The acquirer's own record of an order. Nothing charged: it may not know the order at all. */
export interface OrderAtAcquirer {
  readonly chargedYen: number
  readonly refundedYen: number
}

export interface AcquirerUnderTest {
  /** Scheme, host and port. */
  readonly origin: string
  /** Told of every request and the acquirer's own answer, before a fault changes it. */
  onExchange?(exchange: Exchange): void
  /** A new adapter, with nothing in its memory, that takes this origin for the acquirer's. */
  openGateway(origin: string, timeoutMs: number): Gateway
  readonly cards: {
    readonly charged: TestCard
    readonly declined: TestCard
    /** Not decided at once; charged in the end, by itself or when `end` is called. A text: why there is none. */
    readonly pending: { readonly card: TestCard; end?(): Promise<void> } | string
  }
  /** What it takes, within what our checkouts take. */
  readonly limits: { readonly minYen: number; readonly maxYen: number }
  readonly chargeSteps: readonly Step[]
  readonly refundSteps: readonly Step[]
  readonly keeps: KeptClauses
  /** Read without the adapter, so that a wrong answer of the adapter cannot hide. */
  orderAtAcquirer(orderCode: string): Promise<OrderAtAcquirer>
  /** Sends what the acquirer tells by itself: notifications. */
  notify?(): Promise<void>
  /** Closes the period of a settlement report. Answers until when a statement is complete then. */
  settle?(): Promise<Instant>
  /** A text: why nothing can be disputed. */
  readonly disputes: DisputeControl | string
  /** Its clock passes the life of its idempotency keys. Answers how long that is. A text: why it cannot be tried. */
  readonly forgetKeys: (() => Promise<number>) | string
  stop(): Promise<void>
}

export const stepThatMovesMoney = ({ chargeSteps }: AcquirerUnderTest): Step =>
  chargeSteps.find(({ movesMoney }) => movesMoney) ?? assert.fail('no step of a charge moves money')

export type OpenAcquirer = () => Promise<AcquirerUnderTest>

export const AMOUNT_YEN = 1980

const CLEARANCE: Clearance = {
  by: 'authentication',
  authentication: {
    transStatus: 'Y',
    eci: '05',
    authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
    dsTransId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
    messageVersion: '2.2.0',
  },
}

/** An acquirer may refuse a card that expires in the far future. */
const YEARS_AHEAD = 3

/** A test card of the acquirer: its number, or the whole card where its test environment looks at more than that. */
export type TestCard = string | Card

const cardOf = (card: TestCard): Card =>
  typeof card === 'string'
    ? { ...cardWithNumber(card), expiryYear: jstMoment(systemClock.now()).year + YEARS_AHEAD }
    : card

export const orderWithCard = (card: TestCard, amountYen = AMOUNT_YEN): ChargeOrder => ({
  orderCode: systemRandom.id(),
  amountYen,
  card: cardOf(card),
  cvc: '737',
  clearance: CLEARANCE,
})

/** Longer than any answer takes, so that only a fault makes an outcome unknown. */
const PATIENT_MS = 20_000
/** Time limits for a fault that ends with one. A busy machine may need a longer one to reach the step with the fault. */
const SHORT_MS = [300, 1000, 3000, 9000]

export interface Connection {
  readonly gateway: Gateway
  readonly faults: FaultLine
}

export const connect = async (
  t: TestContext,
  acquirer: AcquirerUnderTest,
  timeoutMs = PATIENT_MS,
): Promise<Connection> => {
  const faults = await openFaultLine(acquirer.origin, acquirer.onExchange)
  t.after(() => faults.close())
  return { gateway: acquirer.openGateway(faults.origin, timeoutMs), faults }
}

export interface SentCharge {
  readonly outcome: ChargeOutcome
  /** As our row holds it when the charge is over. */
  readonly sent: SentOrder
}

/** What an inquiry is asked with. */
export const sentOrder = ({ orderCode, amountYen }: ChargeOrder, reference: string | null): SentOrder => ({
  orderCode,
  amountYen,
  reference,
  startedAt: systemClock.now(),
})

/** Charges as `pay` does: the reference goes into our row while the process lives. */
export const charge = async ({ gateway, faults }: Connection, order: ChargeOrder): Promise<SentCharge> => {
  let reference: string | null = null
  const outcome = await gateway.charge(order, async (given) => {
    if (faults.isCrashed()) return false
    reference = given
    return true
  })
  return { outcome, sent: sentOrder(order, reference) }
}

/** A new order that was charged. */
export const chargeNewOrder = async (
  connection: Connection,
  { cards }: AcquirerUnderTest,
  amountYen = AMOUNT_YEN,
): Promise<SentOrder & { readonly reference: string }> => {
  const { outcome, sent } = await charge(connection, orderWithCard(cards.charged, amountYen))
  assert.partialDeepStrictEqual(outcome, { outcome: 'charged', amountYen })
  const { reference } = sent
  if (reference === null) assert.fail('charged without a reference')
  return { ...sent, reference }
}

interface Faulty<Result> {
  readonly faults: FaultLine
  readonly result: Result
}

/** Runs something over a new connection with this fault in it. */
export const withFault = async <Result>(
  t: TestContext,
  acquirer: AcquirerUnderTest,
  step: Step,
  fault: Fault,
  run: (connection: Connection) => Promise<Result>,
): Promise<Faulty<Result>> => {
  for (const timeoutMs of fault === 'delayed' ? SHORT_MS : [PATIENT_MS]) {
    const connection = await connect(t, acquirer, timeoutMs)
    connection.faults.meetNext(step.matches, fault)
    const result = await run(connection)
    // A request that the adapter no longer waits for may be on its way: now it meets its fault, or is lost before the next try.
    if (!connection.faults.isMet()) await connection.faults.close()
    if (connection.faults.isMet()) return { faults: connection.faults, result }
  }
  return assert.fail(`the step "${step.name}" was never reached`)
}
