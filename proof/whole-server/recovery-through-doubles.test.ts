import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '#contract/jst.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { Gateway } from '#payment/ports.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../harness/merchant-client.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { orderWithCard } from '../gateway-contract/gateway-under-test.ts'
import { accountOfAll } from '../promises/shared-account.ts'
import { API_KEY, HMAC_KEY, MERCHANT_ACCOUNT, REPORT_KEY, serveAdyen, START } from '../../sandbox/testing/adyen.ts'
import { serveStripe, STRIPE_CARD, STRIPE_KEY } from '../../sandbox/testing/stripe.ts'
import { systemClock } from '../../server/dependencies.ts'
import { adyenAccountOf } from '../../server/gateways/adyen/account.ts'
import { createAdyenGateway } from '../../server/gateways/adyen/gateway.ts'
import { openAdyenInbox } from '../../server/gateways/adyen/inbox.ts'
import { createStripeGateway } from '../../server/gateways/stripe/gateway.ts'
import { orderCodeOf, randomId } from '../../server/ids.ts'
import { restoreWrite } from '../../server/store/backup/restore-marker.ts'
import { storeNotifications } from '../../server/store/merchant/acquirer-notifications.ts'
import { reconcile } from '../../server/operations/reconcile.ts'
import { compareHeld } from '../../server/operations/recovery/compare-held.ts'
import { recoverIfRestored, type Recovery } from '../../server/operations/recovery/recover-after-restore.ts'
import { releaseCheckouts } from '../../server/store/backup/held-checkouts.ts'
import { settleDoubt } from '../../server/operations/recovery/settle-doubt.ts'

const SCOPE = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const
const TIMEOUT_MS = 20_000

/** Charges a checkout as a server does whose database is lost: here nothing of it is known. */
const chargeUnseen = async (gateway: Gateway, checkoutId: string, amountYen: number): Promise<string> => {
  const orderCode = orderCodeOf({ merchantId: TEA_MERCHANT.id, checkoutId }, randomId())
  const charged = await gateway.charge({ ...orderWithCard(STRIPE_CARD, amountYen), orderCode }, async () => true)
  assert.equal(charged.outcome, 'charged', JSON.stringify(charged))
  return orderCode
}

const recoverFrom = async ({ server: { deps } }: MerchantClient): Promise<Recovery> => {
  const restoredAt = deps.clock.now()
  await deps.database.writeAll([restoreWrite({ restoredAt, takenAt: restoredAt - HOUR_MS })])
  const recovered = await recoverIfRestored(deps)
  if (recovered === null || 'problem' in recovered) assert.fail(JSON.stringify(recovered))
  return recovered
}

/** A server whose clock is that of the double. */
const openAt = async (now: number, ...args: Parameters<typeof openMerchantClient>): Promise<MerchantClient> => {
  const client = await openMerchantClient(...args)
  client.clock.advance(now - client.clock.now())
  return client
}

const statusOf = async (client: MerchantClient, id: string): Promise<string> =>
  (await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)).status

onBothDatabases((engine) => {
  test('through Stripe what was charged since the backup is paid, and an order without an answer is closed until it is settled', async (t) => {
    const { port } = await serveStripe(t)
    const account = { apiBase: `http://127.0.0.1:${port}/stripe`, secretKey: STRIPE_KEY }
    const stripe = createStripeGateway(account, TIMEOUT_MS)
    const database = await engine.open()
    let silentAbout = ''
    const client = await openAt(systemClock.now(), database, {
      ...stripe,
      inquire: async (order) =>
        order.orderCode === silentAbout
          ? { outcome: 'unknown', why: 'connection lost', isSilence: true }
          : stripe.inquire(order),
    })
    const [seen, unseen, unpaid] = [
      await client.create({ amount: 700 }),
      await client.create({ amount: 800 }),
      await client.create({ amount: 900 }),
    ]
    await chargeUnseen(stripe, seen.id, 700)
    silentAbout = await chargeUnseen(stripe, unseen.id, 800)
    const { charges, held, unanswered } = await recoverFrom(client)
    assert.deepEqual([charges, held, unanswered.map(({ orderCode }) => orderCode)], [1, 0, [silentAbout]])
    assert.deepEqual([await statusOf(client, seen.id), await statusOf(client, unpaid.id)], ['paid', 'open'])
    assert.equal((await client.server.submitCard(unseen.id)).statusCode, 409)
    client.clock.advance(11 * 60_000)
    const approvedAt = systemClock.now()
    const settled = { as: 'charged', why: 'seen there', transactionId: 'ch_1', reference: null, approvedAt } as const
    assert.equal(await settleDoubt(client.server.deps, silentAbout, settled), 'settled')
    const compared = await reconcile(database, [await accountOfAll(database, client.gateway)], ALL_TIME, (found) =>
      assert.fail(JSON.stringify(found)),
    )
    assert.partialDeepStrictEqual(compared, { charges: 2, discrepancies: 0, inDoubt: 0, unanswered: 0 })
  })

  test('through Adyen what was open in the backup is closed until a report names it, the reports cover the time, or an operator opens it', async (t) => {
    const double = await serveAdyen(t)
    const apiBase = `http://127.0.0.1:${double.port}/adyen`
    const credentials = {
      apiKey: API_KEY,
      merchantAccount: MERCHANT_ACCOUNT,
      hmacKey: HMAC_KEY,
      reportApiKey: REPORT_KEY,
    }
    const account = adyenAccountOf(credentials, { mode: 'test', apiBase }) ?? assert.fail()
    const database = await engine.open()
    const inbox = openAdyenInbox(database, SCOPE)
    const returnUrl = 'https://tea.example/'
    const clock = { now: () => START }
    const adyen = createAdyenGateway({ account, returnUrl, inbox, timeoutMs: TIMEOUT_MS, clock })
    const client = await openAt(START + 1000, database, adyen)
    const { deps } = client.server
    /** Closes a report, and tells of it as the route of notifications does. */
    const tellReport = async (batch: number): Promise<void> => {
      await double.control('reports', { merchantAccount: MERCHANT_ACCOUNT })
      const fileName = `settlement_detail_report_batch_${batch}.csv`
      const now = deps.clock.now()
      const unset = {
        orderCode: null,
        refundId: null,
        amountYen: null,
        originalReference: null,
        disputeId: null,
        respondBy: null,
        reason: null,
      }
      const reportAddress = `${apiBase}/reports/download/MerchantAccount/${MERCHANT_ACCOUNT}/${fileName}`
      const told = { pspReference: fileName, reportAddress, occurredAt: now, receivedAt: now, handledAt: now }
      await storeNotifications(database, [
        { ...SCOPE, id: fileName, event: 'REPORT_AVAILABLE', success: true, ...unset, ...told },
      ])
    }
    const [paid, found, unpaid] = [
      await client.create({ amount: 700 }),
      await client.create({ amount: 800 }),
      await client.create({ amount: 900 }),
    ]
    await chargeUnseen(adyen, paid.id, 700)
    const order = await chargeUnseen(adyen, found.id, 800)
    assert.partialDeepStrictEqual(await recoverFrom(client), { charges: 0, held: 3 })
    for (const { id } of [paid, found, unpaid]) assert.equal((await client.server.submitCard(id)).statusCode, 409)
    const fresh = await client.create({ amount: 5 })
    assert.equal((await client.server.submitCard(fresh.id)).statusCode, 200, 'a checkout of after the restore')
    const lost = { as: 'charged', why: 'seen there', transactionId: 'psp', approvedAt: START } as const
    assert.equal(await settleDoubt(deps, order, { ...lost, reference: null }), 'no reference')
    assert.equal(await settleDoubt(deps, order, { ...lost, reference: 'KHQC5N7G84BLNK43' }), 'settled')
    assert.equal(await statusOf(client, found.id), 'paid', 'by an operator, under the order code that Adyen shows')
    await tellReport(1)
    assert.partialDeepStrictEqual(await compareHeld(deps), { charges: 1, released: 0, held: 1 })
    assert.deepEqual([await statusOf(client, paid.id), await statusOf(client, unpaid.id)], ['paid', 'open'])
    client.clock.advance(15 * DAY_MS)
    await tellReport(2)
    assert.partialDeepStrictEqual(await compareHeld(deps), { charges: 0, released: 1, held: 0, why: [] })
    const by = { actor: 'operator', why: 'nothing is held', now: deps.clock.now() } as const
    assert.equal(await releaseCheckouts(deps.database, SCOPE, { byHand: 'all' }, by), 0)
  })
})
