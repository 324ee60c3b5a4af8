import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageCheckout } from '../parse-answers.ts'
import type { PageStartAnswer } from '../parse-payment-answers.ts'
import type { ProviderMessage } from '../three-ds/messages.ts'
import {
  confirmingIntervalMs,
  isConfirmingShown,
  INIT_START,
  initialFlow,
  isInProgress,
  nextFlow,
  type Flow,
  type FlowEvent,
} from './flow.ts'

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

type NameOf<State extends Flow> = State extends { state: 'init_start' | 'failed' }
  ? `${State['state']}, ${State['notice']}`
  : State extends { state: 'reading' }
    ? `reading after ${State['after']}`
    : State['state']
type StateName = NameOf<Flow>

const FRAMES = { collectUrl: 'https://3ds.example/collect', monitoringUrl: 'https://3ds.example/watch' }
const FRAMED = { challengeUrl: 'https://3ds.example/challenge', monitoringUrl: 'https://demo.example/monitor' }
const exempt = (orderCode: string): PageStartAnswer => ({ threeDSRequired: false, orderCode })
const required = (orderCode: string): PageStartAnswer => ({ threeDSRequired: true, orderCode, ...FRAMES })
const message = (event: ProviderMessage['event'], orderCode: string): FlowEvent => ({
  type: 'message',
  message: { event, orderCode },
})

/** One of each: a new state, a new notice or a new call to read after does not compile until it has its row below. */
const states: Record<StateName, Flow> = {
  'init_start, none': INIT_START,
  'init_start, nothing charged': { state: 'init_start', notice: 'nothing charged' },
  'init_start, not cancelled': { state: 'init_start', notice: 'not cancelled' },
  'init_start, cancel unconfirmed': { state: 'init_start', notice: 'cancel unconfirmed' },
  'init_start, not authenticated': { state: 'init_start', notice: 'not authenticated' },
  'init_start, card refused': { state: 'init_start', notice: 'card refused' },
  'init_start, not a test card': { state: 'init_start', notice: 'not a test card' },
  'init_start, too many attempts': { state: 'init_start', notice: 'too many attempts' },
  starting: { state: 'starting' },
  collecting: { state: 'collecting', orderCode: 'order', ...FRAMES },
  auth_start: { state: 'auth_start', orderCode: 'order' },
  challenge: { state: 'challenge', orderCode: 'order', ...FRAMED },
  collect_error: { state: 'collect_error', orderCode: 'order' },
  challenge_error: { state: 'challenge_error', orderCode: 'order' },
  pay_start: { state: 'pay_start', orderCode: 'order' },
  cancelling: { state: 'cancelling' },
  'reading after start': { state: 'reading', after: 'start', cause: 'other' },
  'reading after authenticate': { state: 'reading', after: 'authenticate', cause: 'other' },
  'reading after report': { state: 'reading', after: 'report', cause: 'other' },
  'reading after pay': { state: 'reading', after: 'pay', cause: 'other' },
  'reading after cancel': { state: 'reading', after: 'cancel', cause: 'other' },
  'failed, none': { state: 'failed', notice: 'none' },
  'failed, nothing charged': { state: 'failed', notice: 'nothing charged' },
  'failed, not cancelled': { state: 'failed', notice: 'not cancelled' },
  'failed, cancel unconfirmed': { state: 'failed', notice: 'cancel unconfirmed' },
  'failed, not authenticated': { state: 'failed', notice: 'not authenticated' },
  'failed, card refused': { state: 'failed', notice: 'card refused' },
  'failed, not a test card': { state: 'failed', notice: 'not a test card' },
  'failed, too many attempts': { state: 'failed', notice: 'too many attempts' },
  confirming: { state: 'confirming' },
  finished: { state: 'finished', checkout: PAID, leaveTo: REDIRECT_URL, shows: 'form' },
}

type EventName =
  | Exclude<
      FlowEvent['type'],
      'started' | 'message' | 'authenticated' | 'result ready' | 'error reported' | 'checkout received'
    >
  | 'started, exempt'
  | 'started, authentication required'
  | `message ${ProviderMessage['event']}`
  | `message ${ProviderMessage['event']} about another order`
  | 'authenticated without a challenge'
  | 'authenticated, challenge'
  | 'result ready'
  | 'result of another order ready'
  | 'error reported'
  | 'error reported while a payment is pending'
  | 'open checkout received'
  | 'open and pending checkout received'
  | 'paid checkout received'
  | 'cancelled checkout received'
  | 'checkout of unknown status received'

const eventsOf = (orderCode: string): Record<EventName, FlowEvent> => ({
  submit: { type: 'submit' },
  cancel: { type: 'cancel' },
  'started, exempt': { type: 'started', answer: exempt(orderCode) },
  'started, authentication required': { type: 'started', answer: required(orderCode) },
  'message 3DS_DO_AUTH': message('3DS_DO_AUTH', orderCode),
  'message 3DS_AUTH_RESULT_READY': message('3DS_AUTH_RESULT_READY', orderCode),
  'message other': message('other', orderCode),
  'message 3DS_DO_AUTH about another order': message('3DS_DO_AUTH', 'another'),
  'message 3DS_AUTH_RESULT_READY about another order': message('3DS_AUTH_RESULT_READY', 'another'),
  'message other about another order': message('other', 'another'),
  'collect timeout': { type: 'collect timeout' },
  'authenticated without a challenge': { type: 'authenticated', answer: { threeDSType: 'frictionless' } },
  'authenticated, challenge': { type: 'authenticated', answer: { threeDSType: 'challenge', ...FRAMED } },
  'result ready': { type: 'result ready', orderCode },
  'result of another order ready': { type: 'result ready', orderCode: 'another' },
  abandoned: { type: 'abandoned' },
  'error reported': { type: 'error reported', paymentPending: false },
  'error reported while a payment is pending': { type: 'error reported', paymentPending: true },
  'call failed': { type: 'call failed', cause: 'other' },
  'script failed': { type: 'script failed' },
  'open checkout received': { type: 'checkout received', checkout: OPEN },
  'open and pending checkout received': { type: 'checkout received', checkout: PENDING },
  'paid checkout received': { type: 'checkout received', checkout: PAID },
  'cancelled checkout received': { type: 'checkout received', checkout: CANCELLED },
  'checkout of unknown status received': { type: 'checkout received', checkout: OTHER },
  'read failed': { type: 'read failed' },
  'payment pending': { type: 'payment pending' },
  'dialog closed': { type: 'dialog closed' },
  'not left': { type: 'not left' },
})
const events = eventsOf('order')

type Outcome =
  | 'stays'
  | Exclude<StateName, 'finished'>
  | 'to the shop'
  | 'back to the shop'
  | 'to the receipt'
  | 'to the error page'
  | 'stays on the page'
  | 'to the shop, from the panel'
  | 'to the error page, from the panel'
  | 'stays on the page, from the panel'

const finishedWith = (shows: 'form' | 'confirming panel', of: PageCheckout, leaveTo: string | null): Flow => ({
  state: 'finished',
  checkout: of,
  leaveTo,
  shows,
})

const outcomes: Record<Exclude<Outcome, 'stays'>, Flow> = {
  ...states,
  'to the shop': finishedWith('form', PAID, REDIRECT_URL),
  'back to the shop': finishedWith('form', CANCELLED, CANCEL_URL),
  'to the receipt': finishedWith('form', PAID, null),
  'to the error page': finishedWith('form', CANCELLED, null),
  'stays on the page': finishedWith('form', OTHER, null),
  'to the shop, from the panel': finishedWith('confirming panel', PAID, REDIRECT_URL),
  'to the error page, from the panel': finishedWith('confirming panel', CANCELLED, null),
  'stays on the page, from the panel': finishedWith('confirming panel', OTHER, null),
}

const allIgnored: Record<EventName, Outcome> = {
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
  'collect timeout': 'stays',
  'authenticated without a challenge': 'stays',
  'authenticated, challenge': 'stays',
  'result ready': 'stays',
  'result of another order ready': 'stays',
  abandoned: 'stays',
  'error reported': 'stays',
  'error reported while a payment is pending': 'stays',
  'call failed': 'stays',
  'script failed': 'stays',
  'open checkout received': 'stays',
  'open and pending checkout received': 'stays',
  'paid checkout received': 'stays',
  'cancelled checkout received': 'stays',
  'checkout of unknown status received': 'stays',
  'read failed': 'stays',
  'payment pending': 'stays',
  'dialog closed': 'stays',
  'not left': 'stays',
}

const decidedByCheckout = {
  'open and pending checkout received': 'confirming',
  'paid checkout received': 'to the shop',
  'cancelled checkout received': 'to the error page',
  'checkout of unknown status received': 'stays on the page',
} as const satisfies Partial<Record<EventName, Outcome>>

const onForm = {
  ...allIgnored,
  ...decidedByCheckout,
  submit: 'starting',
  cancel: 'cancelling',
  'payment pending': 'confirming',
} as const satisfies Record<EventName, Outcome>

const onReport = {
  ...allIgnored,
  'error reported': 'init_start, not authenticated',
  'error reported while a payment is pending': 'confirming',
  'call failed': 'reading after report',
} as const satisfies Record<EventName, Outcome>

const onReading = {
  ...allIgnored,
  ...decidedByCheckout,
  'open checkout received': 'failed, nothing charged',
  'read failed': 'failed, none',
} as const satisfies Record<EventName, Outcome>

const onFailed = (afterOk: Outcome): Record<EventName, Outcome> => ({
  ...allIgnored,
  'dialog closed': afterOk,
  'payment pending': 'confirming',
})

/** Specification, section 4, and the rule that the page reads the checkout before it says that a payment failed. */
const table: Record<StateName, Record<EventName, Outcome>> = {
  'init_start, none': onForm,
  'init_start, nothing charged': onForm,
  'init_start, not cancelled': onForm,
  'init_start, cancel unconfirmed': onForm,
  'init_start, not authenticated': onForm,
  'init_start, card refused': onForm,
  'init_start, not a test card': onForm,
  'init_start, too many attempts': onForm,
  starting: {
    ...allIgnored,
    'started, exempt': 'pay_start',
    'started, authentication required': 'collecting',
    'call failed': 'reading after start',
    'script failed': 'init_start, nothing charged',
  },
  collecting: {
    ...allIgnored,
    'message 3DS_DO_AUTH': 'auth_start',
    'message 3DS_AUTH_RESULT_READY': 'collect_error',
    'message other': 'collect_error',
    'collect timeout': 'auth_start',
    abandoned: 'collect_error',
  },
  auth_start: {
    ...allIgnored,
    'authenticated without a challenge': 'pay_start',
    'authenticated, challenge': 'challenge',
    'call failed': 'reading after authenticate',
  },
  challenge: {
    ...allIgnored,
    'message 3DS_DO_AUTH': 'challenge_error',
    'message 3DS_AUTH_RESULT_READY': 'pay_start',
    'message other': 'challenge_error',
    'result ready': 'pay_start',
    abandoned: 'challenge_error',
  },
  collect_error: onReport,
  challenge_error: onReport,
  pay_start: {
    ...allIgnored,
    ...decidedByCheckout,
    'open checkout received': 'failed, nothing charged',
    'call failed': 'reading after pay',
  },
  cancelling: {
    ...allIgnored,
    ...decidedByCheckout,
    'cancelled checkout received': 'back to the shop',
    'open checkout received': 'failed, not cancelled',
    'call failed': 'reading after cancel',
    'script failed': 'init_start, not cancelled',
  },
  'reading after start': onReading,
  'reading after authenticate': onReading,
  'reading after report': onReading,
  'reading after pay': { ...onReading, 'read failed': 'confirming' },
  'reading after cancel': {
    ...onReading,
    'cancelled checkout received': 'back to the shop',
    'open checkout received': 'failed, not cancelled',
    'read failed': 'failed, cancel unconfirmed',
  },
  'failed, none': onFailed('init_start, none'),
  'failed, nothing charged': onFailed('init_start, nothing charged'),
  'failed, not cancelled': onFailed('init_start, not cancelled'),
  'failed, cancel unconfirmed': onFailed('init_start, cancel unconfirmed'),
  'failed, not authenticated': onFailed('init_start, not authenticated'),
  'failed, card refused': onFailed('init_start, card refused'),
  'failed, not a test card': onFailed('init_start, not a test card'),
  'failed, too many attempts': onFailed('init_start, too many attempts'),
  confirming: {
    ...allIgnored,
    'open and pending checkout received': 'confirming',
    'open checkout received': 'init_start, nothing charged',
    'paid checkout received': 'to the shop, from the panel',
    'cancelled checkout received': 'to the error page, from the panel',
    'checkout of unknown status received': 'stays on the page, from the panel',
  },
  finished: { ...allIgnored, 'not left': 'to the receipt' },
}

const isState = (name: string): name is StateName => name in states
const isEvent = (name: string): name is EventName => name in events

test('every event in every state leads where the table says', () => {
  for (const state of Object.keys(states).filter(isState)) {
    for (const event of Object.keys(events).filter(isEvent)) {
      const outcome = table[state][event]
      const after = nextFlow(states[state], events[event])
      // The very same object: a new one would make the page send the state's call once more.
      if (outcome === 'stays') assert.equal(after, states[state], `${state} × ${event}`)
      else assert.deepEqual(after, outcomes[outcome], `${state} × ${event}`)
    }
  }
})

test('only a payment redirects to the shop and only a cancel goes back to it', () => {
  for (const status of ['refunded', 'failed', 'expired', 'cancelled', 'paid', '']) {
    const answer = checkout(status, false, LINKS)
    const paidTo = status === 'paid' ? REDIRECT_URL : null
    const cancelledTo = status === 'cancelled' ? CANCEL_URL : paidTo
    const event: FlowEvent = { type: 'checkout received', checkout: answer }
    assert.deepEqual(nextFlow(states.pay_start, event), finishedWith('form', answer, paidTo))
    assert.deepEqual(nextFlow(states.cancelling, event), finishedWith('form', answer, cancelledTo))
    const without: FlowEvent = { type: 'checkout received', checkout: checkout(status) }
    assert.deepEqual(nextFlow(states.pay_start, without), finishedWith('form', checkout(status), null))
  }
})

test('a link opened while its payment is in doubt shows that it is being confirmed, else the form', () => {
  assert.deepEqual(initialFlow(PENDING), { state: 'confirming' })
  assert.equal(initialFlow(OPEN), INIT_START)
})

/** Which states can follow which; a state that is not named cannot. */
const follows: Record<Flow['state'], readonly Flow['state'][]> = {
  init_start: ['starting', 'cancelling', 'confirming', 'finished'],
  starting: ['collecting', 'pay_start', 'reading', 'init_start'],
  collecting: ['auth_start', 'collect_error'],
  auth_start: ['challenge', 'pay_start', 'reading'],
  challenge: ['pay_start', 'challenge_error'],
  collect_error: ['init_start', 'reading', 'confirming'],
  challenge_error: ['init_start', 'reading', 'confirming'],
  pay_start: ['finished', 'confirming', 'failed', 'reading'],
  cancelling: ['finished', 'confirming', 'failed', 'reading', 'init_start'],
  reading: ['finished', 'confirming', 'failed'],
  failed: ['init_start', 'confirming'],
  confirming: ['finished', 'init_start'],
  finished: ['finished'],
}

/** What a shopper's visit has seen so far; kept beside the flow. */
interface Visit {
  flow: Flow
  /** A pay call has gone out and no reading has yet shown the checkout open with no charge in progress. */
  mayBeCharged: boolean
  /** Every call that was sent: entering a state that owns one sends it. */
  readonly sent: Set<string>
  /** Orders that may be charged: exempt, authenticated without a challenge, or with a result that was announced. */
  readonly payable: Set<string>
  starts: number
}

const saysNothingCharged = (event: FlowEvent): boolean =>
  event.type === 'checkout received' && event.checkout.status === 'open' && !event.checkout.paymentPending

const orderOf = (flow: Flow): string => ('orderCode' in flow ? flow.orderCode : '')

/** What makes an order payable, decided from outside, not by the flow's own rules. */
const orderMadePayable = (flow: Flow, event: FlowEvent): string | undefined => {
  if (flow.state === 'starting' && event.type === 'started' && !event.answer.threeDSRequired)
    return event.answer.orderCode
  if (flow.state === 'auth_start' && event.type === 'authenticated') {
    return event.answer.threeDSType === 'challenge' ? undefined : flow.orderCode
  }
  if (flow.state !== 'challenge') return undefined
  if (event.type === 'result ready') return event.orderCode
  return event.type === 'message' && event.message.event === '3DS_AUTH_RESULT_READY'
    ? event.message.orderCode
    : undefined
}

const ONCE_PER_ORDER: readonly Flow['state'][] = ['auth_start', 'collect_error', 'challenge_error', 'pay_start']

const step = (visit: Visit, event: FlowEvent): void => {
  const { flow: before } = visit
  const after = nextFlow(before, event)
  const payable = orderMadePayable(before, event)
  if (payable !== undefined) visit.payable.add(payable)
  visit.flow = after
  visit.mayBeCharged = after.state === 'pay_start' || (visit.mayBeCharged && !saysNothingCharged(event))
  if (after === before) return

  assert.ok(follows[before.state].includes(after.state), `${before.state} was followed by ${after.state}`)
  if (ONCE_PER_ORDER.includes(after.state)) {
    const call = `${after.state} of ${orderOf(after)}`
    assert.ok(!visit.sent.has(call), `sent twice: ${call}`)
    visit.sent.add(call)
  }
  if (after.state === 'pay_start')
    assert.ok(visit.payable.has(after.orderCode), 'charged without authentication or exemption')
  if (orderOf(before) !== '' && orderOf(after) !== '') assert.equal(orderOf(after), orderOf(before))
  if (after.state === 'finished' && before.state === 'finished') {
    assert.deepEqual(after, { ...before, leaveTo: null }, 'the outcome changed after it was known')
  } else if (after.state === 'finished') {
    assert.equal(isConfirmingShown(after), isConfirmingShown(before), 'the form and the panel changed places')
    assert.ok(
      event.type === 'checkout received' && event.checkout.status !== 'open',
      'finished without an answer that says so',
    )
    assert.equal(after.checkout, event.checkout)
  }
  if (after.state === 'failed') assert.ok(!visit.mayBeCharged, 'called failed what may have been charged')
  if (after.state === 'init_start')
    assert.ok(!visit.mayBeCharged, 'the form came back while a charge may be in progress')
}

/** Numbers from a seed, so that a failing sequence can be run again. */
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
const EFFECTIVE_EVENTS: Readonly<Record<string, readonly EventName[]>> = Object.fromEntries(
  Object.keys(states)
    .filter(isState)
    .map((state) => [states[state].state, NAMES.filter((name) => table[state][name] !== 'stays')]),
)

/** Events that end a visit are drawn seldom; otherwise few sequences would reach a challenge. */
const INSTEAD_OF_ENDING: Partial<Record<EventName, EventName>> = {
  cancel: 'submit',
  'started, exempt': 'started, authentication required',
  'paid checkout received': 'open checkout received',
  'cancelled checkout received': 'open checkout received',
  'checkout of unknown status received': 'open checkout received',
}

const SEQUENCES = 100_000
const EVENTS_MAX = 40

test('no random sequence of events sends a call twice, charges what was not authenticated or calls an unread payment failed', () => {
  const reached = new Map<string, number>()
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const draw = seeded(seed)
    const first = draw(8) === 0 ? PENDING : OPEN
    const visit: Visit = {
      flow: initialFlow(first),
      mayBeCharged: first.paymentPending,
      sent: new Set(),
      payable: new Set(),
      starts: 0,
    }
    const history: string[] = []
    try {
      for (let left = 1 + draw(EVENTS_MAX); left > 0; left -= 1) {
        // Half of the events fit the state, so that the sequence makes progress; the rest is drawn from all events.
        const fitting = EFFECTIVE_EVENTS[visit.flow.state] ?? []
        const names = draw(2) === 0 && fitting.length > 0 ? fitting : NAMES
        const drawn = names[draw(names.length)] ?? 'call failed'
        const name = draw(6) === 0 ? drawn : (INSTEAD_OF_ENDING[drawn] ?? drawn)
        if (name.startsWith('started')) visit.starts += 1
        // Events are about the current order, or about an earlier one of this visit.
        const orderCode = draw(4) === 0 ? `order ${draw(visit.starts + 1)}` : orderOf(visit.flow)
        history.push(`${visit.flow.state} ← ${name} (${orderCode})`)
        step(visit, eventsOf(name.startsWith('started') ? `order ${visit.starts}` : orderCode)[name])
        reached.set(visit.flow.state, (reached.get(visit.flow.state) ?? 0) + 1)
      }
    } catch (error) {
      throw new Error(`sequence ${seed}:\n${history.join('\n')}`, { cause: error })
    }
  }
  for (const { state } of Object.values(states))
    assert.ok((reached.get(state) ?? 0) > 1000, `${state} was hardly reached`)
})

test('what the server said of a failed call is said at the form once the dialog is closed, whether the checkout could be read or not', () => {
  for (const cause of ['card refused', 'not a test card', 'not authenticated', 'too many attempts'] as const) {
    const failed: FlowEvent[] = [
      { type: 'submit' },
      { type: 'call failed', cause },
      { type: 'checkout received', checkout: OPEN },
      { type: 'dialog closed' },
    ]
    assert.deepEqual(failed.reduce(nextFlow, INIT_START), { state: 'init_start', notice: cause })
    const unread = failed.with(2, { type: 'read failed' })
    assert.deepEqual(unread.reduce(nextFlow, INIT_START), { state: 'init_start', notice: cause })
  }
})

test('a payment in doubt is read every 2 seconds for a minute, then every 10', () => {
  assert.equal(confirmingIntervalMs(0), 2000)
  assert.equal(confirmingIntervalMs(59_999), 2000)
  assert.equal(confirmingIntervalMs(60_000), 10_000)
  assert.equal(confirmingIntervalMs(3_600_000), 10_000)
})

test('a payment is in progress from the submit until the page has its outcome, or has left for the shop', () => {
  assert.equal(isInProgress(INIT_START), false)
  for (const state of ['starting', 'cancelling', 'failed, none', 'confirming'] as const)
    assert.equal(isInProgress(states[state]), true, state)
  assert.equal(isInProgress(finishedWith('form', PAID, null)), false)
  assert.equal(isInProgress(finishedWith('form', PAID, REDIRECT_URL)), true)
})

test('a payment that was confirmed shows the panel until the receipt or the shop is there, and a form that paid stays a form', () => {
  const paid: FlowEvent = { type: 'checkout received', checkout: PAID }
  assert.equal(isConfirmingShown(nextFlow(states.confirming, paid)), true)
  for (const state of ['pay_start', 'reading after pay', 'init_start, none'] as const)
    assert.equal(isConfirmingShown(nextFlow(states[state], paid)), false, state)
})
