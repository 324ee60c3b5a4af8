import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { DAY_MS } from '#contract/jst.ts'
import { LONG_DOUBT_MS } from '#payment/doubt.ts'
import type { Gateway, RefundOutcome } from '#payment/ports.ts'
import { createSandboxGateway } from '../gateways/sandbox/gateway.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { saveTestAccount } from '../../proof/harness/test-accounts.ts'
import { API_KEYS, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { workOnce } from '../background/worker.ts'

const LOST: RefundOutcome = { outcome: 'unknown', why: 'no answer in time' }

describe('refunds of a paid checkout', () => {
  let acquirer: SandboxProcess
  before(async () => {
    acquirer = await startSandbox()
  })
  after(() => acquirer.stop())

  onBothDatabases(({ open }) => {
    let server: TestServer
    let gateway: Gateway
    before(async () => {
      gateway = { ...createSandboxGateway(acquirer.origin, 10_000), ready: async () => 'ready' }
      server = await openTestServer({ database: await open(), gateway })
    })

    const paid = async (amount = 1980): Promise<string> => {
      const id = await server.createCheckout({ amount })
      assert.equal((await server.pay(id, await server.startAttempt(id))).statusCode, 200)
      return id
    }
    const refund = (id: string, payload: object, key = API_KEYS.tea): Promise<LightMyRequestResponse> =>
      server.app.inject({
        method: 'POST',
        url: `/merchant/v1/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${key}` },
        payload,
      })
    const merchantReads = async (id: string): Promise<{ status: string; refundedAmount: number }> => {
      const answer = await server.app.inject({
        method: 'GET',
        url: `/merchant/v1/checkouts/${id}`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
      })
      return answer.json()
    }
    const answerOf = (answer: LightMyRequestResponse): string => {
      const { status, code } = answer.json<{ status?: string; code?: string }>()
      return `${answer.statusCode} ${status ?? code ?? ''}`
    }
    const ledgerLinesOf = async (id: string): Promise<unknown[]> => {
      const sql = 'SELECT entry, account, amount_yen FROM ledger_lines WHERE checkout_id = $1 ORDER BY entry, account'
      return (await server.deps.database.rows(sql, id)).map((row) => [
        String(row['entry']).split(' ')[0],
        row['account'],
        row['amount_yen'],
      ])
    }
    const outboxRowsOf = async (id: string): Promise<string[]> => {
      const sql = `SELECT event, kind FROM outbox WHERE checkout_id = $1
        UNION ALL SELECT type, 'event' FROM events WHERE checkout_id = $1
        UNION ALL SELECT kind, 'mail' FROM mails WHERE checkout_id = $1`
      return (await server.deps.database.rows(sql, id)).map((row) => `${row['event']} ${row['kind']}`).toSorted()
    }

    test('a whole refund makes the checkout refunded, is booked, and has its events and its mail', async () => {
      const id = await paid()
      const answer = await refund(id, { refundId: 'r1' })
      assert.equal(answerOf(answer), '201 refunded')
      assert.equal(answer.json<{ amount: number }>().amount, 1980)
      const { status, refundedAmount } = await merchantReads(id)
      assert.deepEqual([status, refundedAmount], ['refunded', 1980])
      assert.equal((await server.readCheckout(id)).json<{ status: string }>().status, 'refunded')
      assert.deepEqual(await ledgerLinesOf(id), [
        ['charge', 'acquirer', 1980],
        ['charge', 'merchant', -1980],
        ['refund', 'acquirer', -1980],
        ['refund', 'merchant', 1980],
      ])
      assert.deepEqual(await outboxRowsOf(id), [
        'checkout.paid event',
        'checkout.refunded event',
        'receipt mail',
        'refund mail',
        'refund.succeeded event',
      ])
    })

    test('partial refunds leave the checkout paid until the last yen, and one yen more is refused with what is left', async () => {
      const id = await paid(1000)
      const shopperReads = async () => (await server.readCheckout(id)).json<{ refunds?: { amount: number }[] }>()
      assert.equal((await shopperReads()).refunds, undefined)
      const part = await refund(id, { refundId: 'a', amount: 1 })
      assert.equal(answerOf(part), '201 refunded')
      const { refundedAt } = part.json<{ refundedAt: string }>()
      assert.deepEqual((await shopperReads()).refunds, [{ amount: 1, refundedAt }])
      assert.deepEqual([(await merchantReads(id)).status, (await merchantReads(id)).refundedAmount], ['paid', 1])
      const over = await refund(id, { refundId: 'b', amount: 1000 })
      assert.equal(answerOf(over), '422 refund_exceeds_payment')
      assert.deepEqual(over.json<{ params: object }>().params, { remaining: 999 })
      assert.equal(answerOf(await refund(id, { refundId: 'b', amount: 999 })), '201 refunded')
      assert.equal((await merchantReads(id)).status, 'refunded')
      assert.equal((await shopperReads()).refunds, undefined)
      assert.equal(answerOf(await refund(id, { refundId: 'c', amount: 1 })), '422 not_refundable')
    })

    test('the same refund sent ten times at once is made once, and is answered refunded in the end', async () => {
      const id = await paid()
      const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { refundId: 'r1', amount: 500 })))
      for (const answer of answers) assert.match(answerOf(answer), /^201 (refunded|pending)$/)
      assert.equal(answerOf(await refund(id, { refundId: 'r1' })), '201 refunded')
      assert.equal((await merchantReads(id)).refundedAmount, 500)
    })

    test('ten refunds at once together never exceed what was paid', async () => {
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
      assert.equal(answerOf(await refund(id, { refundId: 'r1', amount: 11 })), '422 refund_mismatch')
      assert.equal(answerOf(await refund(await server.createCheckout(), { refundId: 'r1' })), '422 not_refundable')
      assert.equal(answerOf(await refund(id, { refundId: 'r2' }, API_KEYS.books)), '404 checkout_not_found')
    })

    test('a refund id and an amount are refused outside their ranges', async () => {
      const id = await paid()
      for (const refundId of ['', 'a'.repeat(65), 'a b', 'ä'])
        assert.equal((await refund(id, { refundId })).statusCode, 400)
      for (const amount of [0, -1, 1.5, '1', 10_000_000])
        assert.equal((await refund(id, { refundId: 'r', amount })).statusCode, 400, String(amount))
      assert.equal(answerOf(await refund(id, { refundId: 'a'.repeat(64), amount: 1 })), '201 refunded')
    })

    test('a refund whose answer is lost is pending, is inquired when due, and is made once', async () => {
      const id = await paid()
      const real = gateway.refund
      gateway.refund = async (order) => {
        await real(order)
        return LOST
      }
      assert.equal(answerOf(await refund(id, { refundId: 'r1', amount: 700 })), '201 pending')
      gateway.refund = real
      assert.equal((await merchantReads(id)).refundedAmount, 0)
      assert.equal(answerOf(await refund(id, { refundId: 'r2', amount: 1281 })), '422 refund_exceeds_payment')
      server.clock.advance(1000)
      assert.equal(answerOf(await refund(id, { refundId: 'r1' })), '201 refunded')
      assert.equal((await merchantReads(id)).refundedAmount, 700)
    })

    test('a new refund does not wait for another one in doubt; a repeated refund in doubt is inquired at once', async () => {
      const id = await paid()
      const real = { ...gateway }
      gateway.refund = async () => LOST
      for (const refundId of ['r1', 'r2'])
        assert.equal(answerOf(await refund(id, { refundId, amount: 100 })), '201 pending')
      const { promise: inquiryAnswer, resolve: answerInquiry } = Promise.withResolvers<RefundOutcome>()
      const inquired: string[] = []
      Object.assign(gateway, {
        refund: real.refund,
        inquireRefund: (order: { refundId: string }) => {
          inquired.push(order.refundId)
          return inquiryAnswer
        },
      })
      server.clock.advance(60_000)
      assert.equal(answerOf(await refund(id, { refundId: 'r3', amount: 100 })), '201 refunded')
      assert.deepEqual(inquired, [])
      const again = refund(id, { refundId: 'r2' })
      answerInquiry({ outcome: 'refused', reason: 'no' })
      assert.equal(answerOf(await again), '201 refused')
      assert.deepEqual(inquired, ['r2'])
      Object.assign(gateway, real)
    })

    test('many workers at once ask about a refund in doubt once, and make it once', async () => {
      const id = await paid()
      const real = { ...gateway }
      gateway.refund = async (order) => {
        await real.refund(order)
        return LOST
      }
      assert.equal(answerOf(await refund(id, { refundId: 'many', amount: 700 })), '201 pending')
      let inquiries = 0
      Object.assign(gateway, {
        refund: real.refund,
        inquireRefund: (order: Parameters<Gateway['inquireRefund']>[0]) => {
          if (order.refundId === 'many') inquiries += 1
          return real.inquireRefund(order)
        },
      })
      server.clock.advance(1000)
      await Promise.all(Array.from({ length: 5 }, () => workOnce(server.deps)))
      Object.assign(gateway, real)
      assert.deepEqual([inquiries, (await merchantReads(id)).refundedAmount], [1, 700])
    })

    test('a refund that is in doubt for ten minutes raises an alarm, and not sooner', async () => {
      const id = await paid()
      const real = { ...gateway }
      const order = (await server.deps.database.rows('SELECT order_code FROM checkouts WHERE id = $1', id))[0]?.[
        'order_code'
      ]
      const alarms = (): number =>
        server.logLines.filter(
          (line) => line.includes(`"order":"${order}"`) && line.includes('a refund needs a person'),
        ).length
      Object.assign(gateway, { refund: async () => LOST, inquireRefund: async () => LOST })
      assert.equal(answerOf(await refund(id, { refundId: 'r1' })), '201 pending')
      const before = alarms()
      for (const [ms, called] of [
        [LONG_DOUBT_MS - 5000, 0],
        [5000, 1],
      ] as const) {
        server.clock.advance(ms)
        await workOnce(server.deps)
        assert.equal(alarms() - before, called)
      }
      const reason = server.logLines.findLast((line) => line.includes('a refund needs a person')) ?? ''
      assert.match(reason, /no answer in time: in doubt for ten minutes and more/)
      const ref = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const
      await saveTestAccount(server.deps.database, ref, { kind: 'adyen' })
      for (const [ms, called] of [
        [3_600_000, 1],
        [3 * DAY_MS, 2],
      ] as const) {
        server.clock.advance(ms)
        await workOnce(server.deps)
        assert.equal(alarms() - before, called, 'at Adyen a refund may take three days')
      }
      await server.deps.database.rows('DELETE FROM acquirer_accounts')
      Object.assign(gateway, real)
      server.clock.advance(3_600_000)
      await workOnce(server.deps)
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
      assert.equal(answerOf(await refund(id, { refundId: 'r1' })), '201 pending')
      gateway.refund = (order) => {
        sent.push(order.refundId)
        return real(order)
      }
      server.clock.advance(1000)
      await workOnce(server.deps)
      assert.deepEqual(sent, ['r1', 'r1'])
      gateway.refund = real
      assert.equal((await merchantReads(id)).status, 'refunded')
    })
  })
})
