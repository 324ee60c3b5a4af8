import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { AcquirerReply } from '../acquirer-http.ts'
import { codeOfWords, refusalOfPayment, refusalOfRequest } from './reasons.ts'
import { captureKey, isPspReference, readReference, refundKey, refundReference } from './references.ts'
import { readAuthorisation, readCapture, readFencing, readRefundRequest } from './translate.ts'
import { ORDER } from './testing/adyen-fixtures.ts'

const vendor: { readonly examples: Readonly<Record<string, object>> } = JSON.parse(
  await readFile(new URL('vendor/checkout-v72.json', import.meta.url), 'utf8'),
)
const example = (name: string): object => vendor.examples[name] ?? assert.fail(`no example ${name}`)
const reply = (status: number, body: unknown): AcquirerReply => ({ status, body, receivedAt: 5 })
const order = { orderCode: 'string', amountYen: 1980 }

describe('Adyen’s own examples', () => {
  test('a payment that is authorised may be captured by its reference', () => {
    assert.deepEqual(readAuthorisation(order, reply(200, example('post-payments-card-direct-200'))), {
      is: 'authorised',
      reference: '993617895204576J',
    })
  })

  test('a capture in euros is no capture in yen, and the same in yen is a charge', () => {
    const body = example('post-payments-paymentPspReference-captures-capture-201')
    const ordered = { reference: '993617894903480A', amountYen: 2000 }
    assert.equal(readCapture(ordered, reply(201, body)).outcome, 'unknown')
    const inYen = { ...body, amount: { value: 2000, currency: 'JPY' } }
    assert.deepEqual(readCapture(ordered, reply(201, inYen)), {
      outcome: 'charged',
      transactionId: '993617894903480A',
      approvedAt: 5,
      amountYen: 2000,
    })
  })

  test('a refund that was received has Adyen’s id of it', () => {
    const body = {
      ...example('post-payments-paymentPspReference-refunds-refund-201'),
      amount: { value: 2500, currency: 'JPY' },
    }
    assert.deepEqual(readRefundRequest({ reference: '993617894903480A', amountYen: 2500 }, reply(201, body)), {
      pspReference: '993617894906488A',
    })
  })

  const REFUSALS = {
    'generic-400': 'other',
    'generic-422': 'other',
  }
  for (const [name, reason] of Object.entries(REFUSALS))
    test(`a payment that is refused as ${name} authorises nothing and is declined`, () => {
      const status = Number(name.slice(-3))
      assert.deepEqual(readAuthorisation(order, reply(status, example(name))), { is: 'declined', reason })
      assert.equal(readCapture({ reference: 'x', amountYen: 1 }, reply(status, example(name))).outcome, 'unknown')
      assert.equal(readFencing(ORDER, reply(status, example(name))).outcome, 'unknown')
    })

  for (const [name, fault] of [
    ['generic-401', /^Adyen does not accept the API key/],
    ['generic-403', /^Adyen does not know the merchant account/],
  ] as const)
    test(`a payment of an account that is refused as ${name} authorises nothing, and says what its operator has to mend`, () => {
      const status = Number(name.slice(-3))
      const read = readAuthorisation(order, reply(status, example(name)))
      if (read.is !== 'forbidden') assert.fail(read.is)
      assert.match(read.fault, fault)
      assert.equal(readAuthorisation(order, reply(status, { why: 'a proxy' })).is, 'useless')
      const doubt = readCapture({ reference: 'x', amountYen: 1 }, reply(status, example(name)))
      if (doubt.outcome !== 'unknown') assert.fail(doubt.outcome)
      assert.match(doubt.why, /does not take the key of this account/)
    })

  test('a key without the role for card numbers is named as such', () => {
    const body = { status: 403, errorCode: '010', message: 'Not allowed', errorType: 'security' }
    const read = readAuthorisation(order, reply(403, body))
    if (read.is !== 'forbidden') assert.fail(read.is)
    assert.match(read.fault, /"Checkout webservice role" or "API PCI Payments role"/)
  })

  test('a fault of Adyen decides nothing, and is a silence', () => {
    const fault = reply(500, example('generic-500'))
    assert.deepEqual(readAuthorisation(order, { ...fault, body: null }), { is: 'useless', isSilence: true })
    assert.deepEqual(readCapture({ reference: 'x', amountYen: 1 }, fault), {
      outcome: 'unknown',
      why: 'HTTP 500',
      isSilence: true,
    })
  })
})

describe('answers that nobody should send', () => {
  const ODD: readonly unknown[] = [
    null,
    '',
    '<html>',
    [],
    {},
    { resultCode: 7 },
    { status: 'received' },
    { status: 'received', amount: '1980' },
    { resultCode: 'authorised', pspReference: '993617895204576J' },
    { resultCode: 'Authorised', pspReference: 993617895204576 },
    { resultCode: 'Authorised', pspReference: '993617895204576j' },
    { resultCode: 'Success', pspReference: '993617895204576J' },
    { resultCode: 'constructor', pspReference: '993617895204576J' },
  ]
  test('authorise, charge, fence and refund nothing', () => {
    for (const body of ODD)
      for (const status of [200, 201, 204, 302, 404, 418, 429, 503]) {
        const why = JSON.stringify([status, body])
        assert.equal(readAuthorisation(order, reply(status, body)).is, 'useless', why)
        assert.equal(readCapture({ reference: 'x', amountYen: 1980 }, reply(status, body)).outcome, 'unknown', why)
        assert.equal(readFencing(ORDER, reply(status, body)).outcome, 'unknown', why)
        assert.ok('outcome' in readRefundRequest({ reference: 'x', amountYen: 1980 }, reply(status, body)), why)
      }
  })

  test('a proxy’s page with status 403 is not Adyen’s refusal', () => {
    assert.deepEqual(readAuthorisation(order, reply(403, '<html>')), { is: 'useless' })
  })

  test('a payment whose key is still worked on is not declined', () => {
    const busy = { errorCode: '704', errorType: 'validation' }
    for (const status of [409, 422])
      assert.deepEqual(readAuthorisation(order, reply(status, busy)), { is: 'in progress' })
  })
})

describe('reasons', () => {
  test('are short codes of ours, whatever Adyen sends', () => {
    assert.equal(refusalOfPayment('24'), 'cvc_declined')
    assert.equal(refusalOfRequest('101'), 'invalid_card_number')
    for (const code of ['', '4111111111111111', 'toString', '__proto__', 24, null, {}]) {
      assert.equal(refusalOfPayment(code), 'other')
      assert.equal(refusalOfRequest(code), 'other')
    }
  })

  test('words of a notification become a code without digits of a card', () => {
    assert.equal(
      codeOfWords("Transaction hasn't been captured, refund not possible"),
      'transaction_hasn_t_been_captured_refund_not_possible',
    )
    assert.equal(codeOfWords('Insufficient balance on payment'), 'insufficient_balance_on_payment')
    for (const words of ['', '???', 'card 4111 1111', '737', 'CVC 1234 wrong', '残高不足'])
      assert.equal(codeOfWords(words), 'other')
    assert.ok(codeOfWords('ab '.repeat(10_000)).length <= 64)
  })
})

describe('references', () => {
  test('of a refund name it and the beginning of its order, and are read back', () => {
    const ids = { orderCode: ORDER, refundId: 'R_1-a' }
    assert.equal(refundReference(ids), `R_1-a.${ORDER.slice(0, 15)}`)
    assert.deepEqual(readReference(refundReference(ids)), {
      names: 'refund',
      refundId: 'R_1-a',
      orderPart: ORDER.slice(0, 15),
    })
    assert.deepEqual(readReference(ORDER), { names: 'order', orderCode: ORDER })
    for (const other of ['', 'order 7', `${ORDER}x`, `a.b.${ORDER.slice(0, 15)}`, `.${ORDER.slice(0, 15)}`, '\0'])
      assert.deepEqual(readReference(other), { names: 'other' }, other)
  })

  test('keys have at most 64 characters, and no two refunds share one', () => {
    const long = 'r'.repeat(63)
    const keys = ['r', `${long}a`, `${long}b`].map((refundId) => refundKey({ orderCode: ORDER, refundId }))
    assert.equal(new Set(keys).size, 3)
    for (const key of [...keys, captureKey(ORDER)]) assert.ok(key.length <= 64, key)
    assert.equal(refundKey({ orderCode: ORDER, refundId: 'r'.repeat(24) }), `${ORDER}.refund.${'r'.repeat(24)}`)
  })

  test('of Adyen have 16 capital letters and digits; an order code is none', () => {
    for (const psp of ['993617895204576J', 'QFQTPCQ8HXSKGK82', '8816118280275544'])
      assert.equal(isPspReference(psp), true, psp)
    for (const other of [ORDER, '', '4111111111111111', '993617895204576', '../../../../../../'])
      assert.equal(isPspReference(other), false, other)
  })
})
