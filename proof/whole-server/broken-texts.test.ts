import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { TSchema } from 'typebox'
import { CONSOLE_API } from '#contract/console/api.ts'
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { MERCHANT_API } from '#contract/merchant/api.ts'
import { MERCHANT_BASE, SHOPPER_BASE, type CallPath } from '#contract/paths.ts'
import * as shopperCalls from '#contract/shopper-calls.ts'
import { isRecord } from '../../tools/is-record.mjs'
import { assertErrorIsDeclared } from '../harness/declared-errors.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { NO_KEY_LIMITS } from '../harness/no-limits.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { consoleHeaders, openSession, savePersonWithPasskey } from '../harness/test-people.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Broken texts: every call of the contract with half a surrogate in each text of its schemas, and with bytes that are no UTF-8. */
const ID = 'a'.repeat(32)
const HALF = 'a\ud83d'

interface TriedCall extends CallPath {
  readonly api: 'shopper' | 'merchant' | 'console'
  readonly body: TSchema
  readonly query?: TSchema
}

const isCall = (value: unknown): value is Omit<TriedCall, 'api'> =>
  isRecord(value) && typeof value['method'] === 'string' && typeof value['path'] === 'string' && 'answer' in value

const callsOf = (api: TriedCall['api'], calls: object): TriedCall[] =>
  Object.values(calls)
    .filter(isCall)
    .map((call) => ({ ...call, api }))

const CALLS = [
  ...callsOf('shopper', shopperCalls),
  ...callsOf('merchant', MERCHANT_API),
  ...callsOf('console', CONSOLE_API),
]
const BASES = { shopper: SHOPPER_BASE, merchant: MERCHANT_BASE, console: CONSOLE_BASE } as const

/** A body with a half surrogate at one place, and the name of the place. */
interface Tried {
  readonly path: readonly string[]
  readonly body: unknown
}

/** Every place of a schema where a text may stand, in names of records too. What a schema says nothing about may be a text. */
const placesIn = (schema: unknown): Tried[] => {
  if (!isRecord(schema)) return []
  const { anyOf, allOf, properties, patternProperties, items, type } = schema
  const members = [anyOf, allOf].filter((each) => Array.isArray(each)).flat()
  if (members.length > 0) return members.flatMap(placesIn)
  if (isRecord(patternProperties)) {
    const named = Object.values(patternProperties).flatMap((each) => below('name', placesIn(each)))
    return [...named, { path: [], body: { [HALF]: 'x' } }]
  }
  if (isRecord(properties)) return Object.entries(properties).flatMap(([name, each]) => below(name, placesIn(each)))
  if (type === 'array') return placesIn(items).map(({ path, body }) => ({ path: ['0', ...path], body: [body] }))
  return type === 'string' || type === undefined || type === 'object' ? [{ path: [], body: HALF }] : []
}

const below = (name: string, places: readonly Tried[]): Tried[] =>
  places.map(({ path, body }) => ({ path: [name, ...path], body: { [name]: body } }))

const nameOf = ({ api, method, path }: TriedCall): string => `${method} ${BASES[api]}${path}`

const readsBody = ({ method, path }: TriedCall): boolean => method !== 'GET' && !path.endsWith(':picture')

describe('a text that is none', () => {
  let server: TestServer
  let session: string
  before(async () => {
    const clock = virtualClock()
    server = await openTestServer({ gateway: fakeGateway(), clock, keyLimits: NO_KEY_LIMITS })
    const { database } = server.deps
    const facts = { name: 'everything', isOperator: true, member: { merchantId: 'tea-id', role: 'owner' } } as const
    session = await openSession(database, await savePersonWithPasskey(database, facts, clock.now()), clock.now())
  })

  const headersOf = ({ api }: TriedCall): Record<string, string> =>
    api === 'console'
      ? consoleHeaders(session, { merchant: 'tea' })
      : { host: 'localhost:3000', merchant: 'tea', authorization: `Bearer ${API_KEYS.tea}` }

  const urlOf = ({ api, path }: TriedCall): string =>
    BASES[api] + path.replace(':picture', 'logo').replaceAll(/:[A-Za-z]+/g, ID)

  const send = async (call: TriedCall, more: InjectOptions, query = ''): Promise<LightMyRequestResponse> => {
    const headers = { ...headersOf(call), 'content-type': 'application/json', ...more.headers }
    const url = urlOf(call)
    const answer = await server.app.inject({ method: call.method, url: url + query, ...more, headers })
    assertErrorIsDeclared(call.method, url, answer)
    return answer
  }

  const assertRefused = (answer: LightMyRequestResponse, code: string, params: object, words: RegExp, what: string) => {
    assert.ok(answer.body.isWellFormed())
    const body = answer.json<{ code: string; params: object; message: string }>()
    assert.deepEqual([body.code, body.params], [code, params], what)
    assert.match(body.message, words, what)
  }

  test('half a surrogate in any text of any call is refused by the path of its field', async () => {
    let tried = 0
    for (const call of CALLS.filter(readsBody)) {
      // The last is of no schema: a name that no call knows.
      for (const { path, body } of [...placesIn(call.body), { path: [], body: { [HALF]: 1 } }]) {
        const field = path.join('.') || 'body'
        const answer = await send(call, { payload: JSON.stringify(body) })
        assertRefused(answer, 'invalid_field', { field }, /half of a surrogate pair/, `${nameOf(call)} ${field}`)
        tried += 1
      }
    }
    assert.ok(tried > 100, `${tried}`)
  })

  test('a query that is no UTF-8 is refused by the name of its parameter', async () => {
    let tried = 0
    for (const call of CALLS) {
      for (const { path } of placesIn(call.query)) {
        const [field = ''] = path
        for (const text of ['a%ED%A0%BD', 'caf%e9', '%93%fa%96%7b']) {
          const answer = await send(call, {}, `?limit=1&${field}=${text}`)
          assertRefused(answer, 'invalid_field', { field }, /must be UTF-8/, `${nameOf(call)} ${field}`)
          tried += 1
        }
      }
    }
    assert.ok(tried > 100, `${tried}`)
    const list: TriedCall = { ...MERCHANT_API.listCheckouts, api: 'merchant' }
    for (const fine of ['caf%C3%A9', '100%', '%zz', 'a+b', '%F0%9F%8D%B5'])
      assert.equal((await send(list, {}, `?reference=${fine}`)).statusCode, 200, fine)
    for (const [name, field] of [
      ['%ff', 'query'],
      ['4242424242424242', '(not shown)'],
    ])
      assertRefused(await send(list, {}, `?${name}=%ff`), 'invalid_field', { field }, /must be UTF-8/, `${name}`)
  })

  test('a body in another charset, or whose bytes are no UTF-8, is refused by every call, also where it wants none', async () => {
    const shiftJis = Buffer.concat([
      Buffer.from('{"subject":"'),
      Buffer.from('93fa967b92832', 'hex'),
      Buffer.from('"}'),
    ])
    const latin1 = Buffer.from('{"subject":"caf\u00e9"}', 'latin1')
    const half = Buffer.concat([Buffer.from('{"subject":"'), Buffer.from('eda0bd', 'hex'), Buffer.from('"}')])
    for (const call of CALLS.filter(readsBody)) {
      for (const payload of [shiftJis, latin1, half])
        assertRefused(await send(call, { payload }), 'invalid_json', {}, /JSON/, nameOf(call))
      for (const [charset, named] of [
        ['Shift_JIS', 'shift_jis'],
        ['"iso-8859-1"', 'windows-1252'],
        ['utf-16', 'utf-16le'],
        ['4242424242424242', 'a charset that is not known here'],
      ] as const) {
        const headers = { 'content-type': `application/json; charset=${charset}` }
        const words = new RegExp(`is sent as ${named}\\. Send JSON as UTF-8`)
        const answer = await send(call, { payload: shiftJis, headers })
        assertRefused(answer, 'unsupported_media_type', {}, words, nameOf(call))
      }
    }
  })

  test('an id that is no UTF-8 is none that there is', async () => {
    for (const call of CALLS) {
      if (!/:(?!picture)/.test(call.path)) continue
      for (const id of ['%ED%A0%BD', 'caf%e9', `${'a'.repeat(31)}%ff`]) {
        const url = urlOf(call).replaceAll(ID, id)
        const { statusCode, body } = await server.app.inject({ method: call.method, url, headers: headersOf(call) })
        assert.ok([400, 404, 405].includes(statusCode), `${nameOf(call)} ${statusCode}`)
        assert.ok(body.isWellFormed() && typeof JSON.parse(body).code === 'string')
      }
    }
  })

  test('text that is one comes back as it was sent: emoji, kanji beside each other, and a byte order mark before the body', async () => {
    const create: TriedCall = { ...MERCHANT_API.createCheckout, api: 'merchant' }
    const note = '日本茶🍵 \\ud83d𠮷'
    const bodies = [
      `\ufeff{"amount":1980,"subject":${JSON.stringify(note)},"metadata":{"n":"\\ud83c\\udf75"}}`,
      `{"amount":1980,"subject":${JSON.stringify(note)},"metadata":{"n":"🍵"}}`,
    ]
    for (const payload of bodies) {
      for (const type of ['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF8"']) {
        const answer = await send(create, { payload, headers: { 'content-type': type } })
        const { subject, metadata } = answer.json<{ subject: string; metadata: object }>()
        assert.deepEqual([answer.statusCode, subject, metadata], [201, note, { n: '🍵' }])
      }
    }
  })

  test('sixty thousand lists in each other around half a surrogate are refused in a few milliseconds', async () => {
    const create: TriedCall = { ...MERCHANT_API.createCheckout, api: 'merchant' }
    const payload = `${'['.repeat(30_000)}"\\ud83d"${']'.repeat(30_000)}`
    const began = process.cpuUsage()
    const answer = await send(create, { payload })
    assert.ok(process.cpuUsage(began).user < 200_000)
    assertRefused(answer, 'invalid_field', { field: '0.0.0.0.0.0.0.0' }, /half of a surrogate pair/, 'deep')
  })
})
