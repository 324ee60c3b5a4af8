import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { ERRORS } from '#contract/errors.ts'
import type { Gateway } from '#payment/ports.ts'
import { gatewayNotConfigured } from '../../server/gateways/not-configured.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { assertErrorIsDeclared } from '../harness/declared-errors.ts'
import { CARD, API_KEYS, openTestServer, type TestServer } from '../harness/test-server.ts'

/** Fuzzed requests: each run sends one random body with one set of headers to every call. */
const RUNS = { SQLite: 1500, PostgreSQL: 150 } as const

const alwaysChargingGateway: Gateway = {
  ...gatewayNotConfigured,
  ready: async () => 'ready',
  charge: async ({ amountYen }) => ({ outcome: 'charged', transactionId: 'txn', approvedAt: 0, amountYen }),
}

const ErrorAnswer = Type.Object(
  {
    type: Type.String(),
    code: Type.Enum(Object.keys(ERRORS)),
    message: Type.String(),
    params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  },
  { additionalProperties: false },
)

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>('', '\0', '\ud800', -0, 1e308, -1, 0.5, 9_999_999, [], {}, null, true, 'x'.repeat(3000)),
  fc.constantFrom('5555555555554444', '4539578763621486', '6200000000000005', 'https://shop.example.com/\0'),
)

/** A valid body with one field replaced, left out or added: most of it passes, so that the code behind the checks runs. */
const nearlyValid = (valid: object): fc.Arbitrary<unknown> =>
  fc
    .record({
      changed: fc.dictionary(fc.constantFrom(...Object.keys(valid), 'extra', 'constructor'), value, { maxKeys: 1 }),
      dropped: fc.subarray(Object.keys(valid), { maxLength: 1 }),
    })
    .map(({ changed, dropped }) =>
      Object.fromEntries(Object.entries({ ...valid, ...changed }).filter(([name]) => !dropped.includes(name))),
    )

const VALID_CREATE = {
  amount: 1980,
  subject: 'Tea',
  validUntil: new Date(Date.now() + 86_400_000).toISOString(),
  remarks: 'A-1024',
  acceptedCardBrands: ['visa'],
  links: { cancelUrl: 'https://shop.example.com' },
  locale: 'ja_JP',
  metadata: { order: 'A' },
}
const VALID_REFUND = { refundId: 'A-1', amount: 500 }
const VALID_PAY = { cvc: '737', locale: 'ja_JP', receiptEmail: CARD.email }

const nearlyValidJson = (valid: object, wrap: (body: unknown) => unknown = (body) => body) => ({
  weight: 3,
  arbitrary: nearlyValid(valid).map((body) => JSON.stringify(wrap(body))),
})

const bodies: fc.Arbitrary<string> = fc.oneof(
  nearlyValidJson(CARD, (card) => ({ card })),
  nearlyValidJson(CARD),
  nearlyValidJson(VALID_PAY),
  nearlyValidJson(VALID_CREATE),
  nearlyValidJson(VALID_REFUND),
  { weight: 2, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '{}',
      '{"a":1,"a":2}',
      '{"__proto__":1}',
      '{"card":{"__proto__":1}}',
      '[[[[',
      '\ufeff{}',
    ),
  },
  { weight: 1, arbitrary: fc.string() },
)

const mostly = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })

/** Characters that HTTP allows in a header. */
const headerText = fc.stringMatching(/^[ -~\u00a0-\u00ff]{0,40}$/)

const headers: fc.Arbitrary<Record<string, string>> = fc
  .record({
    usual: fc.record({
      host: mostly(
        'localhost:3000',
        fc.oneof(headerText, fc.constantFrom('tea.localhost', '[::1]', '3ds.localhost', ':')),
      ),
      merchant: mostly('tea', headerText),
      authorization: mostly(`Bearer ${API_KEYS.tea}`, headerText),
      'content-type': mostly(
        'application/json',
        fc.oneof(headerText, fc.constantFrom('text/plain', 'application/json;charset=utf-16', 'a/b;c=d', ';')),
      ),
    }),
    odd: fc.dictionary(
      fc.oneof(
        fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
        fc.constantFrom('accept', 'accept-version', 'range', 'expect', 'x-forwarded-host', 'cookie', 'content-length'),
      ),
      headerText,
      { maxKeys: 3 },
    ),
  })
  .map(({ usual, odd }) => ({ ...odd, ...usual }))

describe('no request makes the server fail', () => {
  onBothDatabases(({ name, open }) => {
    let server: TestServer
    before(async () => {
      server = await openTestServer({ database: await open(), gateway: alwaysChargingGateway })
    })

    interface RequestLine {
      readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
      readonly url: string
    }
    const callsFor = (id: string, order: string): RequestLine[] => [
      { method: 'GET', url: `/api/v1/checkouts/${id}` },
      { method: 'GET', url: '/api/v1/bincodes' },
      { method: 'POST', url: `/api/v1/checkouts/${id}/3ds` },
      { method: 'PATCH', url: `/api/v1/checkouts/${id}/3ds/${order}/pay` },
      { method: 'POST', url: '/merchant/v1/checkouts' },
      { method: 'GET', url: `/merchant/v1/checkouts/${id}` },
      { method: 'POST', url: `/merchant/v1/checkouts/${id}/refunds` },
      { method: 'GET', url: `/api/v1/3ds/${order}/monitor` },
      { method: 'PATCH', url: `/api/v1/3ds/${order}/authenticate` },
      { method: 'PATCH', url: `/api/v1/3ds/${order}/collect-error` },
      { method: 'PATCH', url: `/api/v1/3ds/${order}/challenge-error` },
      { method: 'PUT', url: `/api/v1/${order}` },
      { method: 'DELETE', url: `/api/v1/checkouts/${id}` },
    ]

    const assertNoServerFault = (answer: LightMyRequestResponse): void => {
      assert.ok(answer.statusCode < 500, `${answer.statusCode} ${answer.body}`)
      assert.ok(!answer.body.includes(CARD.number), answer.body)
      if (answer.statusCode >= 400) assert.ok(Check(ErrorAnswer, answer.json()), answer.body)
    }

    test(`${RUNS[name]} random bodies and headers, sent to every call, never get a 5xx`, async () => {
      const seen = new Map<number, number>()
      const place = mostly(
        'a fresh checkout',
        fc
          .string({ minLength: 1 })
          // A client removes dot segments from a URL itself, and then calls another one.
          .filter((text) => !/^\.{1,2}$/.test(text))
          .map((text) => encodeURIComponent(text.toWellFormed())),
      )
      await fc.assert(
        fc.asyncProperty(place, bodies, headers, async (where, payload, sent) => {
          const isFresh = where === 'a fresh checkout'
          const id = isFresh ? await server.createCheckout() : where
          const order = isFresh ? await server.startAttempt(id) : where
          for (const call of callsFor(id, order)) {
            const answer = await server.app.inject({ ...call, headers: sent, payload })
            seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1)
            assertNoServerFault(answer)
            assertErrorIsDeclared(call.method, call.url, answer)
          }
        }),
        { numRuns: RUNS[name] },
      )
      // Were everything refused by the first check, nothing behind it would have been tested.
      for (const status of [200, 201, 400, 401, 404, 405, 409, 415]) assert.ok(seen.has(status), `no ${status}`)
    })
  })
})
