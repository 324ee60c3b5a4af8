import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { PageCheckout } from '../answers.ts'
import { confirmingPauseMs, firstFlow, next, START, type Flow, type FlowEvent } from './flow.ts'

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

/** One of each: a new state, a new notice or a new call to read after does not compile until it has its row below. */
const states: Record<StateName, Flow> = {
  'init_start, none': START,
  'init_start, nothing charged': { at: 'init_start', notice: 'nothing charged' },
  starting: { at: 'starting' },
  pay_start: { at: 'pay_start', orderCode: 'order' },
  cancelling: { at: 'cancelling' },
  'reading after start': { at: 'reading', after: 'start' },
  'reading after pay': { at: 'reading', after: 'pay' },
  'reading after cancel': { at: 'reading', after: 'cancel' },
  failed: { at: 'failed' },
  confirming: { at: 'confirming' },
  settled: { at: 'settled', checkout: PAID, leaveTo: null },
}

type EventName =
  | Exclude<FlowEvent['event'], 'started' | 'answered'>
  | 'started'
  | 'started, authentication required'
  | 'answered open'
  | 'answered open and pending'
  | 'answered paid'
  | 'answered cancelled'
  | 'answered with an unknown status'

const events: Record<EventName, FlowEvent> = {
  submit: { event: 'submit' },
  cancel: { event: 'cancel' },
  started: { event: 'started', answer: { orderCode: 'order', threeDSRequired: false } },
  'started, authentication required': { event: 'started', answer: { orderCode: 'order', threeDSRequired: true } },
  failed: { event: 'failed' },
  'answered open': { event: 'answered', checkout: OPEN },
  'answered open and pending': { event: 'answered', checkout: PENDING },
  'answered paid': { event: 'answered', checkout: PAID },
  'answered cancelled': { event: 'answered', checkout: CANCELLED },
  'answered with an unknown status': { event: 'answered', checkout: OTHER },
  unreadable: { event: 'unreadable' },
  pending: { event: 'pending' },
  closed: { event: 'closed' },
}

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
  started: 'stays',
  'started, authentication required': 'stays',
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

/** Specification, section 4, and the rule that the page reads the checkout before it says that a payment failed. */
const table: Record<StateName, Record<EventName, Outcome>> = {
  'init_start, none': {
    ...nothingMoves,
    ...anAnswerDecides,
    submit: 'starting',
    cancel: 'cancelling',
    pending: 'confirming',
  },
  'init_start, nothing charged': {
    ...nothingMoves,
    ...anAnswerDecides,
    submit: 'starting',
    cancel: 'cancelling',
    pending: 'confirming',
  },
  starting: {
    ...nothingMoves,
    started: 'pay_start',
    'started, authentication required': 'reading after start',
    failed: 'reading after start',
  },
  pay_start: { ...nothingMoves, ...anAnswerDecides, 'answered open': 'failed', failed: 'reading after pay' },
  cancelling: {
    ...nothingMoves,
    ...anAnswerDecides,
    'answered cancelled': 'back to the shop',
    'answered open': 'failed',
    failed: 'reading after cancel',
  },
  'reading after start': { ...nothingMoves, ...anAnswerDecides, 'answered open': 'failed', unreadable: 'failed' },
  'reading after pay': { ...nothingMoves, ...anAnswerDecides, 'answered open': 'failed', unreadable: 'confirming' },
  'reading after cancel': {
    ...nothingMoves,
    ...anAnswerDecides,
    'answered cancelled': 'back to the shop',
    'answered open': 'failed',
    unreadable: 'failed',
  },
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

/** What a shopper's visit has seen so far; the storm keeps it beside the flow. */
interface Visit {
  readonly flow: Flow
  /** A pay call has gone out and nothing has yet said that the checkout is open with no charge under way. */
  readonly mayBeCharged: boolean
}

const saysNothingCharged = (event: FlowEvent): boolean =>
  event.event === 'answered' && event.checkout.status === 'open' && !event.checkout.paymentPending

const step = ({ flow, mayBeCharged }: Visit, event: FlowEvent): Visit => {
  const after = next(flow, event)
  if (flow.at === 'settled') assert.equal(after, flow, 'a settled checkout moved')
  if (after.at === 'settled' && flow.at !== 'settled') {
    assert.ok(event.event === 'answered' && event.checkout.status !== 'open', 'settled without an answer that says so')
    assert.equal(after.checkout, event.checkout)
  }
  if (after.at === 'pay_start' && flow.at !== 'pay_start') {
    assert.ok(event.event === 'started' && flow.at === 'starting', 'a charge without a started answer')
    assert.ok(!event.answer.threeDSRequired, 'a charge without the authentication that was asked for')
    assert.equal(after.orderCode, event.answer.orderCode)
  }
  const inDoubt = after.at === 'pay_start' || (mayBeCharged && !saysNothingCharged(event))
  if (after.at === 'failed') assert.ok(!inDoubt, 'the modal says that a payment failed which may have been charged')
  if (after.at === 'init_start') assert.ok(!inDoubt, 'the form came back while the card may have been charged')
  return { flow: after, mayBeCharged: inDoubt }
}

test('no storm of events leaves a settled checkout, charges without a start or calls an unread payment failed', () => {
  const storm = fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...Object.values(events)) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(events.submit, events.started, events.failed, events.unreadable, events.closed),
      },
      {
        weight: 1,
        arbitrary: fc
          .string()
          .map((orderCode): FlowEvent => ({ event: 'started', answer: { orderCode, threeDSRequired: false } })),
      },
      {
        weight: 1,
        arbitrary: fc
          .record({ status: fc.constantFrom('open', 'refunded', 'expired'), pending: fc.boolean() })
          .map(({ status, pending }): FlowEvent => ({ event: 'answered', checkout: checkout(status, pending) })),
      },
    ),
    { maxLength: 20, size: 'max' },
  )
  const reached = new Map<string, number>()
  fc.assert(
    fc.property(fc.constantFrom(OPEN, PENDING), storm, (first, sent) => {
      let visit: Visit = { flow: firstFlow(first), mayBeCharged: first.paymentPending }
      for (const event of sent) {
        visit = step(visit, event)
        reached.set(visit.flow.at, (reached.get(visit.flow.at) ?? 0) + 1)
      }
    }),
    { numRuns: 50_000 },
  )
  for (const { at } of Object.values(states)) assert.ok((reached.get(at) ?? 0) > 1000, `the storm hardly reached ${at}`)
})

test('a payment in doubt is read every 2 seconds for a minute, then every 10', () => {
  assert.equal(confirmingPauseMs(0), 2000)
  assert.equal(confirmingPauseMs(59_999), 2000)
  assert.equal(confirmingPauseMs(60_000), 10_000)
  assert.equal(confirmingPauseMs(3_600_000), 10_000)
})
