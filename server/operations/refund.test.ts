import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { LONG_DOUBT_MS } from '#payment/doubt.ts'
import type { Gateway, RefundOutcome } from '#payment/ports.ts'
import { createSandboxGateway } from '../gateways/sandbox/gateway.ts'
import { startAcquirer, type Acquirer } from '../../proof/harness/acquirer-process.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { KEYS, openShop, type Shop } from '../../proof/harness/shop.ts'
import { workOnce } from '../background/worker.ts'

const LOST: RefundOutcome = { outcome: 'unknown', why: 'no answer in time' }

describe('giving money back', () => {
  let acquirer: Acquirer
  before(async () => {
    acquirer = await startAcquirer()
  })
  after(() => acquirer.stop())

  onBothDatabases(({ open }) => {
    let shop: Shop
    let gateway: Gateway
    before(async () => {
      gateway = { ...createSandboxGateway(acquirer.origin, 10_000), ready: async () => 'ready' }
      shop = await openShop({ database: await open(), gateway })
    })

    const paid = async (amount = 1980): Promise<string> => {
      const id = await shop.create({ amount })
      assert.equal((await shop.pay(id, await shop.start(id))).statusCode, 200)
      return id
    }
    const refund = (id: string, payload: object, key = KEYS.tea): Promise<LightMyRequestResponse> =>
      shop.app.inject({
        method: 'POST',
        url: `/merchant/v1/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${key}` },
        payload,
      })
    const merchantReads = async (id: string): Promise<{ status: string; refundedAmount: number }> => {
      const answer = await shop.app.inject({
        method: 'GET',
        url: `/merchant/v1/checkouts/${id}`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${KEYS.tea}` },
      })
      return answer.json()
    }
    const said = (answer: LightMyRequestResponse): string => {
      const { status, code } = answer.json<{ status?: string; code?: string }>()
      return `${answer.statusCode} ${status ?? code ?? ''}`
    }
    const linesOf = async (id: string): Promise<unknown[]> => {
      const sql = 'SELECT entry, account, amount_yen FROM ledger_lines WHERE checkout_id = $1 ORDER BY entry, account'
      return (await shop.parts.database.rows(sql, id)).map((row) => [
        String(row['entry']).split(' ')[0],
        row['account'],
        row['amount_yen'],
      ])
    }
    const lettersOf = async (id: string): Promise<string[]> => {
      const sql = 'SELECT event, kind FROM outbox WHERE checkout_id = $1 ORDER BY event, kind'
      return (await shop.parts.database.rows(sql, id)).map((row) => `${row['event']} ${row['kind']}`)
    }

    test('a whole refund makes the checkout refunded, is booked, and is news to merchant and shopper', async () => {
      const id = await paid()
      const answer = await refund(id, { refundId: 'r1' })
      assert.equal(said(answer), '201 refunded')
      assert.equal(answer.json<{ amount: number }>().amount, 1980)
      const { status, refundedAmount } = await merchantReads(id)
      assert.deepEqual([status, refundedAmount], ['refunded', 1980])
      assert.equal((await shop.read(id)).json<{ status: string }>().status, 'refunded')
      assert.deepEqual(await linesOf(id), [
        ['charge', 'acquirer', 1980],
        ['charge', 'merchant', -1980],
        ['refund', 'acquirer', -1980],
        ['refund', 'merchant', 1980],
      ])
      assert.deepEqual(await lettersOf(id), [
        'checkout.paid webhook',
        'checkout.refunded webhook',
        'receipt mail',
        'refund mail',
        'refund webhook',
      ])
    })

    test('partial refunds leave it paid until the last yen, and one yen more is refused with what is left', async () => {
      const id = await paid(1000)
      assert.equal(said(await refund(id, { refundId: 'a', amount: 1 })), '201 refunded')
      assert.deepEqual([(await merchantReads(id)).status, (await merchantReads(id)).refundedAmount], ['paid', 1])
      const over = await refund(id, { refundId: 'b', amount: 1000 })
      assert.equal(said(over), '409 refund_exceeds_payment')
      assert.deepEqual(over.json<{ params: object }>().params, { remaining: 999 })
      assert.equal(said(await refund(id, { refundId: 'b', amount: 999 })), '201 refunded')
      assert.equal((await merchantReads(id)).status, 'refunded')
      assert.equal(said(await refund(id, { refundId: 'c', amount: 1 })), '409 not_refundable')
    })

    test('the same refund sent ten times at once gives the money back once, and all are told so in the end', async () => {
      const id = await paid()
      const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { refundId: 'r1', amount: 500 })))
      for (const answer of answers) assert.match(said(answer), /^201 (refunded|pending)$/)
      assert.equal(said(await refund(id, { refundId: 'r1' })), '201 refunded')
      assert.equal((await merchantReads(id)).refundedAmount, 500)
    })

    test('ten refunds at once together never pass what was paid', async () => {
      const id = await paid(1000)
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, place) => refund(id, { refundId: `r${place}`, amount: 300 })),
      )
      assert.equal(answers.filter((answer) => answer.statusCode === 201).length, 3)
      assert.equal((await merchantReads(id)).refundedAmount, 900)
    })

    test('another amount under the same id, an open checkout and another merchant’s are refused', async () => {
      const id = await paid()
      await refund(id, { refundId: 'r1', amount: 10 })
      assert.equal(said(await refund(id, { refundId: 'r1', amount: 11 })), '409 refund_mismatch')
      assert.equal(said(await refund(await shop.create(), { refundId: 'r1' })), '409 not_refundable')
      assert.equal(said(await refund(id, { refundId: 'r2' }, KEYS.books)), '404 checkout_not_found')
    })

    test('a refund id and an amount are refused outside their ranges', async () => {
      const id = await paid()
      for (const refundId of ['', 'a'.repeat(65), 'a b', 'ä'])
        assert.equal((await refund(id, { refundId })).statusCode, 400)
      for (const amount of [0, -1, 1.5, '1', 10_000_000])
        assert.equal((await refund(id, { refundId: 'r', amount })).statusCode, 400, String(amount))
      assert.equal(said(await refund(id, { refundId: 'a'.repeat(64), amount: 1 })), '201 refunded')
    })

    test('a refund whose answer is lost is pending, is looked up when due, and is given back once', async () => {
      const id = await paid()
      const real = gateway.refund
      gateway.refund = async (order) => {
        await real(order)
        return LOST
      }
      assert.equal(said(await refund(id, { refundId: 'r1', amount: 700 })), '201 pending')
      gateway.refund = real
      assert.equal((await merchantReads(id)).refundedAmount, 0)
      assert.equal(said(await refund(id, { refundId: 'r2', amount: 1281 })), '409 refund_exceeds_payment')
      shop.clock.advance(1000)
      assert.equal(said(await refund(id, { refundId: 'r1' })), '201 refunded')
      assert.equal((await merchantReads(id)).refundedAmount, 700)
    })

    test(
      'a new refund waits for no doubt about another; one that is asked for again is asked about at once',
      { timeout: 20_000 },
      async () => {
        const id = await paid()
        const real = { ...gateway }
        gateway.refund = async () => LOST
        for (const refundId of ['r1', 'r2'])
          assert.equal(said(await refund(id, { refundId, amount: 100 })), '201 pending')
        const { promise: silence, resolve: speak } = Promise.withResolvers<RefundOutcome>()
        const asked: string[] = []
        Object.assign(gateway, {
          refund: real.refund,
          inquireRefund: (order: { refundId: string }) => {
            asked.push(order.refundId)
            return silence
          },
        })
        shop.clock.advance(60_000)
        assert.equal(said(await refund(id, { refundId: 'r3', amount: 100 })), '201 refunded')
        assert.deepEqual(asked, [])
        const again = refund(id, { refundId: 'r2' })
        speak({ outcome: 'refused', reason: 'no' })
        assert.equal(said(await again), '201 refused')
        assert.deepEqual(asked, ['r2'])
        Object.assign(gateway, real)
      },
    )

    test('a refund that is in doubt for ten minutes calls a person, and not a moment sooner', async () => {
      const id = await paid()
      const real = { ...gateway }
      const order = (await shop.parts.database.rows('SELECT order_code FROM checkouts WHERE id = $1', id))[0]?.[
        'order_code'
      ]
      const alarms = (): number =>
        shop.logged.filter((line) => line.includes(`"order":"${order}"`) && line.includes('a refund needs a person'))
          .length
      Object.assign(gateway, { refund: async () => LOST, inquireRefund: async () => LOST })
      assert.equal(said(await refund(id, { refundId: 'r1' })), '201 pending')
      const before = alarms()
      for (const [ms, called] of [
        [LONG_DOUBT_MS - 5000, 0],
        [5000, 1],
      ] as const) {
        shop.clock.advance(ms)
        await workOnce(shop.parts)
        assert.equal(alarms() - before, called)
      }
      Object.assign(gateway, real)
      shop.clock.advance(3_600_000)
      await workOnce(shop.parts)
      assert.equal((await merchantReads(id)).status, 'refunded')
    })

    test('a refund that never reached the acquirer is sent again by the worker under the same id', async () => {
      const id = await paid()
      const real = gateway.refund
      const sent: string[] = []
      gateway.refund = async ({ refundId }) => {
        sent.push(refundId)
        return LOST
      }
      assert.equal(said(await refund(id, { refundId: 'r1' })), '201 pending')
      gateway.refund = (order) => {
        sent.push(order.refundId)
        return real(order)
      }
      shop.clock.advance(1000)
      await workOnce(shop.parts)
      assert.deepEqual(sent, ['r1', 'r1'])
      gateway.refund = real
      assert.equal((await merchantReads(id)).status, 'refunded')
    })
  })
})
