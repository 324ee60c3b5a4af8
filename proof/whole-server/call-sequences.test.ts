import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import fc from 'fast-check'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { assertErrorIsDeclared } from '../harness/declared-errors.ts'
import { NO_CARD_TESTING_LIMITS } from '../harness/card-testing-parts.ts'
import { CARD, openTestServer, type TestServer } from '../harness/test-server.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { decidedOutcome, scriptedThreeDSServer, type ScriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { virtualClock } from '../harness/test-clocks.ts'

/** Call sequences: the orders of a payment's six calls, and order codes used where they do not belong. */
const CALLS = ['start', 'authenticate', 'collect-error', 'challenge-error', 'monitor', 'pay'] as const
type Call = (typeof CALLS)[number]

/** Answers are checked after every call, so a sequence also covers each of its beginnings. */
const allSequences = (rest: readonly Call[] = CALLS): Call[][] =>
  rest.length === 0
    ? [[]]
    : rest.flatMap((call) =>
        allSequences(rest.filter((other) => other !== call)).map((sequence) => [call, ...sequence]),
      )

const isInListedOrder = (calls: readonly Call[]): boolean =>
  calls.join() === CALLS.filter((call) => calls.includes(call)).join()

/** All that begin with the start: their beginnings are all that can follow one. Of the others one for each set of calls before it. */
const isOfEveryRun = (sequence: readonly Call[]): boolean => {
  const start = sequence.indexOf('start')
  return start === 0 || (isInListedOrder(sequence.slice(0, start)) && isInListedOrder(sequence.slice(start + 1)))
}

/** As a proof, ALL_SEQUENCES=1: each of the 720, and more random ones. */
const RUNS_ALL = process.env['ALL_SEQUENCES'] === '1'
const SEQUENCES = RUNS_ALL ? allSequences() : allSequences().filter(isOfEveryRun)

/** How the issuer answers, and how a challenge ends. */
const ISSUER_ANSWERS = ['Y', 'N', 'challenge Y', 'challenge N', 'challenge pending'] as const
type IssuerAnswer = (typeof ISSUER_ANSWERS)[number]

/** The states of an order code as the specification has them, written a second time without the rules under test. */
type OrderCodeState =
  | 'unknown'
  | 'started'
  | 'challenged'
  | 'cleared'
  | 'cleared, card forgotten'
  | 'refused'
  | 'given up while collecting'
  | 'given up in the challenge'
  | 'paid'

const stateAfterResult = (issuer: IssuerAnswer): OrderCodeState =>
  issuer === 'challenge Y' ? 'cleared' : issuer === 'challenge N' ? 'refused' : 'challenged'

const stateAfterAuthenticate = (issuer: IssuerAnswer): OrderCodeState =>
  issuer === 'Y' ? 'cleared' : issuer === 'N' ? 'refused' : 'challenged'

/** The status that a call must answer with, and the state of the order code after it. */
const expectedAnswer = (
  state: OrderCodeState,
  call: Exclude<Call, 'start'>,
  issuer: IssuerAnswer,
): [status: number, next: OrderCodeState] => {
  if (state === 'unknown') return [409, state]
  const current =
    state === 'challenged' && call !== 'authenticate' && call !== 'collect-error' ? stateAfterResult(issuer) : state
  switch (call) {
    case 'authenticate':
      if (state === 'started') return [200, stateAfterAuthenticate(issuer)]
      return [['challenged', 'cleared', 'cleared, card forgotten', 'refused'].includes(state) ? 200 : 409, state]
    case 'collect-error':
      if (state === 'started') return [200, 'given up while collecting']
      return [state === 'given up while collecting' ? 200 : 409, state]
    case 'challenge-error':
      if (current === 'challenged') return [200, 'given up in the challenge']
      if (current === 'cleared' || current === 'cleared, card forgotten') return [200, 'cleared, card forgotten']
      return [current === 'refused' || current === 'given up in the challenge' ? 200 : 409, current]
    case 'monitor':
      return [state === 'started' ? 409 : 200, current]
    case 'pay':
      if (current === 'cleared' || current === 'paid') return [200, 'paid']
      return [current === 'refused' ? 402 : 409, current]
  }
}

describe('the calls of a payment, in every order after its start', () => {
  let gateway: FakeGateway
  let threeDS: ScriptedThreeDSServer
  let server: TestServer
  before(async () => {
    gateway = fakeGateway()
    threeDS = scriptedThreeDSServer()
    const cardTestingLimits = NO_CARD_TESTING_LIMITS
    server = await openTestServer({
      gateway,
      threeDSServer: threeDS,
      clock: virtualClock(),
      cardTestingLimits,
    })
  })

  const setIssuerAnswer = (issuer: IssuerAnswer): void => {
    threeDS.answers.authenticate = issuer === 'Y' || issuer === 'N' ? decidedOutcome(issuer) : 'challenge'
    threeDS.answers.result =
      issuer === 'challenge Y'
        ? decidedOutcome('Y')
        : issuer === 'challenge N'
          ? decidedOutcome('N')
          : { outcome: 'pending' }
  }

  interface Target {
    readonly merchant: string
    readonly checkout: string
    readonly order: string
  }
  let requests = 0
  const sendChecked = async (method: 'GET' | 'POST' | 'PATCH', url: string, merchant: string, payload?: object) => {
    requests += 1
    // From thousands of addresses: every start reads the last ones of its own.
    const remoteAddress = `2001:db8:0:${(requests & 0xffff).toString(16)}::1`
    const body = payload === undefined ? {} : { payload }
    const answer = await server.sendRequest({ method, url, merchant, remoteAddress, ...body })
    assertErrorIsDeclared(method, url, answer)
    return answer
  }
  const sendCall = (
    call: Exclude<Call, 'start'>,
    { merchant, checkout, order }: Target,
  ): Promise<LightMyRequestResponse> =>
    call === 'pay'
      ? sendChecked('PATCH', `/api/v1/checkouts/${checkout}/3ds/${order}/pay`, merchant, {
          cvc: CARD.cvc,
          locale: 'ja_JP',
          receiptEmail: CARD.email,
        })
      : sendChecked(call === 'monitor' ? 'GET' : 'PATCH', `/api/v1/3ds/${order}/${call}`, merchant)

  const sendStart = (merchant: string, checkout: string, number: string): Promise<LightMyRequestResponse> =>
    sendChecked('POST', `/api/v1/checkouts/${checkout}/3ds`, merchant, { card: { ...CARD, number } })

  for (const issuer of ISSUER_ANSWERS) {
    test(`${SEQUENCES.length} sequences of the six calls, when the issuer answers ${issuer}: charged only after the steps in their right order`, async () => {
      assert.ok(SEQUENCES.length === 720 || SEQUENCES.length === 120 + 31, String(SEQUENCES.length))
      setIssuerAnswer(issuer)
      let charged = 0
      for (const sequence of SEQUENCES) {
        const checkout = await server.createCheckout()
        let code = 'a'.repeat(32)
        let state: OrderCodeState = 'unknown'
        for (const call of sequence) {
          if (call === 'start') {
            const { orderCode } = (await sendStart('tea', checkout, CARD.number)).json<{ orderCode: string }>()
            code = orderCode
            state = 'started'
            continue
          }
          const [status, next] = expectedAnswer(state, call, issuer)
          const answer = await sendCall(call, { merchant: 'tea', checkout, order: code })
          assert.equal(answer.statusCode, status, `${sequence.join(', ')}: ${call} of an order code that is ${state}`)
          state = next
          assert.equal(gateway.charges.length, state === 'paid' ? 1 : 0, `${sequence.join(', ')}: after ${call}`)
        }
        charged += gateway.charges.splice(0).length
      }
      assert.equal(charged > 0, issuer === 'Y' || issuer === 'challenge Y')
    })
  }

  /** Two checkouts of one merchant and one of another, of different amounts, each with its own card. */
  const createThreeCheckouts = async () => {
    const three = [
      { merchant: 'tea', amount: 1000, number: '4242424242424242', key: API_KEYS.tea },
      { merchant: 'tea', amount: 2000, number: '5555555555554444', key: API_KEYS.tea },
      { merchant: 'books', amount: 3000, number: '4111111111111111', key: API_KEYS.books },
    ]
    return Promise.all(
      three.map(async ({ key, ...rest }) => ({
        ...rest,
        checkout: await server.createCheckout({ amount: rest.amount }, key),
      })),
    )
  }

  test('an order code used for another checkout, merchant, amount or card never charges it', async () => {
    const step = fc.record({
      call: fc.constantFrom<Call>('authenticate', 'authenticate', 'pay', 'pay', ...CALLS),
      /** False: with the checkout and merchant of the order code. */
      misplaced: fc.constantFrom(false, false, false, true),
      merchant: fc.nat(2),
      checkout: fc.nat(2),
      order: fc.constantFrom(0, 0, 0, 1, 2, 3),
      issuer: fc.constantFrom<IssuerAnswer>('Y', 'Y', 'challenge Y', ...ISSUER_ANSWERS),
    })
    let charged = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 16, maxLength: 32 }), async (steps) => {
        const three = await createThreeCheckouts()
        const orders: { code: string; of: (typeof three)[number] }[] = []
        const chargesBefore = gateway.charges.length
        for (const { call, misplaced, merchant, checkout, order, issuer } of steps) {
          setIssuerAnswer(issuer)
          const known = orders.at(-1 - (order % Math.max(orders.length, 1)))
          const place = (misplaced ? undefined : known?.of) ?? three[checkout]
          const named = misplaced ? three[merchant] : place
          assert.ok(named !== undefined && place !== undefined)
          if (call === 'start') {
            const answer = await sendStart(named.merchant, place.checkout, place.number)
            const { orderCode } = answer.json<{ orderCode?: string }>()
            if (named.merchant !== place.merchant) assert.equal(answer.statusCode, 404)
            if (orderCode !== undefined) orders.push({ code: orderCode, of: place })
            continue
          }
          const target = { merchant: named.merchant, checkout: place.checkout, order: known?.code ?? 'a'.repeat(32) }
          const { statusCode } = await sendCall(call, target)
          const belongs =
            known !== undefined && named.merchant === known.of.merchant && (call !== 'pay' || place === known.of)
          if (!belongs) assert.ok(statusCode === 409 || statusCode === 404, `${call}: ${statusCode}`)
          assert.ok([200, 402, 404, 409].includes(statusCode), `${call}: ${statusCode}`)
        }
        const charges = gateway.charges.slice(chargesBefore)
        for (const charge of charges) {
          const made = orders.find(({ code }) => code === charge.orderCode)
          assert.deepEqual(
            [charge.amountYen, charge.card.number.face.lastFour, charge.clearance.by],
            [made?.of.amount, made?.of.number.slice(-4), 'authentication'],
          )
        }
        const paidFor = charges.map(({ orderCode }) => orders.find(({ code }) => code === orderCode)?.of.checkout)
        assert.equal(new Set(paidFor).size, charges.length)
        charged += charges.length
      }),
      { numRuns: RUNS_ALL ? 400 : 80, seed: 20_261_115 },
    )
    assert.ok(charged > 20, `${charged} charges: the random sequences pay too seldom to prove anything`)
  })
})
