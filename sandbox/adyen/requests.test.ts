import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { field, ORDINARY_CARD } from '../testing/acquirer.ts'
import {
  API_KEY,
  HMAC_KEY,
  MERCHANT_ACCOUNT,
  paymentBody,
  REPORT_KEY,
  serveAdyen,
  type AdyenResponse,
} from '../testing/adyen.ts'

const errorOf = ({ status, body }: AdyenResponse): string =>
  [status, field(body, 'errorCode'), field(body, 'errorType')].join(' ')

const amount = { currency: 'JPY', value: 1980 }
const merchantAccount = MERCHANT_ACCOUNT

const openObjects = (value: unknown, path: string): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const isOpen = field(value, 'properties') !== undefined && field(value, 'additionalProperties') !== false
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(value).flatMap(([name, each]) => openObjects(each, `${path}/${name}`)),
  ]
}

describe('a request to the double of Adyen', { concurrency: true }, () => {
  test('a misspelt field, a wrong type or a missing field is refused, and named', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-0')
    const card = { number: ORDINARY_CARD.number, expiryMonth: '12', expiryYear: '2031', cvc: '123' }
    const payments: [change: object, error: string, message: RegExp][] = [
      [{ refrence: 'x' }, '422 702 validation', /unknown field refrence/],
      [{ amount: { ...amount, curency: 'JPY' } }, '422 702 validation', /\/amount: unknown field curency/],
      [{ amount: { ...amount, value: '1980' } }, '422 702 validation', /\/amount\/value: must be integer/],
      [{ amount: { ...amount, value: 19.8 } }, '422 702 validation', /\/amount\/value: must be integer/],
      [{ amount: { value: 1980 } }, '422 702 validation', /\/amount: missing field currency/],
      [{ amount: undefined }, '422 702 validation', /missing field amount/],
      [{ paymentMethod: undefined }, '422 702 validation', /missing field paymentMethod/],
      [{ paymentMethod: { ...card, cvv: '123' } }, '422 702 validation', /\/paymentMethod: unknown field cvv/],
      [{ paymentMethod: { ...card, expiryMonth: 12 } }, '422 702 validation', /\/paymentMethod\/expiryMonth/],
      [{ paymentMethod: { ...card, type: 'giftcard' } }, '422 702 validation', /\/paymentMethod/],
      [{ paymentMethod: { type: 'scheme' } }, '422 702 validation', /number and expiry/],
      [{ mpiData: { dsTransId: 'x' } }, '422 702 validation', /\/mpiData: unknown field dsTransId/],
      [{ mpiData: { authenticationResponse: 'C' } }, '422 702 validation', /\/mpiData\/authenticationResponse/],
      [{ mpiData: { cavv: 'AAAA' } }, '422 702 validation', /\/mpiData\/cavv: must be 20 bytes/],
      [{ additionalData: { manualCapture: true } }, '422 702 validation', /\/additionalData\/manualCapture/],
      [{ reference: 'x'.repeat(81) }, '422 702 validation', /\/reference/],
      [{ returnUrl: undefined }, '422 14_030 validation', /^Return URL is missing\.$/],
      [{ reference: undefined }, '422 130 validation', /^Reference Missing$/],
      [{ amount: { ...amount, value: 0 } }, '422 137 validation', /amount/],
      [{ amount: { ...amount, currency: 'EUR' } }, '422 138 validation', /JPY/],
      [{ paymentMethod: { ...card, number: '4100000000000101' } }, '422 101 validation', /Invalid card number/],
      [{ paymentMethod: { ...card, expiryMonth: '13' } }, '422 129 validation', /Expiry/],
      [{ paymentMethod: { ...card, expiryYear: '31' } }, '422 129 validation', /Expiry/],
      [{ paymentMethod: { ...card, cvc: '12' } }, '422 103 validation', /CVC/],
    ]
    for (const [change, error, message] of payments) {
      const answer = await adyen.send('/payments', { ...paymentBody('order-1'), ...change })
      assert.equal(errorOf(answer), error, JSON.stringify(change))
      assert.match(String(field(answer.body, 'message')), message)
      assert.equal(field(answer.body, 'status'), answer.status)
    }
    const modifications: [path: string, body: object, message: RegExp][] = [
      [`/payments/${psp}/captures`, { merchantAccount, amount, ref: 'x' }, /unknown field ref/],
      [`/payments/${psp}/captures`, { merchantAccount }, /missing field amount/],
      [`/payments/${psp}/refunds`, { merchantAccount, amount, refundReason: 'x' }, /unknown field refundReason/],
      [`/payments/${psp}/refunds`, { merchantAccount, amount: { ...amount, value: null } }, /\/amount\/value/],
      [`/payments/${psp}/cancels`, { merchantAccount, amount }, /unknown field amount/],
      ['/cancels', { merchantAccount, reference: 'order-1' }, /missing field paymentReference/],
      ['/cancels', { merchantAccount, paymentReference: 'order-1', pspReference: psp }, /unknown field pspReference/],
    ]
    for (const [path, body, message] of modifications) {
      const answer = await adyen.send(path, body)
      assert.equal(errorOf(answer), '422 702 validation', JSON.stringify(body))
      assert.match(String(field(answer.body, 'message')), message)
    }
    for (const path of [`/payments/${psp}/captures`, `/payments/${psp}/refunds`]) {
      assert.equal(
        errorOf(await adyen.send(path, { merchantAccount, amount: { ...amount, value: 0 } })),
        '422 137 validation',
      )
    }
    assert.equal(field(await adyen.order('order-1'), 'status'), 'none')
    assert.equal(field(await adyen.order('order-0'), 'status'), 'authorised')
  })

  test('no object of Adyen’s schema as it is kept here takes a field that it does not name', () => {
    const document: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'vendor', 'checkout-v72.json'), 'utf8'))
    assert.deepEqual(openObjects(field(field(document, 'components'), 'schemas'), ''), [])
  })

  test('a body that is no JSON object, or not sent as JSON, is refused', async (t) => {
    const adyen = await serveAdyen(t)
    for (const body of ['{"amount"', '[]', '', 'null']) {
      assert.equal(errorOf(await adyen.send('/payments', body)), '400 702 validation', body)
    }
    const response = await fetch(`http://127.0.0.1:${adyen.port}/adyen/v72/payments`, {
      method: 'POST',
      body: new URLSearchParams({ merchantAccount }),
      headers: { 'X-API-Key': API_KEY },
    })
    assert.equal(response.status, 415)
  })

  test('no error repeats a card number, wherever the caller has put it', async (t) => {
    const adyen = await serveAdyen(t)
    const { number } = ORDINARY_CARD
    const bodies: object[] = [
      { ...paymentBody('order-1'), [number]: 1 },
      { ...paymentBody('order-1'), amount: { [number]: number } },
      { ...paymentBody('order-1'), amount: { currency: number, value: 1 } },
      { ...paymentBody('order-1'), channel: number },
      { ...paymentBody('order-1'), metadata: { [number]: 1 } },
      { ...paymentBody('order-1'), merchantAccount: number },
      { ...paymentBody('order-1'), paymentMethod: { number: `${number}0`, expiryMonth: '1', expiryYear: '2031' } },
    ]
    for (const body of bodies) {
      const answer = await adyen.send('/payments', body)
      assert.ok(answer.status >= 400, JSON.stringify(body))
      assert.ok(!JSON.stringify(answer.body).includes(number), JSON.stringify(answer.body))
    }
  })

  test('a missing or unknown key is refused with 401, and a key of another account with 403', async (t) => {
    const adyen = await serveAdyen(t)
    const other = { merchantAccount: 'OtherTEST', apiKey: 'test_key_2', reportKey: 'r', webhookUrl: null }
    assert.equal((await adyen.control('accounts', { ...other, hmacKey: HMAC_KEY })).status, 200)
    for (const apiKey of [null, '', 'test_key_9', REPORT_KEY]) {
      assert.equal(errorOf(await adyen.pay('order-1', {}, { apiKey })), '401 000 security')
    }
    const foreign = await adyen.pay('order-1', {}, { apiKey: 'test_key_2' })
    assert.equal(errorOf(foreign), '403 901 security')
    assert.equal(field(foreign.body, 'message'), 'Invalid Merchant Account')
    const psp = await adyen.authorised('order-1')
    const body = { merchantAccount: 'OtherTEST', amount }
    const capture = await adyen.send(`/payments/${psp}/captures`, body, { apiKey: 'test_key_2' })
    assert.equal(errorOf(capture), '422 167 validation')
    const cancel = { merchantAccount: 'OtherTEST', paymentReference: 'order-1' }
    assert.equal((await adyen.send('/cancels', cancel, { apiKey: 'test_key_2' })).status, 201)
    assert.equal(field(await adyen.order('order-1'), 'status'), 'authorised')
  })

  test('a user without a role is refused what needs it, and nothing else', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1')
    for (const role of ['checkout', 'pci']) {
      const apiKey = `${API_KEY}_no_${role}`
      assert.equal(errorOf(await adyen.pay('order-2', {}, { apiKey })), '403 010 security')
      assert.equal((await adyen.cancelByReference('order-3', { apiKey })).status, 201)
    }
    const apiKey = `${API_KEY}_no_modifications`
    assert.equal(errorOf(await adyen.capture(psp, 1980, { apiKey })), '403 010 security')
    assert.equal(errorOf(await adyen.refund(psp, 1, { apiKey })), '403 010 security')
    assert.equal(errorOf(await adyen.cancel(psp, { apiKey })), '403 010 security')
    assert.equal(errorOf(await adyen.cancelByReference('order-1', { apiKey })), '403 010 security')
    assert.equal((await adyen.pay('order-2', {}, { apiKey })).status, 200)
    assert.equal(field(await adyen.order('order-1'), 'status'), 'authorised')
  })

  test('a control call with a wrong body says what it must be', async (t) => {
    const adyen = await serveAdyen(t)
    const wrong: [path: string, body: object][] = [
      ['accounts', { merchantAccount: 'X' }],
      ['accounts', { merchantAccount: 'X', apiKey: 'a', reportKey: 'b', webhookUrl: null, hmacKey: 'not hex' }],
      ['fail', {}],
      ['clock', { advanceMs: -1 }],
      ['next-payment', { merchantAccount, resultCode: 'Authorised' }],
      ['reports', { merchantAccount, more: 1 }],
    ]
    for (const [path, body] of wrong) {
      const answer = await adyen.control(path, body)
      assert.equal(answer.status, 400, path)
      assert.match(String(field(answer.body, 'message')), /^the body must match \{/)
    }
    assert.equal((await adyen.control('reports', { merchantAccount: 'Nobody' })).status, 404)
  })
})
