import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageCheckout, Started } from '../answers.ts'
import type { ProviderMessage } from '../three-ds/messages.ts'
import { confirmingPauseMs, firstFlow, isUnderWay, next, START, type Flow, type FlowEvent } from './flow.ts'

const CANCEL_URL = 'https://shop.example/cancelled'
const REDIRECT_URL = 'https://shop.example/thanks'

const checkout = (status: string, paymentPending = false, links: PageCheckout['links'] = {}): PageCheckout => ({
  id: 'c',
  status,
  amount: 1980,
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: ['visa'],
  links,
  merchant: { setting: { colorCode: '#29abe9', fontType: 'sans-serif' } },
  receipt: { shopName: 'Shop', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' },
  paymentPending,
})

const LINKS = { cancelUrl: CANCEL_URL, redirectUrl: REDIRECT_URL }
const OPEN = checkout('open', false, LINKS)
const PENDING = checkout('open', true, LINKS)
const PAID = checkout('paid', false, LINKS)
const CANCELLED = checkout('cancelled', false, LINKS)
const OTHER = checkout('held_by_a_later_release', true, LINKS)

type NameOf<State extends Flow> = State extends { at: 'init_start' }
  ? `init_start, ${State['notice']}`
  : State extends { at: 'reading' }
    ? `reading after ${State['after']}`
    : State['at']
type StateName = NameOf<Flow>

const FRAMES = { collectUrl: 'https://3ds.example/collect', monitoringUrl: 'https://3ds.example/watch' }
const FRAMED = { challengeUrl: 'https://3ds.example/challenge', monitoringUrl: 'https://demo.example/monitor' }
const exempt = (orderCode: string): Started => ({ threeDSRequired: false, orderCode })
const required = (orderCode: string): Started => ({ threeDSRequired: true, orderCode, ...FRAMES })
const message = (event: ProviderMessage['event'], orderCode: string): FlowEvent => ({
  event: 'message',
  message: { event, orderCode },
})

/** One of each: a new state, a new notice or a new call to read after does not compile until it has its row below. */
const states: Record<StateName, Flow> = {
  'init_start, none': START,
  'init_start, nothing charged': { at: 'init_start', notice: 'nothing charged' },
  'init_start, not authenticated': { at: 'init_start', notice: 'not authenticated' },
  starting: { at: 'starting' },
  collecting: { at: 'collecting', orderCode: 'order', ...FRAMES },
  auth_start: { at: 'auth_start', orderCode: 'order' },
  challenge: { at: 'challenge', orderCode: 'order', ...FRAMED },
  collect_error: { at: 'collect_error', orderCode: 'order' },
  challenge_error: { at: 'challenge_error', orderCode: 'order' },
  pay_start: { at: 'pay_start', orderCode: 'order' },
  cancelling: { at: 'cancelling' },
  'reading after start': { at: 'reading', after: 'start' },
  'reading after authenticate': { at: 'reading', after: 'authenticate' },
  'reading after report': { at: 'reading', after: 'report' },
  'reading after pay': { at: 'reading', after: 'pay' },
  'reading after cancel': { at: 'reading', after: 'cancel' },
  failed: { at: 'failed' },
  confirming: { at: 'confirming' },
  settled: { at: 'settled', checkout: PAID, leaveTo: null },
}

type EventName =
  | Exclude<FlowEvent['event'], 'started' | 'message' | 'authenticated' | 'result ready' | 'reported' | 'answered'>
  | 'started, exempt'
  | 'started, authentication required'
  | `message ${ProviderMessage['event']}`
  | `message ${ProviderMessage['event']} about another order`
  | 'authenticated without a challenge'
  | 'authenticated, challenge'
  | 'result ready'
  | 'result of another order ready'
  | 'reported'
  | 'reported while a payment is pending'
  | 'answered open'
  | 'answered open and pending'
  | 'answered paid'
  | 'answered cancelled'
  | 'answered with an unknown status'

const eventsOf = (orderCode: string): Record<EventName, FlowEvent> => ({
  submit: { event: 'submit' },
  cancel: { event: 'cancel' },
  'started, exempt': { event: 'started', answer: exempt(orderCode) },
  'started, authentication required': { event: 'started', answer: required(orderCode) },
  'message 3DS_DO_AUTH': message('3DS_DO_AUTH', orderCode),
  'message 3DS_AUTH_RESULT_READY': message('3DS_AUTH_RESULT_READY', orderCode),
  'message other': message('other', orderCode),
  'message 3DS_DO_AUTH about another order': message('3DS_DO_AUTH', 'another'),
  'message 3DS_AUTH_RESULT_READY about another order': message('3DS_AUTH_RESULT_READY', 'another'),
  'message other about another order': message('other', 'another'),
  'collect time over': { event: 'collect time over' },
  'authenticated without a challenge': { event: 'authenticated', answer: { threeDSType: 'frictionless' } },
  'authenticated, challenge': { event: 'authenticated', answer: { threeDSType: 'challenge', ...FRAMED } },
  'result ready': { event: 'result ready', orderCode },
  'result of another order ready': { event: 'result ready', orderCode: 'another' },
  'given up': { event: 'given up' },
  reported: { event: 'reported', paymentPending: false },
  'reported while a payment is pending': { event: 'reported', paymentPending: true },
  failed: { event: 'failed' },
  'answered open': { event: 'answered', checkout: OPEN },
  'answered open and pending': { event: 'answered', checkout: PENDING },
  'answered paid': { event: 'answered', checkout: PAID },
  'answered cancelled': { event: 'answered', checkout: CANCELLED },
  'answered with an unknown status': { event: 'answered', checkout: OTHER },
  unreadable: { event: 'unreadable' },
  pending: { event: 'pending' },
  closed: { event: 'closed' },
})
const events = eventsOf('order')

type Outcome =
  | 'stays'
  | Exclude<StateName, 'settled'>
  | 'to the shop'
  | 'back to the shop'
  | 'to the error page'
  | 'stays with the page'

const outcomes: Record<Exclude<Outcome, 'stays'>, Flow> = {
  ...states,
  'to the shop': { at: 'settled', checkout: PAID, leaveTo: REDIRECT_URL },
  'back to the shop': { at: 'settled', checkout: CANCELLED, leaveTo: CANCEL_URL },
  'to the error page': { at: 'settled', checkout: CANCELLED, leaveTo: null },
  'stays with the page': { at: 'settled', checkout: OTHER, leaveTo: null },
}

const nothingMoves: Record<EventName, Outcome> = {
  submit: 'stays',
  cancel: 'stays',
  'started, exempt': 'stays',
  'started, authentication required': 'stays',
  'message 3DS_DO_AUTH': 'stays',
  'message 3DS_AUTH_RESULT_READY': 'stays',
  'message other': 'stays',
  'message 3DS_DO_AUTH about another order': 'stays',
  'message 3DS_AUTH_RESULT_READY about another order': 'stays',
  'message other about another order': 'stays',
  'collect time over': 'stays',
  'authenticated without a challenge': 'stays',
  'authenticated, challenge': 'stays',
  'result ready': 'stays',
  'result of another order ready': 'stays',
  'given up': 'stays',
  reported: 'stays',
  'reported while a payment is pending': 'stays',
  failed: 'stays',
  'answered open': 'stays',
  'answered open and pending': 'stays',
  'answered paid': 'stays',
  'answered cancelled': 'stays',
  'answered with an unknown status': 'stays',
  unreadable: 'stays',
  pending: 'stays',
  closed: 'stays',
}

const anAnswerDecides = {
  'answered open and pending': 'confirming',
  'answered paid': 'to the shop',
  'answered cancelled': 'to the error page',
  'answered with an unknown status': 'stays with the page',
} as const satisfies Partial<Record<EventName, Outcome>>

const theForm = {
  ...nothingMoves,
  ...anAnswerDecides,
  submit: 'starting',
  cancel: 'cancelling',
  pending: 'confirming',
} as const satisfies Record<EventName, Outcome>

const aReport = {
  ...nothingMoves,
  reported: 'init_start, not authenticated',
  'reported while a payment is pending': 'confirming',
  failed: 'reading after report',
} as const satisfies Record<EventName, Outcome>

const aReading = {
  ...nothingMoves,
  ...anAnswerDecides,
  'answered open': 'failed',
  unreadable: 'failed',
} as const satisfies Record<EventName, Outcome>

/** Specification, section 4, and the rule that the page reads the checkout before it says that a payment failed. */
const table: Record<StateName, Record<EventName, Outcome>> = {
  'init_start, none': theForm,
  'init_start, nothing charged': theForm,
  'init_start, not authenticated': theForm,
  starting: {
    ...nothingMoves,
    'started, exempt': 'pay_start',
    'started, authentication required': 'collecting',
    failed: 'reading after start',
  },
  collecting: {
    ...nothingMoves,
    'message 3DS_DO_AUTH': 'auth_start',
    'message 3DS_AUTH_RESULT_READY': 'collect_error',
    'message other': 'collect_error',
    'collect time over': 'auth_start',
  },
  auth_start: {
    ...nothingMoves,
    'authenticated without a challenge': 'pay_start',
    'authenticated, challenge': 'challenge',
    failed: 'reading after authenticate',
  },
  challenge: {
    ...nothingMoves,
    'message 3DS_DO_AUTH': 'challenge_error',
    'message 3DS_AUTH_RESULT_READY': 'pay_start',
    'message other': 'challenge_error',
    'result ready': 'pay_start',
    'given up': 'challenge_error',
  },
  collect_error: aReport,
  challenge_error: aReport,
  pay_start: { ...nothingMoves, ...anAnswerDecides, 'answered open': 'failed', failed: 'reading after pay' },
  cancelling: {
    ...nothingMoves,
    ...anAnswerDecides,
    'answered cancelled': 'back to the shop',
    'answered open': 'failed',
    failed: 'reading after cancel',
  },
  'reading after start': aReading,
  'reading after authenticate': aReading,
  'reading after report': aReading,
  'reading after pay': { ...aReading, unreadable: 'confirming' },
  'reading after cancel': { ...aReading, 'answered cancelled': 'back to the shop' },
  failed: { ...nothingMoves, closed: 'init_start, none', pending: 'confirming' },
  confirming: { ...nothingMoves, ...anAnswerDecides, 'answered open': 'init_start, nothing charged' },
  settled: nothingMoves,
}

const isState = (name: string): name is StateName => name in states
const isEvent = (name: string): name is EventName => name in events

test('every event in every state leads where the table says', () => {
  for (const state of Object.keys(states).filter(isState)) {
    for (const event of Object.keys(events).filter(isEvent)) {
      const outcome = table[state][event]
      const after = next(states[state], events[event])
      // The very same object: a new one would make the page send the state's call once more.
      if (outcome === 'stays') assert.equal(after, states[state], `${state} × ${event}`)
      else assert.deepEqual(after, outcomes[outcome], `${state} × ${event}`)
    }
  }
})

test('only a payment leads to the shop and only a cancel back to it', () => {
  for (const status of ['refunded', 'failed', 'expired', 'cancelled', 'paid', '']) {
    const answer = checkout(status, false, LINKS)
    const paidTo = status === 'paid' ? REDIRECT_URL : null
    const cancelledTo = status === 'cancelled' ? CANCEL_URL : paidTo
    const event: FlowEvent = { event: 'answered', checkout: answer }
    assert.deepEqual(next(states.pay_start, event), { at: 'settled', checkout: answer, leaveTo: paidTo })
    assert.deepEqual(next(states.cancelling, event), { at: 'settled', checkout: answer, leaveTo: cancelledTo })
    const without: FlowEvent = { event: 'answered', checkout: checkout(status) }
    assert.deepEqual(next(states.pay_start, without), { at: 'settled', checkout: checkout(status), leaveTo: null })
  }
})

test('a link opened while its payment is in doubt shows that it is being confirmed, else the form', () => {
  assert.deepEqual(firstFlow(PENDING), { at: 'confirming' })
  assert.equal(firstFlow(OPEN), START)
})

/** Which states can follow which; a state that is not named cannot. */
const follows: Record<Flow['at'], readonly Flow['at'][]> = {
  init_start: ['starting', 'cancelling', 'confirming', 'settled'],
  starting: ['collecting', 'pay_start', 'reading'],
  collecting: ['auth_start', 'collect_error'],
  auth_start: ['challenge', 'pay_start', 'reading'],
  challenge: ['pay_start', 'challenge_error'],
  collect_error: ['init_start', 'reading', 'confirming'],
  challenge_error: ['init_start', 'reading', 'confirming'],
  pay_start: ['settled', 'confirming', 'failed', 'reading'],
  cancelling: ['settled', 'confirming', 'failed', 'reading'],
  reading: ['settled', 'confirming', 'failed'],
  failed: ['init_start', 'confirming'],
  confirming: ['settled', 'init_start'],
  settled: [],
}

/** What a shopper's visit has seen so far; the storm keeps it beside the flow. */
interface Visit {
  flow: Flow
  /** A pay call has gone out and nothing has yet said that the checkout is open with no charge under way. */
  mayBeCharged: boolean
  /** Every call that was sent: entering a state that owns one sends it. */
  readonly sent: Set<string>
  /** Orders that may be charged: exempt, authenticated without a challenge, or with a result that was announced. */
  readonly payable: Set<string>
  starts: number
}

const saysNothingCharged = (event: FlowEvent): boolean =>
  event.event === 'answered' && event.checkout.status === 'open' && !event.checkout.paymentPending

const orderOf = (flow: Flow): string => ('orderCode' in flow ? flow.orderCode : '')

/** What makes an order payable, told from the outside and not from the flow's own rules. */
const paidFor = (flow: Flow, event: FlowEvent): string | undefined => {
  if (flow.at === 'starting' && event.event === 'started' && !event.answer.threeDSRequired)
    return event.answer.orderCode
  if (flow.at === 'auth_start' && event.event === 'authenticated') {
    return event.answer.threeDSType === 'challenge' ? undefined : flow.orderCode
  }
  if (flow.at !== 'challenge') return undefined
  if (event.event === 'result ready') return event.orderCode
  return event.event === 'message' && event.message.event === '3DS_AUTH_RESULT_READY'
    ? event.message.orderCode
    : undefined
}

const ONCE_PER_ORDER: readonly Flow['at'][] = ['auth_start', 'collect_error', 'challenge_error', 'pay_start']

const step = (visit: Visit, event: FlowEvent): void => {
  const { flow: before } = visit
  const after = next(before, event)
  const payable = paidFor(before, event)
  if (payable !== undefined) visit.payable.add(payable)
  visit.flow = after
  visit.mayBeCharged = after.at === 'pay_start' || (visit.mayBeCharged && !saysNothingCharged(event))
  if (after === before) return

  assert.ok(follows[before.at].includes(after.at), `${before.at} was followed by ${after.at}`)
  if (ONCE_PER_ORDER.includes(after.at)) {
    const call = `${after.at} of ${orderOf(after)}`
    assert.ok(!visit.sent.has(call), `sent twice: ${call}`)
    visit.sent.add(call)
  }
  if (after.at === 'pay_start') assert.ok(visit.payable.has(after.orderCode), 'a charge that nothing allowed')
  if (orderOf(before) !== '' && orderOf(after) !== '') assert.equal(orderOf(after), orderOf(before))
  if (after.at === 'settled') {
    assert.ok(event.event === 'answered' && event.checkout.status !== 'open', 'settled without an answer that says so')
    assert.equal(after.checkout, event.checkout)
  }
  if (after.at === 'failed') assert.ok(!visit.mayBeCharged, 'called failed what may have been charged')
  if (after.at === 'init_start') assert.ok(!visit.mayBeCharged, 'the form came back while a charge may be under way')
}

/** Numbers from a seed, so that a storm that finds something can be sent again. */
const seeded = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const NAMES = Object.keys(events).filter(isEvent)
const MOVES: Readonly<Record<string, readonly EventName[]>> = Object.fromEntries(
  Object.keys(states)
    .filter(isState)
    .map((state) => [states[state].at, NAMES.filter((name) => table[state][name] !== 'stays')]),
)

/** What ends a visit comes seldom, else most storms would be over before they have reached a challenge. */
const LONGER: Partial<Record<EventName, EventName>> = {
  cancel: 'submit',
  'started, exempt': 'started, authentication required',
  'answered paid': 'answered open',
  'answered cancelled': 'answered open',
  'answered with an unknown status': 'answered open',
}

const STORMS = 100_000
const LONGEST_STORM = 40

test('no storm of events sends a call twice, charges what was not authenticated or calls an unread payment failed', () => {
  const reached = new Map<string, number>()
  for (let seed = 1; seed <= STORMS; seed += 1) {
    const draw = seeded(seed)
    const first = draw(8) === 0 ? PENDING : OPEN
    const visit: Visit = {
      flow: firstFlow(first),
      mayBeCharged: first.paymentPending,
      sent: new Set(),
      payable: new Set(),
      starts: 0,
    }
    const told: string[] = []
    try {
      for (let left = 1 + draw(LONGEST_STORM); left > 0; left -= 1) {
        // Half of the events belong to the state, so that the storm gets anywhere; the other half is anything at all.
        const fitting = MOVES[visit.flow.at] ?? []
        const names = draw(2) === 0 && fitting.length > 0 ? fitting : NAMES
        const drawn = names[draw(names.length)] ?? 'failed'
        const name = draw(6) === 0 ? drawn : (LONGER[drawn] ?? drawn)
        if (name.startsWith('started')) visit.starts += 1
        // Events speak of the order under way, or of one that this visit left behind.
        const orderCode = draw(4) === 0 ? `order ${draw(visit.starts + 1)}` : orderOf(visit.flow)
        told.push(`${visit.flow.at} ← ${name} (${orderCode})`)
        step(visit, eventsOf(name.startsWith('started') ? `order ${visit.starts}` : orderCode)[name])
        reached.set(visit.flow.at, (reached.get(visit.flow.at) ?? 0) + 1)
      }
    } catch (error) {
      throw new Error(`storm ${seed}:\n${told.join('\n')}`, { cause: error })
    }
  }
  for (const { at } of Object.values(states)) assert.ok((reached.get(at) ?? 0) > 1000, `the storm hardly reached ${at}`)
})

test('a payment in doubt is read every 2 seconds for a minute, then every 10', () => {
  assert.equal(confirmingPauseMs(0), 2000)
  assert.equal(confirmingPauseMs(59_999), 2000)
  assert.equal(confirmingPauseMs(60_000), 10_000)
  assert.equal(confirmingPauseMs(3_600_000), 10_000)
})

test('a payment is under way from the submit until the page has its outcome, or has left for the shop', () => {
  assert.equal(isUnderWay(START), false)
  for (const at of ['starting', 'cancelling', 'failed', 'confirming'] as const)
    assert.equal(isUnderWay({ at }), true, at)
  assert.equal(isUnderWay({ at: 'settled', checkout: PAID, leaveTo: null }), false)
  assert.equal(isUnderWay({ at: 'settled', checkout: PAID, leaveTo: REDIRECT_URL }), true)
})
