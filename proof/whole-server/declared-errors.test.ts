import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import * as contract from '#contract/calls.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { DatabaseUnavailable, type Database } from '../../server/store/database.ts'
import { countingGateway, type CountingGateway } from '../harness/counting-gateway.ts'
import { openMemory } from '../harness/databases.ts'
import { assertDeclared, CALLS, type CallName } from '../harness/declared-errors.ts'
import { CARD, KEYS, openShop, type Shop } from '../harness/shop.ts'
import { decided, scriptedThreeDS, type ScriptedThreeDS } from '../harness/three-ds-stand-ins.ts'
import { virtualClock } from '../harness/virtual-clock.ts'

type Answer = Promise<LightMyRequestResponse>
/** How to get each error from a call. */
type Ways = Partial<Record<ErrorCode, () => Answer>>

const NOBODYS = 'a'.repeat(32)
const PAY_BODY = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }

/** The right body of each call. */
const BODIES: Partial<Record<CallName, object>> = {
  startPayment: { card: CARD },
  pay: PAY_BODY,
  createCheckout: { amount: 1980 },
  refundCheckout: { refundId: 'r1' },
}

describe('the errors that the contract declares for a call', () => {
  let gateway: CountingGateway
  let threeDS: ScriptedThreeDS
  let shop: Shop
  /** What every question to the database is answered with; null: it works. */
  let fault: Error | null

  const faulty = (database: Database): Database => ({
    ...database,
    rows: async (...query) => {
      if (fault !== null) throw fault
      return database.rows(...query)
    },
    transact: async (work) => {
      if (fault !== null) throw fault
      return database.transact(work)
    },
  })

  before(async () => {
    fault = null
    gateway = countingGateway()
    threeDS = scriptedThreeDS()
    const database = faulty(await openMemory())
    shop = await openShop({ database, gateway, threeDSServer: threeDS, clock: virtualClock() })
  })
  const reset = (): void => {
    fault = null
    gateway.next = null
    gateway.ready = async () => 'ready'
    gateway.inquire = async () => ({ outcome: 'pending' })
    threeDS.says.start = 'started'
    threeDS.says.authenticate = decided('Y')
    threeDS.says.result = { outcome: 'pending' }
  }
  beforeEach(reset)

  interface Target {
    readonly id?: string
    readonly order?: string
  }
  const send = (name: CallName, { id = NOBODYS, order = NOBODYS }: Target = {}, more: InjectOptions = {}): Answer => {
    const { method, route } = CALLS[name]
    const payload = BODIES[name]
    return shop.app.inject({
      method,
      url: route.replace(':checkoutId', id).replace(':orderCode', order),
      ...(payload === undefined ? {} : { payload }),
      ...more,
      headers: { host: 'localhost:3000', merchant: 'tea', authorization: `Bearer ${KEYS.tea}`, ...more.headers },
    })
  }

  const started = async (): Promise<Required<Target>> => {
    const id = await shop.create()
    return { id, order: await shop.start(id) }
  }
  /** Outside 3-D Secure, at the merchant's risk: may be charged at once. */
  const exempt = async (): Promise<Required<Target>> => {
    threeDS.says.start = { outcome: 'not_enrolled' }
    return started()
  }
  const superseded = async (): Promise<Required<Target>> => {
    const first = await started()
    await shop.start(first.id)
    return first
  }
  const challenged = async (): Promise<Required<Target>> => {
    const target = await started()
    threeDS.says.authenticate = 'challenge'
    assert.equal((await send('authenticate', target)).statusCode, 200)
    return target
  }
  const inDoubt = async (): Promise<Required<Target>> => {
    const target = await exempt()
    gateway.next = { outcome: 'unknown', why: 'no answer' }
    assert.equal((await send('pay', target)).statusCode, 409)
    return target
  }
  const without = async (card: Promise<Required<Target>>): Promise<Required<Target>> => {
    const target = await card
    shop.parts.cardHold.wipe(target.order)
    return target
  }
  const paid = async (): Promise<Required<Target>> => {
    const target = await exempt()
    assert.equal((await send('pay', target)).statusCode, 200)
    return target
  }

  const faults = (name: CallName): Ways => {
    const failing = (error: Error) => (): Answer => {
      fault = error
      return send(name)
    }
    return {
      unavailable: failing(new DatabaseUnavailable('gone')),
      system_error: failing(new Error('a bug')),
    }
  }
  const nobodys = (name: CallName): Ways => ({
    checkout_not_found: () => send(name, {}, { headers: { merchant: 'nobody' } }),
  })
  const keyless = (name: CallName): Ways => ({
    invalid_api_key: () => send(name, {}, { headers: { authorization: 'Bearer sk_test_x' } }),
  })
  const json = { 'content-type': 'application/json' }
  const badBodies = (name: CallName): Ways => ({
    invalid_json: () => send(name, {}, { payload: '{', headers: json }),
    invalid_field: () => send(name, {}, { payload: { surprise: 1 } }),
    body_too_large: () => send(name, {}, { payload: JSON.stringify('x'.repeat(64 * 1024)), headers: json }),
    unsupported_media_type: () => send(name, {}, { payload: 'x', headers: { 'content-type': 'text/plain' } }),
  })
  const badOrders = (name: CallName): Ways => ({
    order_not_found: async () => send(name, { id: await shop.create() }),
    order_over: async () => send(name, await superseded()),
  })

  const ways: Record<CallName, () => Ways> = {
    readCheckout: () => ({ ...nobodys('readCheckout'), ...faults('readCheckout') }),
    cancelCheckout: () => ({
      ...nobodys('cancelCheckout'),
      ...badBodies('cancelCheckout'),
      ...faults('cancelCheckout'),
      payment_in_progress: async () => send('cancelCheckout', await inDoubt()),
    }),
    listBinCodes: () => ({ ...nobodys('listBinCodes'), ...faults('listBinCodes') }),
    startPayment: () => ({
      ...nobodys('startPayment'),
      ...badBodies('startPayment'),
      ...faults('startPayment'),
      checkout_closed: async () => {
        const id = await shop.create()
        await send('cancelCheckout', { id })
        return send('startPayment', { id })
      },
      card_declined: async () => send('startPayment', { id: await shop.create({ acceptedCardBrands: ['jcb'] }) }),
      payment_in_progress: async () => send('startPayment', await inDoubt()),
      too_many_starts: async () => {
        const id = await shop.create()
        for (let starts = 0; starts < 20; starts += 1) await shop.start(id)
        return send('startPayment', { id })
      },
      order_over: async () => {
        const id = await shop.create()
        const { start } = threeDS
        threeDS.start = async () => {
          threeDS.start = start
          await shop.start(id)
          return { outcome: 'not_enrolled' }
        }
        return send('startPayment', { id })
      },
      gateway_unavailable: async () => {
        gateway.ready = async () => 'refused'
        return send('startPayment', { id: await shop.create() })
      },
      authentication_unavailable: async () => {
        threeDS.says.start = { outcome: 'unavailable', why: 'no answer' }
        return send('startPayment', { id: await shop.create() })
      },
    }),
    authenticate: () => ({
      ...nobodys('authenticate'),
      ...badBodies('authenticate'),
      ...badOrders('authenticate'),
      ...faults('authenticate'),
      wrong_step: async () => send('authenticate', await exempt()),
      payment_in_progress: async () => send('authenticate', await inDoubt()),
      card_not_held: async () => send('authenticate', await without(started())),
      authentication_unfinished: async () => {
        const target = await started()
        const asked = Promise.withResolvers<void>()
        const answered = Promise.withResolvers<void>()
        const { authenticate } = threeDS
        threeDS.authenticate = async () => {
          threeDS.authenticate = authenticate
          asked.resolve()
          await answered.promise
          return decided('Y')
        }
        const first = send('authenticate', target)
        await asked.promise
        const second = await send('authenticate', target)
        answered.resolve()
        assert.equal((await first).statusCode, 200)
        return second
      },
      authentication_unavailable: async () => {
        threeDS.says.authenticate = { outcome: 'unavailable', why: 'no answer' }
        return send('authenticate', await started())
      },
    }),
    reportCollectError: () => ({
      ...nobodys('reportCollectError'),
      ...badBodies('reportCollectError'),
      ...badOrders('reportCollectError'),
      ...faults('reportCollectError'),
      wrong_step: async () => send('reportCollectError', await challenged()),
      payment_in_progress: async () => send('reportCollectError', await inDoubt()),
    }),
    reportChallengeError: () => ({
      ...nobodys('reportChallengeError'),
      ...badBodies('reportChallengeError'),
      ...badOrders('reportChallengeError'),
      ...faults('reportChallengeError'),
      wrong_step: async () => send('reportChallengeError', await started()),
      payment_in_progress: async () => send('reportChallengeError', await inDoubt()),
    }),
    monitorChallenge: () => ({
      ...nobodys('monitorChallenge'),
      ...faults('monitorChallenge'),
      invalid_field: () => send('monitorChallenge', { order: 'a'.repeat(201) }),
      order_not_found: () => send('monitorChallenge'),
      wrong_step: async () => send('monitorChallenge', await started()),
    }),
    pay: () => ({
      ...nobodys('pay'),
      ...badBodies('pay'),
      ...badOrders('pay'),
      ...faults('pay'),
      card_not_held: async () => send('pay', await without(exempt())),
      authentication_unfinished: async () => send('pay', await started()),
      payment_in_progress: async () => send('pay', await inDoubt()),
      nothing_charged: async () => {
        gateway.next = { outcome: 'void' }
        return send('pay', await exempt())
      },
      card_declined: async () => {
        gateway.next = { outcome: 'declined', reason: 'x' }
        return send('pay', await exempt())
      },
    }),
    createCheckout: () => ({
      ...keyless('createCheckout'),
      ...badBodies('createCheckout'),
      ...faults('createCheckout'),
    }),
    readMerchantCheckout: () => ({
      ...keyless('readMerchantCheckout'),
      ...faults('readMerchantCheckout'),
      checkout_not_found: () => send('readMerchantCheckout'),
    }),
    refundCheckout: () => ({
      ...keyless('refundCheckout'),
      ...badBodies('refundCheckout'),
      ...faults('refundCheckout'),
      checkout_not_found: () => send('refundCheckout'),
      not_refundable: async () => send('refundCheckout', { id: await shop.create() }),
      refund_mismatch: async () => {
        const target = await paid()
        await send('refundCheckout', target, { payload: { refundId: 'r1', amount: 1 } })
        return send('refundCheckout', target, { payload: { refundId: 'r1', amount: 2 } })
      },
      refund_exceeds_payment: async () =>
        send('refundCheckout', await paid(), { payload: { refundId: 'r1', amount: 1981 } }),
    }),
  }

  const isCall = (name: string): name is CallName => Object.hasOwn(CALLS, name)

  for (const name of Object.keys(CALLS).filter(isCall)) {
    const { errors } = CALLS[name]
    test(`${name} can be brought to each of its ${errors.length} errors, and none is missing here`, async () => {
      const known = ways[name]()
      assert.deepEqual(Object.keys(known).toSorted(), [...errors].toSorted())
      for (const [code, way] of Object.entries(known)) {
        reset()
        const answer = await way()
        assert.equal(answer.json<{ code: string }>().code, code)
      }
    })
  }

  test('every call of the contract is among these', () => {
    const declared = Object.entries(contract).filter(([, value]) => typeof value === 'object' && 'errors' in value)
    assert.deepEqual(declared.map(([name]) => name).toSorted(), Object.keys(CALLS).toSorted())
  })

  test('an answer with an error that its call does not declare is noticed', async () => {
    const id = await shop.create()
    await send('cancelCheckout', { id })
    const closed = await send('startPayment', { id })
    assert.equal(closed.json<{ code: string }>().code, 'checkout_closed')
    assertDeclared('POST', `/api/v1/checkouts/${id}/3ds`, closed)
    const elsewhere = `/api/v1/checkouts/${id}/3ds/${NOBODYS}/pay?x=1`
    assert.throws(() => assertDeclared('PATCH', elsewhere, closed), /pay answers with checkout_closed/)
    assert.throws(() => assertDeclared('DELETE', `/api/v1/checkouts/${id}`, closed), /checkout_closed/)
    assertDeclared('PUT', elsewhere, closed)
  })
})
