import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { EventAnswer } from '#contract/merchant/events.ts'
import type { SummaryAnswer } from '#contract/merchant/reports.ts'
import type { TimelineItem } from '#contract/merchant/timeline.ts'
import type { AcquirerDispute, DisputeMovement, DisputePage, Period, UnreadableDispute } from '#payment/ports.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { accountOfAll } from '../../proof/promises/shared-account.ts'
import { readDisputes } from '../background/read-disputes.ts'
import type { AcquirerAccount, Dependencies } from '../dependencies.ts'
import { integer, text } from '../store/engine/columns.ts'
import { fanOut } from '../store/outbox/fan-out.ts'
import { findDisputesToAskFor, recordDisputes } from './record-disputes.ts'

describe('disputes of an account', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let told: AcquirerDispute[] = []
    let unreadable: UnreadableDispute[] = []
    const periods: Period[] = []
    /** One dispute a page. */
    const disputes = async (openedIn: Period, after: string | null): Promise<DisputePage> => {
      periods.push(openedIn)
      const place = Number(after ?? 0)
      const next = place + 1 < told.length ? String(place + 1) : null
      return { outcome: 'page', disputes: told.slice(place, place + 1), unreadable, after: next }
    }
    let deps: Dependencies
    before(async () => {
      shop = await openMerchantClient(await open(), { disputes })
      const { gateway, server } = shop
      const accounts = async () => [await accountOfAll(server.deps.database, gateway)]
      deps = { ...server.deps, gateways: { ...server.deps.gateways, of: async () => gateway, accounts } }
    })

    const paidOrder = async (): Promise<{ id: string; orderCode: string }> => {
      const { id } = await shop.createPaid({ amount: 1980 })
      const [row] = await deps.database.rows('SELECT order_code FROM attempts WHERE checkout_id = $1', id)
      return { id, orderCode: text(row ?? {}, 'order_code') }
    }
    const movement = (kind: DisputeMovement['kind'], movementId: string, amountYen = 1980): DisputeMovement => ({
      kind,
      movementId,
      amountYen,
      movedAt: shop.clock.now(),
    })
    let numbered = 0
    const disputeOf = (orderCode: string, more: Partial<AcquirerDispute> = {}): AcquirerDispute => ({
      disputeId: `dp_${(numbered += 1)}`,
      orderCode,
      status: 'open',
      amountYen: 1980,
      reason: 'fraudulent',
      respondBy: shop.clock.now() + DAY_MS,
      openedAt: shop.clock.now(),
      movements: [movement('chargeback', `txn_${numbered}`)],
      ...more,
    })
    const read = async (...now: AcquirerDispute[]): Promise<void> => {
      told = now
      await readDisputes(deps)
      shop.clock.advance(1000)
    }
    const events = async (id: string): Promise<EventAnswer[]> => {
      while ((await fanOut(deps.database, shop.clock.now())) > 0);
      const all = await shop.all<EventAnswer>('/events')
      return all.filter(({ data }) => data.checkout?.id === id && data.dispute !== undefined).toReversed()
    }
    const typesOf = async (id: string): Promise<string[]> => (await events(id)).map(({ type }) => type)
    const ledgerOf = async (id: string): Promise<string[]> =>
      (
        await deps.database.rows(
          `SELECT entry, account, amount_yen FROM ledger_lines WHERE checkout_id = $1 AND SUBSTR(entry, 1, 10) = 'chargeback'`,
          id,
        )
      )
        .map((row) => `${text(row, 'entry')}: ${text(row, 'account')} ${integer(row, 'amount_yen')}`)
        .toSorted()
    const shown = async (id: string): Promise<MerchantCheckoutAnswer> => shop.get(`/checkouts/${id}`)

    test('one is told, booked and shown with its checkout, and read again it changes nothing', async () => {
      const { id, orderCode } = await paidOrder()
      assert.equal('disputes' in (await shown(id)), false)
      const dispute = disputeOf(orderCode)
      const [{ movementId } = assert.fail()] = dispute.movements
      for (let times = 0; times < 3; times += 1) await read(dispute)
      const booked = [`chargeback ${orderCode} ${movementId}`].flatMap((entry) => [
        `${entry}: acquirer -1980`,
        `${entry}: chargeback 1980`,
      ])
      assert.deepEqual(await ledgerOf(id), booked)
      const [opened = assert.fail(), ...more] = await events(id)
      assert.deepEqual([opened.type, more], ['dispute.opened', []])
      const answer = {
        id: dispute.disputeId,
        status: 'open',
        amount: 1980,
        withdrawnAmount: 1980,
        reason: 'fraudulent',
        respondBy: new Date(dispute.respondBy ?? 0).toISOString(),
        openedAt: new Date(dispute.openedAt).toISOString(),
      }
      assert.deepEqual(opened.data.dispute, answer)
      assert.deepEqual(opened.data.checkout?.disputes, [answer])
      const { status, disputes: known } = await shown(id)
      assert.deepEqual([status, known], ['paid', [answer]])
      const changed = (await shop.all<TimelineItem>(`/checkouts/${id}/timeline`)).filter(
        ({ what }) => what === 'dispute',
      )
      assert.deepEqual(
        changed.map((line) => [line.id, line.from, line.to, line.by]),
        [[dispute.disputeId, undefined, 'open', 'settlement']],
      )
      const warned = shop.server.logLines.filter((line) => line.includes('a payment is disputed'))
      const [line = '', ...lines] = warned
      assert.ok(line.includes(orderCode) && !line.includes(id) && lines.length === 0, line)
    })

    test('one that is won returns the money, and a second chargeback takes it again', async () => {
      const { id, orderCode } = await paidOrder()
      const dispute = disputeOf(orderCode)
      await read(dispute)
      assert.equal((await shop.refund(id, { refundId: 'r' })).statusCode, 422)
      const back = movement('chargeback_reversal', 'txn_back')
      await read({ ...dispute, status: 'won', respondBy: null, movements: [...dispute.movements, back] })
      assert.equal((await shown(id)).disputes?.[0]?.withdrawnAmount, 0)
      const again = movement('chargeback', 'txn_again')
      await read({ ...dispute, status: 'lost', movements: [...dispute.movements, back, again] })
      assert.deepEqual(await typesOf(id), ['dispute.opened', 'dispute.closed', 'dispute.closed'])
      assert.equal((await ledgerOf(id)).length, 6)
      const refused = await shop.refund(id, { refundId: 'r', amount: 1 })
      const { code, params, message } = refused.json<{ code: string; params: object; message: string }>()
      assert.deepEqual([code, params], ['refund_exceeds_payment', { remaining: 0 }])
      assert.match(message, /dispute/)
      assert.equal((await shown(id)).status, 'paid')
    })

    test('an inquiry takes nothing, so all can still be refunded; it is told again when it becomes a chargeback', async () => {
      const { id, orderCode } = await paidOrder()
      const inquiry = disputeOf(orderCode, { status: 'inquiry', movements: [] })
      await read(inquiry)
      assert.deepEqual(await ledgerOf(id), [])
      assert.equal((await shop.refund(id, { refundId: 'r', amount: 980 })).statusCode, 201)
      await read({ ...inquiry, status: 'open', movements: [movement('chargeback', 'txn_later', 1000)] })
      assert.deepEqual(await typesOf(id), ['dispute.opened', 'dispute.opened'])
      assert.equal((await shop.refund(id, { refundId: 's' })).statusCode, 422)
    })

    test('summary and export have chargebacks and reversals for themselves', async () => {
      const client = await openMerchantClient(await open(), { disputes })
      const { id } = await client.createPaid({ amount: 1000, taxes: [{ rate: 10, amount: 1000 }], subject: 'Tea' })
      const { database } = client.server.deps
      const [row] = await database.rows('SELECT order_code FROM attempts WHERE checkout_id = $1', id)
      const at = client.clock.now()
      const movements: DisputeMovement[] = [
        { kind: 'chargeback', movementId: 'txn_a', amountYen: 1000, movedAt: at },
        { kind: 'chargeback_reversal', movementId: 'txn_b', amountYen: 400, movedAt: at + 1 },
      ]
      told = [{ ...disputeOf(text(row ?? {}, 'order_code')), movements }]
      await recordDisputes(client.server.deps, await accountOfAll(database, client.gateway), { from: 0, to: at })
      const { total } = await client.get<SummaryAnswer>('/summary')
      assert.deepEqual(total, {
        charges: 1,
        chargedAmount: 1000,
        refunds: 0,
        refundedAmount: 0,
        chargebacks: 1,
        chargebackAmount: 1000,
        chargebackReversals: 1,
        reversedAmount: 400,
        netAmount: 400,
      })
      const csv = (await client.send('/exports/movements.csv?taxes=true')).body.split('\r\n').slice(1, -1)
      assert.deepEqual(
        csv.map((line) => [line.split(',')[2], line.split(',').slice(-8).join()]),
        [
          ['charge', '1000,90,0,0,0,,,'],
          ['chargeback', ',,,,,1000,,txn_a'],
          ['chargeback_reversal', ',,,,,,400,txn_b'],
        ],
      )
    })

    test('of every page each is recorded; an order of another system or of another account is left alone', async () => {
      const { id, orderCode } = await paidOrder()
      const { id: other, orderCode: otherOrder } = await paidOrder()
      await read(disputeOf('order-of-another-system'), disputeOf('a'.repeat(32)), disputeOf(orderCode))
      assert.deepEqual(await typesOf(id), ['dispute.opened'])
      const account: AcquirerAccount = { gateway: shop.gateway, scopes: [{ merchantId: 'books-id', mode: 'test' }] }
      told = [disputeOf(otherOrder)]
      assert.deepEqual(await recordDisputes(deps, account, { from: 0, to: shop.clock.now() }), { outcome: 'read' })
      assert.deepEqual([await typesOf(other), await ledgerOf(other)], [[], []])
    })

    test('two that read at the same time record it once', async () => {
      const { id, orderCode } = await paidOrder()
      told = [disputeOf(orderCode)]
      await Promise.all([readDisputes(deps), readDisputes(deps), readDisputes(deps)])
      assert.deepEqual([await typesOf(id), (await ledgerOf(id)).length], [['dispute.opened'], 2])
    })

    test('of a checkout whose payment is not recorded nothing is booked yet', async () => {
      const { id } = await shop.create()
      const orderCode = await shop.server.startAttempt(id)
      await read(disputeOf(orderCode))
      assert.deepEqual([await typesOf(id), await ledgerOf(id)], [[], []])
    })

    test('they are asked for since 180 days ago, or since the oldest that is not over', async () => {
      const { orderCode } = await paidOrder()
      const now = shop.clock.now()
      const old = disputeOf(orderCode, { openedAt: now - 200 * DAY_MS })
      await read({ ...old, status: 'lost' })
      periods.length = 0
      await read(old)
      assert.ok((periods[0]?.from ?? 0) > now - 181 * DAY_MS)
      assert.equal((await findDisputesToAskFor(deps.database, shop.clock.now())).from, old.openedAt)
      await read({ ...old, openedAt: now - 541 * DAY_MS })
      const { from } = await findDisputesToAskFor(deps.database, now)
      assert.equal(from, now - 180 * DAY_MS, 'not for ever')
      await read({ ...old, status: 'lost' })
    })

    test('one account that fails, is silent or lists without an end holds up no other', async () => {
      const { id, orderCode } = await paidOrder()
      const good = await accountOfAll(deps.database, shop.gateway)
      const withDisputes = (asked: typeof disputes): AcquirerAccount => ({
        ...good,
        gateway: { ...shop.gateway, disputes: asked },
      })
      let pages = 0
      const bad = [
        withDisputes(async () => {
          throw new Error('broken')
        }),
        withDisputes(async () => ({ outcome: 'unknown', why: 'HTTP 503' })),
        withDisputes(async () => ({ outcome: 'page', disputes: [], after: String((pages += 1)) })),
      ]
      told = [disputeOf(orderCode)]
      await readDisputes({ ...deps, gateways: { ...deps.gateways, accounts: async () => [...bad, good] } })
      assert.deepEqual(await typesOf(id), ['dispute.opened'])
      assert.equal(pages, 1000)
      assert.ok(shop.server.logLines.some((line) => line.includes('HTTP 503')))
    })

    test('one that cannot be read is set aside alone with one alarm, all others are booked, and it is booked once it can be', async () => {
      const { id, orderCode } = await paidOrder()
      const { id: other, orderCode: otherOrder } = await paidOrder()
      const [bad, good] = [disputeOf(orderCode), disputeOf(otherOrder)]
      const setAside = async (): Promise<string[]> =>
        (await deps.database.rows("SELECT id FROM set_aside WHERE queue = 'disputes'")).map((row) => text(row, 'id'))
      const alarms = (): number => shop.server.logLines.filter((line) => line.includes('was set aside')).length
      const elsewhere = { disputeId: 'dp_elsewhere', orderCode: 'order-of-another-system', why: 'unclear' }
      unreadable = [{ disputeId: bad.disputeId, orderCode, why: 'unclear' }, elsewhere]
      const before = alarms()
      for (let times = 0; times < 3; times += 1) await read(good)
      assert.deepEqual(await setAside(), [bad.disputeId])
      assert.equal(alarms(), before + 1)
      assert.deepEqual([await typesOf(other), await typesOf(id)], [['dispute.opened'], []])
      unreadable = []
      await read(bad, good)
      assert.deepEqual(await typesOf(id), ['dispute.opened'])
    })

    test('of an account without end no more than a hundred are set aside, and the readable ones are booked', async () => {
      const { id, orderCode } = await paidOrder()
      unreadable = Array.from({ length: 130 }, (_, place) => ({ disputeId: `x${place}`, orderCode, why: 'unclear' }))
      await read(disputeOf(orderCode))
      unreadable = []
      const [row = {}] = await deps.database.rows("SELECT COUNT(*) AS n FROM set_aside WHERE queue = 'disputes'")
      assert.equal(integer(row, 'n'), 100)
      assert.deepEqual(await typesOf(id), ['dispute.opened'])
    })

    test('every entry of the books adds up to zero, and what is recorded is what is booked', async () => {
      const unbalanced = await deps.database.rows(
        'SELECT entry FROM ledger_lines GROUP BY merchant_id, entry HAVING SUM(amount_yen) <> 0',
      )
      assert.deepEqual(unbalanced, [])
    })
  })
})
