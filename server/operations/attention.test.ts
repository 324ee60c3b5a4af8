import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Check } from 'typebox/value'
import { DAY_MS, MINUTE_MS } from '#contract/jst.ts'
import { AttentionAnswer } from '#contract/merchant/attention.ts'
import type { AttentionItem, AttentionKind } from '#contract/merchant/attention-items.ts'
import { UNREGISTERED } from '#payment/mail-permission.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { saveTestAccount } from '../../proof/harness/test-accounts.ts'
import { API_KEYS, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { findAccount, saveCheck } from '../store/merchant/acquirer-accounts.ts'
import { registerByOperator } from '../store/outbox/mail-addresses.ts'
import { disputesWrite } from '../store/checkout/disputes.ts'
import { deliveriesWrite } from '../store/outbox/deliveries.ts'
import { readCheckoutSnapshot } from '../store/checkout/checkout-reads.ts'
import { endpointWrite } from '../store/merchant/webhook-endpoints.ts'
import { inquireIfDue } from './resolve-doubt.ts'

const SCOPE = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const
const UNKNOWN = { outcome: 'unknown', why: 'no answer in time' } as const

describe('what needs a person at a shop', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let client: MerchantClient
    before(async () => {
      client = await openMerchantClient(await open())
    })
    const itemsOf = async (key = API_KEYS.tea): Promise<AttentionItem[]> => {
      const answer = await client.get<AttentionAnswer>('/attention', key)
      assert.ok(Check(AttentionAnswer, answer), JSON.stringify(answer))
      assert.equal(answer.installation, undefined)
      return answer.items
    }
    const find = async <Kind extends AttentionKind>(
      kind: Kind,
    ): Promise<Extract<AttentionItem, { kind: Kind }> | null> =>
      (await itemsOf()).find((item): item is Extract<AttentionItem, { kind: Kind }> => item.kind === kind) ?? null

    test('nothing, where nothing is wrong', async () => {
      await client.createPaid()
      assert.deepEqual(await itemsOf(), [])
    })

    test('a payment in doubt appears with how long and when it is asked about next, and leaves when it is resolved', async () => {
      const since = client.clock.now()
      client.gateway.chargeOutcome = UNKNOWN
      const { id } = await client.create({ amount: 700 })
      const orderCode = await client.server.startAttempt(id)
      await client.server.pay(id, orderCode)
      client.gateway.chargeOutcome = null
      const fresh = await find('payments_in_doubt')
      assert.deepEqual([fresh?.count, fresh?.items[0]?.checkoutId, fresh?.items[0]?.amount], [1, id, 700])
      assert.deepEqual([fresh?.items[0]?.isLong, fresh?.items[0]?.since], [false, new Date(since).toISOString()])
      client.clock.advance(10 * MINUTE_MS)
      assert.equal((await find('payments_in_doubt'))?.items[0]?.isLong, true)
      assert.deepEqual(await itemsOf(API_KEYS.books), [], 'another shop reads nothing of it')
      client.gateway.inquire = async () => ({ outcome: 'not_charged' })
      const { database } = client.server.deps
      await inquireIfDue(
        client.server.deps,
        await readCheckoutSnapshot(database, { merchantId: SCOPE.merchantId, checkoutId: id }),
      )
      assert.deepEqual(await itemsOf(), [])
    })

    test('a charge whose server has died is in doubt from the end of its lease on', async () => {
      const { database } = client.server.deps
      const { id } = await client.create()
      const orderCode = await client.server.startAttempt(id)
      await database.rows(
        "UPDATE attempts SET state = 'charging', due_at = $2 WHERE order_code = $1",
        orderCode,
        client.clock.now(),
      )
      assert.equal(await find('payments_in_doubt'), null)
      client.clock.advance(1)
      assert.equal((await find('payments_in_doubt'))?.items[0]?.checkoutId, id)
      await database.rows("UPDATE attempts SET state = 'abandoned', due_at = NULL WHERE order_code = $1", orderCode)
    })

    test('a refund in doubt appears at once, and of an acquirer that tells hours later only after days', async () => {
      const { id } = await client.createPaid()
      const { refund } = client.gateway
      client.gateway.refund = async () => UNKNOWN
      await client.refund(id, { refundId: 'r1', amount: 100 })
      client.gateway.refund = refund
      const found = await find('refunds_in_doubt')
      assert.deepEqual([found?.count, found?.items[0]?.refundId, found?.items[0]?.isLong], [1, 'r1', false])
      const { database } = client.server.deps
      await saveTestAccount(database, SCOPE, { kind: 'adyen' })
      assert.equal(await find('refunds_in_doubt'), null)
      client.clock.advance(3 * DAY_MS)
      assert.equal((await find('refunds_in_doubt'))?.items[0]?.isLong, true)
      await database.rows('DELETE FROM acquirer_accounts')
      await database.rows("UPDATE refunds SET state = 'refused', due_at = NULL")
    })

    test('a dispute is told until its deadline has passed or it is over, the nearest deadline first', async () => {
      const { id } = await client.createPaid()
      const { database } = client.server.deps
      const now = client.clock.now()
      const dispute = (disputeId: string, more: object) => ({
        ...SCOPE,
        checkoutId: id,
        disputeId,
        orderCode: 'o',
        status: 'open' as const,
        amountYen: 1980,
        reason: 'fraudulent',
        respondBy: now + DAY_MS,
        openedAt: now,
        askedAt: now,
        movements: [],
        ...more,
      })
      await database.writeAll(
        disputesWrite([
          dispute('later', { respondBy: now + 2 * DAY_MS, status: 'inquiry' }),
          dispute('soon', {}),
          dispute('over', { status: 'lost' }),
          dispute('answered', { respondBy: null }),
        ]),
      )
      const named = async () => (await find('disputes_to_answer'))?.items.map(({ disputeId }) => disputeId) ?? []
      assert.deepEqual(await named(), ['soon', 'later'])
      client.clock.advance(DAY_MS + 1)
      assert.deepEqual(await named(), ['later'])
      client.clock.advance(DAY_MS)
      assert.deepEqual(await named(), [])
    })

    test('an account that fails its check is told with what was found, until it passes', async () => {
      const { database } = client.server.deps
      await saveTestAccount(database, SCOPE)
      assert.deepEqual(await itemsOf(), [], 'a test account needs no check')
      const account = (await findAccount(database, SCOPE)) ?? assert.fail()
      await saveCheck(database, account, { problems: 'one\ntwo' })
      const found = await find('acquirer_account')
      assert.deepEqual([found?.problem, found?.acquirer, found?.found], ['check_failed', 'stripe', ['one', 'two']])
      await saveCheck(database, account, { checkedAt: 1 })
      assert.deepEqual(await itemsOf(), [])
      await database.rows('DELETE FROM acquirer_accounts')
    })

    test('card testing is told while the challenge is forced', async () => {
      const { database } = client.server.deps
      const until = client.clock.now() + MINUTE_MS
      await database.rows('UPDATE merchants SET test_braked_until = $1 WHERE id = $2', until, SCOPE.merchantId)
      assert.equal((await find('card_testing'))?.until, new Date(until).toISOString())
      client.clock.advance(MINUTE_MS)
      assert.equal(await find('card_testing'), null)
    })

    test('webhooks that fail or were disabled are told without the query of their address, and given-up events until they are sent', async () => {
      const { database } = client.server.deps
      const { id } = await client.createPaid()
      const now = client.clock.now()
      const fresh = {
        types: null,
        generation: 1,
        previousUntil: null,
        createdAt: now,
        failingSince: null,
        disabled: null,
      }
      const endpoint = (name: string, more: object) =>
        endpointWrite({
          ...SCOPE,
          id: `we_${name}`,
          url: `https://shop.example.com/${name}?secret=1`,
          ...fresh,
          ...more,
        })
      await database.writeAll(endpoint('failing', { failingSince: now }))
      await database.writeAll(endpoint('gone', { disabled: { at: now, why: 'gone' }, failingSince: now }))
      await database.writeAll(endpoint('by-merchant', { disabled: { at: now, why: 'merchant' } }))
      const [event] = await database.rows('SELECT id, sequence FROM events WHERE checkout_id = $1', id)
      const told = { merchantId: SCOPE.merchantId, id: String(event?.['id']), sequence: 1, createdAt: now }
      await database.writeAll(deliveriesWrite([{ endpointId: 'we_failing', event: told }], now, 'once'))
      await database.rows("UPDATE deliveries SET state = 'failed', ended_at = $1, due_at = NULL", now)
      assert.deepEqual((await find('webhooks_failing'))?.items, [
        { webhookId: 'we_failing', address: 'shop.example.com/failing', since: new Date(now).toISOString() },
      ])
      const disabled = await find('webhooks_disabled')
      assert.deepEqual([disabled?.count, disabled?.items[0]?.because], [1, 'gone'])
      const givenUp = await find('deliveries_given_up')
      assert.deepEqual(
        [givenUp?.count, givenUp?.items[0]?.checkoutId, givenUp?.items[0]?.type],
        [1, id, 'checkout.paid'],
      )
      await database.rows("UPDATE deliveries SET state = 'delivered'")
      assert.equal(await find('deliveries_given_up'), null)
      await database.rows('DELETE FROM deliveries')
      await database.rows('DELETE FROM webhook_endpoints')
    })

    test('a mail that was not sent is told by its reason for a week, until a later one about its checkout was sent', async () => {
      const { database } = client.server.deps
      const { id } = await client.createPaid()
      const now = client.clock.now()
      const fail = (state: string, answer: string) =>
        database.rows(
          'UPDATE mails SET state = $1, answer = $2, ended_at = $3, next_try_at = NULL WHERE checkout_id = $4',
          state,
          answer,
          now,
          id,
        )
      for (const [state, answer, why] of [
        ['refused', '550 no such user', 'refused'],
        ['given_up', 'timeout', 'given_up'],
        ['refused', UNREGISTERED, 'not_registered'],
        ['refused', 'cap: 50 mails a day', 'cap'],
      ] as const) {
        await fail(state, answer)
        const found = await find('mails_not_sent')
        const [item] = found?.items ?? []
        assert.deepEqual([found?.count, item?.checkoutId, item?.mail, item?.why], [1, id, 'receipt', why])
      }
      assert.deepEqual((await client.get<AttentionAnswer>('/attention', API_KEYS.books)).items, [])
      client.clock.advance(MINUTE_MS)
      await client.send(`/checkouts/${id}/receipt`, { method: 'POST' })
      assert.equal((await find('mails_not_sent'))?.count, 1)
      await database.rows("UPDATE mails SET state = 'sent' WHERE kind = 'reissue'")
      assert.equal(await find('mails_not_sent'), null)
      await database.rows("DELETE FROM mails WHERE kind = 'reissue'")
      assert.equal((await find('mails_not_sent'))?.count, 1)
      client.clock.advance(7 * DAY_MS)
      assert.equal(await find('mails_not_sent'), null)
    })

    test('a shop that wants mails about its payments is told why it gets none', async () => {
      const { database } = client.server.deps
      const set = (notifications: object) =>
        client.send('/settings', { method: 'PATCH', headers: { 'if-match': '*' }, payload: { notifications } })
      assert.equal((await set({ address: 'shop@example.com', paid: true })).statusCode, 200)
      assert.deepEqual(await find('notification_address'), {
        kind: 'notification_address',
        problem: 'not_registered',
        address: 'shop@example.com',
      })
      await registerByOperator(
        database,
        { merchantId: SCOPE.merchantId, address: 'shop@example.com' },
        client.clock.now(),
      )
      assert.equal(await find('notification_address'), null)
      await set({ paid: null })
      assert.deepEqual(await itemsOf(), [])
    })
  })
})
