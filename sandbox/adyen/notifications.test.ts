import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import Schema from 'typebox/schema'
import { field, makeTemporaryFolder, pollUntil } from '../testing/acquirer.ts'
import {
  HMAC_KEY,
  MERCHANT_ACCOUNT,
  openAccount,
  pspReferenceOf,
  serveAdyen,
  serveReceiver,
  START,
  withCard,
  type AdyenClient,
} from '../testing/adyen.ts'
import { createDeliveries, retryPauseMs } from './deliveries.ts'
import { notificationBody, parseItem, signatureOf, type NotificationItem } from './notifications.ts'
import { openAdyenStore } from './store.ts'

const document: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'vendor', 'webhooks-v1.json'), 'utf8'))
const components = field(document, 'components')

const assertNotification = (body: unknown): void => {
  const name = field(field(document, 'webhooks'), String(field(itemOf(body), 'eventCode')))
  const [isValid, errors] = Schema.Errors({ $ref: `#/components/schemas/${String(name)}`, components }, body)
  assert.ok(isValid, `${String(name)}: ${JSON.stringify(errors)}`)
}

const itemOf = (body: unknown): unknown => {
  const [item] = [field(body, 'notificationItems')].flat()
  return field(item, 'NotificationRequestItem')
}

const eventOf = (body: unknown): string => [field(itemOf(body), 'eventCode'), field(itemOf(body), 'success')].join(' ')

const merchantAccount = MERCHANT_ACCOUNT

interface Notified {
  readonly adyen: AdyenClient
  readonly bodies: () => unknown[]
  readonly deliver: () => Promise<unknown>
  readonly answerWith: (status: number) => void
}

const serveNotified = async (t: TestContext): Promise<Notified> => {
  const adyen = await serveAdyen(t)
  const receiver = await serveReceiver(t)
  await openAccount(adyen, receiver.url)
  return {
    adyen,
    bodies: () => receiver.received.map((text): unknown => JSON.parse(text)),
    deliver: async () => (await adyen.control('webhooks/deliver', { merchantAccount })).body,
    answerWith: receiver.answerWith,
  }
}

const sample = (change: Partial<NotificationItem>): NotificationItem => ({
  pspReference: 'QFQTPCQ8HXSKGK82',
  merchantAccountCode: MERCHANT_ACCOUNT,
  merchantReference: 'order-1.capture',
  amount: { value: 1980, currency: 'JPY' },
  eventCode: 'CAPTURE',
  success: 'true',
  eventDate: '',
  reason: '',
  additionalData: {},
  ...change,
})

describe('a notification of the double of Adyen', { concurrency: true }, () => {
  test('its signature is the one that Adyen’s own library computes', () => {
    // Computed with hmacValidator.calculateHmac of @adyen/api-library 32.1.0.
    assert.equal(
      signatureOf(sample({ originalReference: '9913140798220028' }), HMAC_KEY),
      'Tmq1pACOsefSzmqY/63T5mSoylM6hi8d7mBJ7fu2w+I=',
    )
    const authorisation = sample({
      pspReference: '993617895204576J',
      merchantReference: 'order:1\\x',
      amount: { value: 0, currency: 'JPY' },
      eventCode: 'AUTHORISATION',
      success: 'false',
    })
    assert.equal(signatureOf(authorisation, HMAC_KEY), 'oL3Sgh0Q2Y+MZKIl+a1Q8pibEXPPEupuHmMG5+qgduQ=')
  })

  test('every event is signed and as Adyen’s schema describes it', async (t) => {
    const { adyen, bodies, deliver } = await serveNotified(t)
    const psp = await adyen.authorised('order-1')
    const capture = pspReferenceOf(await adyen.capture(psp))
    const refund = pspReferenceOf(await adyen.refund(psp, 500))
    await adyen.control('fail', { pspReference: refund })
    await adyen.cancel(psp)
    await adyen.cancelByReference('order-1')
    await adyen.cancelByReference('order-9')
    await adyen.control('disputes', { event: 'CHARGEBACK', pspReference: psp, amountYen: 1000 })
    await adyen.control('fail', { pspReference: capture })
    await adyen.control('reports', { merchantAccount })
    await adyen.pay('order-2', withCard('4100000000751009'))
    await deliver()
    assert.deepEqual(bodies().map(eventOf), [
      'AUTHORISATION true',
      'CAPTURE true',
      'REFUND true',
      'REFUND_FAILED true',
      'CANCELLATION false',
      'TECHNICAL_CANCEL false',
      'TECHNICAL_CANCEL false',
      'CHARGEBACK true',
      'CAPTURE_FAILED true',
      'REPORT_AVAILABLE true',
      'AUTHORISATION false',
    ])
    for (const body of bodies()) {
      assertNotification(body)
      assert.equal(field(body, 'live'), 'false')
      const item = parseItem(JSON.stringify(itemOf(body)))
      const { hmacSignature, ...additionalData } = item.additionalData
      assert.equal(hmacSignature, signatureOf({ ...item, additionalData }, HMAC_KEY))
    }
  })

  test('a modification is found by the payment’s reference at Adyen; its merchant reference is that of its own request', async (t) => {
    const { adyen, bodies, deliver } = await serveNotified(t)
    const psp = await adyen.authorised('order-1')
    const capture = pspReferenceOf(await adyen.capture(psp))
    const cancel = pspReferenceOf(await adyen.cancel(psp))
    const unknown = pspReferenceOf(await adyen.cancelByReference('order-9'))
    await adyen.control('disputes', { event: 'CHARGEBACK', pspReference: psp })
    await deliver()
    const ids = bodies().map((body) =>
      ['pspReference', 'originalReference', 'merchantReference'].map((name) => field(itemOf(body), name)),
    )
    assert.deepEqual(ids.slice(0, 4), [
      [psp, undefined, 'order-1'],
      [capture, psp, 'capture-1'],
      [cancel, psp, ''],
      [unknown, undefined, 'order-9'],
    ])
    assert.deepEqual(ids[4]?.slice(1), [psp, 'order-1'])
    const dispute = itemOf(bodies()[4])
    assert.deepEqual(field(dispute, 'amount'), { currency: 'JPY', value: 1980 })
    assert.equal(field(field(dispute, 'additionalData'), 'grossValue'), '1980')
    assert.equal(field(dispute, 'eventDate'), '2026-11-18T12:00:00+09:00')
  })

  test('it goes out by itself, and again after each pause until it is accepted', async (t) => {
    const { adyen, bodies, answerWith } = await serveNotified(t)
    const waitFor = (count: number): Promise<unknown[]> =>
      pollUntil(
        () => Promise.resolve(bodies()),
        (all) => all.length >= count,
      )
    const state = async (): Promise<unknown[]> => {
      const url = `http://127.0.0.1:${adyen.port}/adyen/control/webhooks?merchantAccount=${merchantAccount}`
      const [item] = [field(await (await fetch(url)).json(), 'items')].flat()
      return [field(item, 'attempts'), field(item, 'delivered')]
    }
    answerWith(500)
    await adyen.pay('order-1')
    await waitFor(1)
    await pollUntil(state, ([attempts]) => attempts === 1)
    await adyen.control('clock', { advanceMs: retryPauseMs(1) - 1 })
    assert.deepEqual(await state(), [1, false])
    await adyen.control('clock', { advanceMs: 1 })
    await waitFor(2)
    await pollUntil(state, ([attempts]) => attempts === 2)
    answerWith(202)
    await adyen.control('clock', { advanceMs: retryPauseMs(2) })
    const [first, ...others] = await waitFor(3)
    assert.deepEqual(others, [first, first])
    await pollUntil(state, ([, delivered]) => delivered === true)
    await adyen.control('clock', { advanceMs: 10 * retryPauseMs(99) })
    assert.deepEqual(await state(), [3, true])
    assert.equal(bodies().length, 3)
  })

  test('it is tried once for each pause, however often deliveries are asked for meanwhile', async (t) => {
    const store = openAdyenStore(join(makeTemporaryFolder(t), 'adyen.sqlite'))
    t.after(store.close)
    const keys = { apiKeyHash: 'a', reportKeyHash: 'b' }
    store.saveAccount({ merchantAccount, webhookUrl: 'http://receiver.example', hmacKey: null, isLive: false, ...keys })
    store.addNotification(merchantAccount, 'QFQTPCQ8HXSKGK82', JSON.stringify(sample({})), START)
    const sent: string[] = []
    const deliveries = createDeliveries(
      store,
      () => START,
      (url) => Promise.resolve(sent.push(url) < 0),
    )
    await Promise.all([deliveries.sendDue(), deliveries.sendDue(), deliveries.sendDue()])
    assert.deepEqual(sent, ['http://receiver.example'])
    assert.deepEqual(await deliveries.sendAll(merchantAccount), { delivered: 0, waiting: 1 })
    assert.equal(sent.length, 2)
  })

  test('it says whether its account is of the live platform, and forgets it when the account is opened for tests', (t) => {
    const store = openAdyenStore(join(makeTemporaryFolder(t), 'adyen.sqlite'))
    t.after(store.close)
    const settings = { merchantAccount, webhookUrl: null, hmacKey: null, apiKeyHash: 'a', reportKeyHash: 'b' }
    const said = [true, true, false].map((isLive) => {
      store.saveAccount({ ...settings, isLive })
      return notificationBody(sample({}), store.account(merchantAccount) ?? assert.fail())['live']
    })
    assert.deepEqual(said, ['true', 'true', 'false'])
  })

  test('pauses between attempts are those of Adyen, and the last is kept', () => {
    const minutes = Array.from({ length: 14 }, (_, index) => retryPauseMs(index + 1) / 60_000)
    assert.deepEqual(minutes, [0.15, 0.15, 0.15, 2, 5, 10, 15, 30, 60, 120, 240, 480, 480, 480])
  })

  test('what could not be delivered is kept, and goes out when an address that accepts it is set', async (t) => {
    const adyen = await serveAdyen(t)
    await openAccount(adyen, 'http://127.0.0.1:9/nobody')
    const psp = await adyen.authorised('order-1')
    await adyen.capture(psp)
    const deliver = async (): Promise<unknown> => (await adyen.control('webhooks/deliver', { merchantAccount })).body
    assert.deepEqual(await deliver(), { delivered: 0, waiting: 2 })
    const receiver = await serveReceiver(t)
    await openAccount(adyen, receiver.url)
    assert.deepEqual(await deliver(), { delivered: 2, waiting: 0 })
    assert.equal(receiver.received.length, 2)
    assert.deepEqual(await deliver(), { delivered: 0, waiting: 0 })
  })

  test('a redirect is no acceptance, and is not followed', async (t) => {
    const { bodies, deliver, adyen, answerWith } = await serveNotified(t)
    answerWith(302)
    await adyen.pay('order-1')
    assert.equal(field(await deliver(), 'waiting'), 1)
    const all = bodies()
    assert.ok(all.length >= 1)
    assert.ok(all.every((body) => eventOf(body) === 'AUTHORISATION true'))
  })

  test('an event is sent once more where a test asks for a duplicate', async (t) => {
    const { adyen, bodies, deliver } = await serveNotified(t)
    const pspReference = await adyen.authorised('order-1')
    await deliver()
    assert.equal(bodies().length, 1)
    const again = await adyen.control('webhooks/again', { merchantAccount, pspReference })
    assert.deepEqual(again.body, { events: 1 })
    await deliver()
    const [first, second] = await pollUntil(
      () => Promise.resolve(bodies()),
      (all) => all.length === 2,
    )
    assert.deepEqual(second, first)
  })
})
