import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import fc from 'fast-check'
import { countingGateway, type CountingGateway } from '../harness/counting-gateway.ts'
import { assertDeclared } from '../harness/declared-errors.ts'
import { CARD, KEYS, openShop, type Shop } from '../harness/shop.ts'
import { decided, scriptedThreeDS, type ScriptedThreeDS } from '../harness/three-ds-stand-ins.ts'
import { virtualClock } from '../harness/virtual-clock.ts'

const CALLS = ['start', 'authenticate', 'collect-error', 'challenge-error', 'monitor', 'pay'] as const
type Call = (typeof CALLS)[number]

/** All 720 orders of the calls. Checked after every call, they hold every omission too: each is the beginning of one. */
const allOrders = (rest: readonly Call[] = CALLS): Call[][] =>
  rest.length === 0
    ? [[]]
    : rest.flatMap((call) => allOrders(rest.filter((other) => other !== call)).map((order) => [call, ...order]))

/** How the issuer answers, and how a challenge ends. */
const ISSUERS = ['Y', 'N', 'challenge Y', 'challenge N', 'challenge pending'] as const
type Issuer = (typeof ISSUERS)[number]

/** An order code's life as the papers tell it, written a second time and without the rules under test. */
type Life =
  | 'unknown'
  | 'started'
  | 'challenged'
  | 'cleared'
  | 'cleared, card forgotten'
  | 'refused'
  | 'given up while collecting'
  | 'given up in the challenge'
  | 'paid'

const afterResult = (issuer: Issuer): Life =>
  issuer === 'challenge Y' ? 'cleared' : issuer === 'challenge N' ? 'refused' : 'challenged'

const afterQuestion = (issuer: Issuer): Life => (issuer === 'Y' ? 'cleared' : issuer === 'N' ? 'refused' : 'challenged')

/** What a call must answer, and where it leaves the order code. */
const told = (life: Life, call: Exclude<Call, 'start'>, issuer: Issuer): [status: number, next: Life] => {
  if (life === 'unknown') return [409, life]
  const seen = life === 'challenged' && call !== 'authenticate' && call !== 'collect-error' ? afterResult(issuer) : life
  switch (call) {
    case 'authenticate':
      if (life === 'started') return [200, afterQuestion(issuer)]
      return [['challenged', 'cleared', 'cleared, card forgotten', 'refused'].includes(life) ? 200 : 409, life]
    case 'collect-error':
      if (life === 'started') return [200, 'given up while collecting']
      return [life === 'given up while collecting' ? 200 : 409, life]
    case 'challenge-error':
      if (seen === 'challenged') return [200, 'given up in the challenge']
      if (seen === 'cleared' || seen === 'cleared, card forgotten') return [200, 'cleared, card forgotten']
      return [seen === 'refused' || seen === 'given up in the challenge' ? 200 : 409, seen]
    case 'monitor':
      return [life === 'started' ? 409 : 200, seen]
    case 'pay':
      if (seen === 'cleared' || seen === 'paid') return [200, 'paid']
      return [seen === 'refused' ? 402 : 409, seen]
  }
}

describe('the calls of a payment, in every order', () => {
  let gateway: CountingGateway
  let threeDS: ScriptedThreeDS
  let shop: Shop
  before(async () => {
    gateway = countingGateway()
    threeDS = scriptedThreeDS()
    shop = await openShop({ gateway, threeDSServer: threeDS, clock: virtualClock() })
  })

  const listen = (issuer: Issuer): void => {
    threeDS.says.authenticate = issuer === 'Y' || issuer === 'N' ? decided(issuer) : 'challenge'
    threeDS.says.result =
      issuer === 'challenge Y' ? decided('Y') : issuer === 'challenge N' ? decided('N') : { outcome: 'pending' }
  }

  interface Target {
    readonly merchant: string
    readonly checkout: string
    readonly order: string
  }
  const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, merchant: string, payload?: object) => {
    const answer = await shop.call({ method, url, merchant, ...(payload === undefined ? {} : { payload }) })
    assertDeclared(method, url, answer)
    return answer
  }
  const send = (call: Exclude<Call, 'start'>, { merchant, checkout, order }: Target): Promise<LightMyRequestResponse> =>
    call === 'pay'
      ? ask('PATCH', `/api/v1/checkouts/${checkout}/3ds/${order}/pay`, merchant, {
          cvc: CARD.cvc,
          locale: 'ja_JP',
          receiptEmail: CARD.email,
        })
      : ask(call === 'monitor' ? 'GET' : 'PATCH', `/api/v1/3ds/${order}/${call}`, merchant)

  const start = (merchant: string, checkout: string, number: string): Promise<LightMyRequestResponse> =>
    ask('POST', `/api/v1/checkouts/${checkout}/3ds`, merchant, { card: { ...CARD, number } })

  for (const issuer of ISSUERS) {
    test(`all orders and omissions of the six calls, when the issuer says ${issuer}: charged on the legal path alone`, async () => {
      const orders = allOrders()
      assert.equal(orders.length, 720)
      listen(issuer)
      let charged = 0
      for (const order of orders) {
        const checkout = await shop.create()
        let code = 'a'.repeat(32)
        let life: Life = 'unknown'
        for (const call of order) {
          if (call === 'start') {
            const { orderCode } = (await start('tea', checkout, CARD.number)).json<{ orderCode: string }>()
            code = orderCode
            life = 'started'
            continue
          }
          const [status, next] = told(life, call, issuer)
          const answer = await send(call, { merchant: 'tea', checkout, order: code })
          assert.equal(answer.statusCode, status, `${order.join(', ')}: ${call} of an order code that is ${life}`)
          life = next
          assert.equal(gateway.charges.length, life === 'paid' ? 1 : 0, `${order.join(', ')}: after ${call}`)
        }
        charged += gateway.charges.splice(0).length
      }
      assert.equal(charged > 0, issuer === 'Y' || issuer === 'challenge Y')
    })
  }

  /** Two checkouts of one merchant and one of another, of different amounts, each with its own card. */
  const openThree = async () => {
    const three = [
      { merchant: 'tea', amount: 1000, number: '4242424242424242', key: KEYS.tea },
      { merchant: 'tea', amount: 2000, number: '5555555555554444', key: KEYS.tea },
      { merchant: 'books', amount: 3000, number: '4111111111111111', key: KEYS.books },
    ]
    return Promise.all(
      three.map(async ({ key, ...rest }) => ({ ...rest, checkout: await shop.create({ amount: rest.amount }, key) })),
    )
  }

  test('order codes swapped between checkouts, merchants, amounts and cards charge nothing that they were not made for', async () => {
    const step = fc.record({
      call: fc.constantFrom<Call>('authenticate', 'authenticate', 'pay', 'pay', ...CALLS),
      /** Mostly where the order code belongs, else anywhere. */
      astray: fc.constantFrom(false, false, false, true),
      merchant: fc.nat(2),
      checkout: fc.nat(2),
      order: fc.constantFrom(0, 0, 0, 1, 2, 3),
      issuer: fc.constantFrom<Issuer>('Y', 'Y', 'challenge Y', ...ISSUERS),
    })
    let charged = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const three = await openThree()
        const orders: { code: string; of: (typeof three)[number] }[] = []
        const chargesBefore = gateway.charges.length
        for (const { call, astray, merchant, checkout, order, issuer } of steps) {
          listen(issuer)
          const known = orders.at(-1 - (order % Math.max(orders.length, 1)))
          const place = (astray ? undefined : known?.of) ?? three[checkout]
          const named = astray ? three[merchant] : place
          assert.ok(named !== undefined && place !== undefined)
          if (call === 'start') {
            const answer = await start(named.merchant, place.checkout, place.number)
            const { orderCode } = answer.json<{ orderCode?: string }>()
            if (named.merchant !== place.merchant) assert.equal(answer.statusCode, 404)
            if (orderCode !== undefined) orders.push({ code: orderCode, of: place })
            continue
          }
          const target = { merchant: named.merchant, checkout: place.checkout, order: known?.code ?? 'a'.repeat(32) }
          const { statusCode } = await send(call, target)
          const belongs =
            known !== undefined && named.merchant === known.of.merchant && (call !== 'pay' || place === known.of)
          if (!belongs) assert.ok(statusCode === 409 || statusCode === 404, `${call}: ${statusCode}`)
          assert.ok([200, 402, 404, 409].includes(statusCode), `${call}: ${statusCode}`)
        }
        const bookings = gateway.charges.slice(chargesBefore)
        for (const booking of bookings) {
          const made = orders.find(({ code }) => code === booking.orderCode)
          assert.deepEqual(
            [booking.amountYen, booking.card.number.face.lastFour, booking.clearance.by],
            [made?.of.amount, made?.of.number.slice(-4), 'authentication'],
          )
        }
        const paidFor = bookings.map(({ orderCode }) => orders.find(({ code }) => code === orderCode)?.of.checkout)
        assert.equal(new Set(paidFor).size, bookings.length)
        charged += bookings.length
      }),
      { numRuns: 400, seed: 20_261_115 },
    )
    assert.ok(charged > 20, `${charged} charges: the storms pay too seldom to show anything`)
  })
})
