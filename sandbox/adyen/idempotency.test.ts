import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import { MERCHANT_ACCOUNT, serveAdyen, withCard, type AdyenClient } from '../testing/adyen.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const paymentsOf = async (adyen: AdyenClient, reference: string): Promise<number> =>
  [field(await adyen.order(reference), 'payments')].flat().length

describe('an idempotency key at the double of Adyen', { concurrency: true }, () => {
  test('the same key with the same body gets the stored answer, for every call', async (t) => {
    const adyen = await serveAdyen(t)
    const first = await adyen.pay('order-1', {}, { key: 'k-pay' })
    assert.equal(first.headers.get('idempotency-key'), 'k-pay')
    const again = await adyen.pay('order-1', {}, { key: 'k-pay' })
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.equal(again.headers.get('idempotency-key'), 'k-pay')
    assert.equal(await paymentsOf(adyen, 'order-1'), 1)
    const psp = String(field(first.body, 'pspReference'))
    for (const call of [
      () => adyen.capture(psp, 1980, { key: 'k-capture' }),
      () => adyen.refund(psp, 500, { key: 'k-refund' }),
      () => adyen.cancel(psp, { key: 'k-cancel' }),
      () => adyen.cancelByReference('order-1', { key: 'k-reference' }),
    ]) {
      const answer = await call()
      assert.equal(answer.status, 201)
      assert.deepEqual((await call()).body, answer.body)
    }
    const order = await adyen.order('order-1')
    assert.deepEqual([field(order, 'chargedYen'), field(order, 'refundedYen')], [1980, 500])
    assert.equal((await adyen.events()).length, 5)
  })

  test('without a key, or with another, the same request is executed again', async (t) => {
    const adyen = await serveAdyen(t)
    await adyen.pay('order-1')
    await adyen.pay('order-1')
    await adyen.pay('order-1', {}, { key: 'a' })
    await adyen.pay('order-1', {}, { key: 'b' })
    assert.equal(await paymentsOf(adyen, 'order-1'), 4)
  })

  test('a used key with another body, another card or another path is refused and executes nothing', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = String(field((await adyen.pay('order-1', {}, { key: 'k' })).body, 'pspReference'))
    for (const answer of [
      await adyen.pay('order-2', {}, { key: 'k' }),
      await adyen.pay('order-1', withCard('5100000000000107'), { key: 'k' }),
      await adyen.pay('order-1', { paymentMethod: { cvc: '111' } }, { key: 'k' }),
      await adyen.capture(psp, 1980, { key: 'k' }),
    ]) {
      assert.equal(answer.status, 422)
      assert.equal(field(answer.body, 'errorCode'), '704')
      assert.equal(answer.headers.get('transient-error'), null)
    }
    assert.equal(await paymentsOf(adyen, 'order-1'), 1)
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 0)
    assert.equal(field(await adyen.order('order-2'), 'status'), 'none')
  })

  test('a key that captured does not refund, although the body is the same', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1')
    const body = { merchantAccount: MERCHANT_ACCOUNT, amount: { currency: 'JPY', value: 1980 } }
    assert.equal((await adyen.send(`/payments/${psp}/captures`, body, { key: 'k' })).status, 201)
    assert.equal((await adyen.send(`/payments/${psp}/refunds`, body, { key: 'k' })).status, 422)
    assert.equal(field(await adyen.order('order-1'), 'refundedYen'), 0)
  })

  test('a key of another merchant account is another key', async (t) => {
    const adyen = await serveAdyen(t)
    const other = { merchantAccount: 'OtherTEST', apiKey: 'key_2', reportKey: 'r', webhookUrl: null, hmacKey: null }
    await adyen.control('accounts', other)
    await adyen.pay('order-1', {}, { key: 'k' })
    const answer = await adyen.pay('order-1', { merchantAccount: 'OtherTEST' }, { key: 'k', apiKey: 'key_2' })
    assert.equal(answer.status, 200)
    assert.equal(await paymentsOf(adyen, 'order-1'), 2)
  })

  test('a request that was refused leaves its key free', async (t) => {
    const adyen = await serveAdyen(t)
    assert.equal((await adyen.pay('order-1', { returnUrl: 1 }, { key: 'k' })).status, 422)
    assert.equal((await adyen.capture('QFQTPCQ8HXSKGK82', 1, { key: 'c' })).status, 422)
    assert.equal((await adyen.pay('order-1', {}, { key: 'k' })).status, 200)
  })

  test('a refusal of the card is an answer, and is kept', async (t) => {
    const adyen = await serveAdyen(t)
    const declined = withCard('4100000000750001')
    const first = await adyen.pay('order-1', declined, { key: 'k' })
    assert.deepEqual((await adyen.pay('order-1', declined, { key: 'k' })).body, first.body)
    assert.equal(await paymentsOf(adyen, 'order-1'), 1)
  })

  test('a key is kept for seven days, and a replay after that is a new request', async (t) => {
    const adyen = await serveAdyen(t)
    const first = await adyen.pay('order-1', {}, { key: 'k' })
    await adyen.control('clock', { advanceMs: 7 * DAY_MS - 1 })
    assert.deepEqual((await adyen.pay('order-1', {}, { key: 'k' })).body, first.body)
    await adyen.control('clock', { advanceMs: 1 })
    const late = await adyen.pay('order-1', {}, { key: 'k' })
    assert.notEqual(field(late.body, 'pspReference'), field(first.body, 'pspReference'))
    assert.equal(await paymentsOf(adyen, 'order-1'), 2)
    assert.deepEqual((await adyen.pay('order-1', {}, { key: 'k' })).body, late.body)
  })

  test('a key has at most 64 characters', async (t) => {
    const adyen = await serveAdyen(t)
    assert.equal((await adyen.pay('order-1', {}, { key: 'k'.repeat(65) })).status, 422)
    assert.equal((await adyen.pay('order-1', {}, { key: '' })).status, 422)
    assert.equal(await paymentsOf(adyen, 'order-1'), 0)
    assert.equal((await adyen.pay('order-1', {}, { key: 'k'.repeat(64) })).status, 200)
  })
})
