import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Check } from 'typebox/value'
import { BinCodesAnswer } from '#contract/shopper-calls.ts'
import { CheckoutAnswer } from '#contract/checkout.ts'
import { ERRORS } from '#contract/error-table.ts'
import { errorBody, refuse } from '#contract/errors.ts'
import { AuthenticateAnswer, MonitorAnswer, StartAnswer } from '#contract/three-ds.ts'
import { parseBinCodes, parseCheckoutAnswer, parseErrorBody } from './parse-answers.ts'
import { parseAuthenticateAnswer, parseMonitorAnswer, parseStartAnswer } from './parse-payment-answers.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', 'VISA', 'Master', 'https://shop.example/?a=1', '</script>', '•••• 4242'),
)

/** Random values of a schema, made from the schema itself: a new field of the contract is tested without a change here. */
const valuesOf = (schema: unknown): fc.Arbitrary<unknown> => {
  assert.ok(isFields(schema))
  const { type, properties, required, items, minimum, maximum, pattern, enum: choices, const: only } = schema
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(choices)) return fc.nat(choices.length - 1).map((index): unknown => choices[index])
  if (type === 'boolean') return fc.boolean()
  if (type === 'string') return typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern)) : text
  if (type === 'array') return fc.array(valuesOf(items), { maxLength: 8 })
  if (type === 'integer' && typeof minimum === 'number' && typeof maximum === 'number') {
    return fc.integer({ min: minimum, max: maximum })
  }
  assert.ok(type === 'object' && isFields(properties), `the walk knows no schema of type ${String(type)}`)
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([name, inner]) => [name, valuesOf(inner)] as const)
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: Object.keys(properties).filter((k) => needed.includes(k)),
  })
}

const checkouts = valuesOf(CheckoutAnswer).map((value) => {
  const sent = wire(value)
  assert.ok(Check(CheckoutAnswer, sent))
  return sent
})

/** An optional text that is empty means the same as none: a dash on the receipt, no link, no picture. */
const withoutEmpty = (fields: object, ...optional: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== '' || !optional.includes(name)))

const expected = (answer: CheckoutAnswer): Fields => ({
  ...withoutEmpty(answer, 'subject', 'remarks', 'transactionId', 'paidAt'),
  acceptedCardBrands: answer.acceptedCardBrands.map((brand) => brand.toLowerCase()),
  links: withoutEmpty(answer.links, 'cancelUrl', 'redirectUrl'),
  merchant: { setting: withoutEmpty(answer.merchant.setting, 'logoUrl', 'coverImageUrl') },
  ...(answer.card === undefined ? {} : { card: { ...answer.card, brand: answer.card.brand.toLowerCase() } }),
})

const replaced = (value: unknown, [name, ...inner]: readonly string[], other: unknown): unknown => {
  if (name === undefined) return other
  assert.ok(isFields(value))
  return { ...value, [name]: replaced(value[name], inner, other) }
}

const notText = fc.jsonValue().filter((value) => typeof value !== 'string')

test('every checkout that the contract allows is parsed without loss, its brands in lower case', () => {
  fc.assert(
    fc.property(checkouts, (answer) => {
      assert.deepEqual(parseCheckoutAnswer(answer), expected(answer))
    }),
    { numRuns: 1000 },
  )
})

test('a paid checkout keeps its receipt facts, its links and its card', () => {
  const paid: CheckoutAnswer = {
    id: 'c',
    status: 'paid',
    amount: 9_999_999,
    subject: 'Dinner',
    validUntil: '2026-11-22T14:59:59.999Z',
    remarks: 'Thank you',
    acceptedCardBrands: ['VISA', 'Master'],
    links: { cancelUrl: 'https://shop.example/c', redirectUrl: 'https://shop.example/r' },
    locale: 'th_TH',
    transactionId: 'txn_1',
    paidAt: '2026-11-15T01:00:00.000Z',
    card: { brand: 'VISA', number: '•••• 4242' },
    merchant: {
      setting: { logoUrl: '/l', coverImageUrl: '/c', colorCode: '#29abe9', fontType: 'serif', logoPlate: 'dark' },
    },
    receipt: { shopName: 'S', shopAddress: 'A', shopPhoneNumber: '03', shopEmail: 'e@x.jp', shopUrl: 'https://x.jp' },
    paymentPending: true,
  }
  const lower = { ...paid, acceptedCardBrands: ['visa', 'master'], card: { brand: 'visa', number: '•••• 4242' } }
  assert.deepEqual(parseCheckoutAnswer(paid), lower)
})

test('a status, a locale or a field that this release does not know does not break the checkout', () => {
  fc.assert(
    fc.property(
      checkouts,
      fc.string(),
      fc.string({ minLength: 1 }),
      fc.jsonValue(),
      (answer, status, locale, extra) => {
        const later = { ...answer, status, locale, inLaterReleases: wire(extra) }
        assert.deepEqual(parseCheckoutAnswer(later), { ...expected(answer), status, locale })
      },
    ),
  )
})

const NEEDED: readonly (readonly string[])[] = [
  ['id'],
  ['status'],
  ['validUntil'],
  ['merchant'],
  ['merchant', 'setting'],
  ['merchant', 'setting', 'colorCode'],
  ['receipt'],
  ['receipt', 'shopName'],
]

test('a checkout without its id, status, deadline, shop or colour is not a checkout', () => {
  for (const path of NEEDED) {
    fc.assert(
      fc.property(checkouts, notText, (answer, other) => {
        assert.equal(parseCheckoutAnswer(replaced(answer, path, wire(other))), undefined, path.join('.'))
        assert.equal(parseCheckoutAnswer(replaced(answer, path, undefined)), undefined, path.join('.'))
      }),
    )
  }
})

test('an amount that is no number is never shown', () => {
  fc.assert(
    fc.property(
      checkouts,
      fc.jsonValue().filter((value) => typeof value !== 'number'),
      (answer, amount) => {
        assert.equal(parseCheckoutAnswer({ ...answer, amount: wire(amount) }), undefined)
      },
    ),
  )
})

const OPTIONAL = ['subject', 'remarks', 'locale', 'transactionId', 'paidAt'] as const

test('an optional text of another type is left out and the checkout stays readable', () => {
  for (const name of OPTIONAL) {
    fc.assert(
      fc.property(checkouts, notText, (answer, other) => {
        const { [name]: _, ...rest } = expected(answer)
        assert.deepEqual(parseCheckoutAnswer({ ...answer, [name]: wire(other) }), rest, name)
      }),
    )
  }
})

test('links, brands and a card of the wrong shape are left out', () => {
  fc.assert(
    fc.property(checkouts, notText, (answer, other) => {
      const { card: _, ...rest } = expected(answer)
      const card = { brand: wire(other), number: '•••• 4242' }
      const odd = { ...answer, links: { cancelUrl: wire(other), redirectUrl: '/r' }, card, acceptedCardBrands: {} }
      assert.deepEqual(parseCheckoutAnswer(odd), { ...rest, links: { redirectUrl: '/r' }, acceptedCardBrands: [] })
      assert.deepEqual(parseCheckoutAnswer({ ...answer, links: [] })?.links, {})
    }),
  )
})

test('arbitrary JSON is no checkout, no start answer and no error, and never throws', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const garbage = wire(value)
      assert.equal(parseCheckoutAnswer(garbage), undefined)
      assert.equal(parseStartAnswer(garbage), undefined)
      assert.equal(parseAuthenticateAnswer(garbage), undefined)
      assert.equal(parseMonitorAnswer(garbage), undefined)
      assert.equal(parseErrorBody(garbage), undefined)
      assert.equal(parseBinCodes(garbage) === undefined, !Array.isArray(garbage))
    }),
    { numRuns: 3000 },
  )
  for (const none of [undefined, null, '', 0, false, [], {}, { merchant: null }, { merchant: {}, receipt: null }]) {
    assert.equal(parseCheckoutAnswer(none), undefined)
    assert.equal(parseStartAnswer(none), undefined)
    assert.equal(parseAuthenticateAnswer(none), undefined)
    assert.equal(parseMonitorAnswer(none), undefined)
    assert.equal(parseErrorBody(none), undefined)
  }
})

const ADDRESSES = ['http://3ds.localhost:3000/c/1', 'https://3ds.example/m/1?a=b#c', 'HTTPS://3DS.EXAMPLE']
const NO_ADDRESSES = [
  undefined,
  null,
  '',
  7,
  {},
  ['https://3ds.example'],
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'blob:https://3ds.example/1',
  'about:blank',
  'file:///etc/passwd',
  'ftp://3ds.example',
  '//3ds.example/c',
  '/3ds/c',
  'c',
  'https://',
  'https://a b',
]

/** Values of a schema whose addresses are as often good as bad. */
const withAddresses = (schema: unknown, ...names: readonly string[]) =>
  fc
    .tuple(valuesOf(schema), ...names.map(() => fc.constantFrom(undefined, 'javascript:1', '', ...ADDRESSES)))
    .map(([answer, ...addresses]) => {
      assert.ok(isFields(answer))
      return wire({ ...answer, ...Object.fromEntries(names.map((name, place) => [name, addresses[place]])) })
    })

const isGood = (address: string | undefined): boolean => address !== undefined && ADDRESSES.includes(address)

test('every start answer that the contract allows is parsed, if it has an order code and the URLs of its frames', () => {
  fc.assert(
    fc.property(withAddresses(StartAnswer, 'collectUrl', 'monitoringUrl'), (answer) => {
      assert.ok(Check(StartAnswer, answer))
      const { orderCode, threeDSRequired, collectUrl, monitoringUrl } = answer
      const isWhole = orderCode !== '' && (!threeDSRequired || (isGood(collectUrl) && isGood(monitoringUrl)))
      const framed = threeDSRequired ? { collectUrl, monitoringUrl } : {}
      assert.deepEqual(parseStartAnswer(answer), isWhole ? { orderCode, threeDSRequired, ...framed } : undefined)
    }),
    { numRuns: 1000 },
  )
})

test('a frame gets only an http or https URL; with any other the start counts as unanswered', () => {
  for (const good of ADDRESSES) {
    const answer = { orderCode: 'o', threeDSRequired: true, collectUrl: good, monitoringUrl: good }
    assert.deepEqual(parseStartAnswer(answer), answer)
    for (const bad of NO_ADDRESSES) {
      assert.equal(parseStartAnswer({ ...answer, collectUrl: bad }), undefined, JSON.stringify(bad))
      assert.equal(parseStartAnswer({ ...answer, monitoringUrl: bad }), undefined, JSON.stringify(bad))
      const exempt = { orderCode: 'o', threeDSRequired: false }
      assert.deepEqual(parseStartAnswer({ ...exempt, collectUrl: bad, monitoringUrl: bad }), exempt)
    }
  }
})

test('every authenticate answer that the contract allows is parsed; a challenge needs its frame and its monitor', () => {
  fc.assert(
    fc.property(withAddresses(AuthenticateAnswer, 'challengeUrl', 'monitoringUrl'), (answer) => {
      assert.ok(Check(AuthenticateAnswer, answer))
      const { threeDSType, challengeUrl, monitoringUrl } = answer
      const challenged =
        isGood(challengeUrl) && isGood(monitoringUrl) ? { threeDSType, challengeUrl, monitoringUrl } : undefined
      const expectedAnswer = threeDSType === 'challenge' ? challenged : { threeDSType: 'frictionless' }
      assert.deepEqual(parseAuthenticateAnswer(answer), expectedAnswer)
    }),
    { numRuns: 1000 },
  )
  const challenge = { threeDSType: 'challenge', challengeUrl: ADDRESSES[0], monitoringUrl: ADDRESSES[1] }
  assert.deepEqual(parseAuthenticateAnswer(challenge), challenge)
  for (const bad of NO_ADDRESSES) {
    assert.equal(parseAuthenticateAnswer({ ...challenge, challengeUrl: bad }), undefined, JSON.stringify(bad))
    assert.equal(parseAuthenticateAnswer({ ...challenge, monitoringUrl: bad }), undefined, JSON.stringify(bad))
  }
})

test('any threeDSType but challenge counts as frictionless; an answer without one is invalid', () => {
  for (const threeDSType of ['frictionless', 'other', '', 'Challenge', 'challenge ', 'decoupled']) {
    assert.deepEqual(parseAuthenticateAnswer({ threeDSType }), { threeDSType: 'frictionless' })
  }
  for (const threeDSType of [undefined, null, 7, true, ['challenge'], {}]) {
    assert.equal(parseAuthenticateAnswer({ threeDSType }), undefined)
  }
})

test('the event of a monitor is parsed as it is', () => {
  fc.assert(
    fc.property(valuesOf(MonitorAnswer).map(wire), (answer) => {
      assert.ok(Check(MonitorAnswer, answer))
      assert.equal(parseMonitorAnswer(answer), answer.event)
    }),
  )
  assert.equal(parseMonitorAnswer({ event: 'InALaterRelease', more: 1 }), 'InALaterRelease')
  for (const event of [undefined, null, 7, ['AuthResultReady']]) assert.equal(parseMonitorAnswer({ event }), undefined)
})

test('a start answer that does not say whether authentication is required is not taken as "not required"', () => {
  for (const threeDSRequired of [undefined, null, 'false', 0, {}]) {
    assert.equal(parseStartAnswer({ orderCode: 'o', threeDSRequired }), undefined)
  }
  for (const orderCode of [undefined, null, '', 7]) {
    assert.equal(parseStartAnswer({ orderCode, threeDSRequired: false }), undefined)
  }
})

test('card prefixes are parsed with their brands in lower case; an invalid item is skipped', () => {
  fc.assert(
    fc.property(valuesOf(BinCodesAnswer).map(wire), fc.jsonValue(), (codes, garbage) => {
      assert.ok(Check(BinCodesAnswer, codes))
      const lower = codes.map(({ prefix, brand }) => ({ prefix, brand: brand.toLowerCase() }))
      assert.deepEqual(parseBinCodes(codes), lower)
      assert.deepEqual(parseBinCodes([wire(garbage), ...codes, { prefix: 4, brand: 'visa' }, { prefix: '4' }]), lower)
    }),
  )
})

test('every error that the server can answer is parsed completely', () => {
  for (const [code, { type, message }] of Object.entries(ERRORS)) {
    const body = { type, code, message, params: { status: 'paid', limit: 20 } }
    assert.deepEqual(parseErrorBody(wire(body)), body)
  }
  const closed = errorBody(refuse('checkout_closed', { status: 'paid' }))
  assert.deepEqual(parseErrorBody(wire(closed)), closed)
})

test('an error body needs its type and code; message and params may be missing', () => {
  assert.deepEqual(parseErrorBody({ type: 't', code: 'c' }), { type: 't', code: 'c', message: '', params: {} })
  const odd = { type: 't', code: 'c', message: 7, params: ['x'] }
  assert.deepEqual(parseErrorBody(odd), { type: 't', code: 'c', message: '', params: {} })
  assert.equal(parseErrorBody({ type: 't', message: 'm', params: {} }), undefined)
  assert.equal(parseErrorBody({ code: 'c', message: 'm', params: {} }), undefined)
  assert.equal(parseErrorBody({ type: 1, code: 'c' }), undefined)
  assert.equal(parseErrorBody({ type: 't', code: 404 }), undefined)
})
