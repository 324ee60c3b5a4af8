import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { ReusableLinkAnswer } from '#contract/merchant/reusable-links.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { parseJson, parseWellFormed } from '../../server/parse-json.ts'
import { strictText, problemOfText } from '../fuzz/strict-reader.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { consoleHeaders, openSession, savePersonWithPasskey } from '../harness/test-people.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Stored halves: rows of an earlier release with half a surrogate in their JSON, read by every screen that shows them. */
const TEA = { host: 'tea.localhost:3000' }

/** As an earlier release wrote them, in every text that a row of JSON holds. */
const BREAK = [
  String.raw`UPDATE checkouts SET metadata = '{"note":"a\ud83d","\udc00":"b"}' RETURNING 1 AS x`,
  String.raw`UPDATE merchants SET settings = replace(settings, '"shopName":"', '"shopName":"\ud83d') RETURNING 1 AS x`,
  String.raw`UPDATE reusable_links SET checkout = replace(checkout, '"subject":"', '"subject":"\ud83d') RETURNING 1 AS x`,
]

onBothDatabases(({ name, open }) => {
  let server: TestServer
  let session: string
  let checkoutId: string
  let linkId: string

  const seller = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
  const make = async <T>(path: string, payload: object): Promise<T> => {
    const answer = await server.app.inject({ method: 'POST', url: `/merchant/v1${path}`, headers: seller, payload })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json<T>()
  }
  const readStrictly = (answer: LightMyRequestResponse, what: string): string => {
    const text = strictText(answer.rawPayload)
    assert.equal(problemOfText(String(answer.headers['content-type']), text), undefined, what)
    return text ?? assert.fail(what)
  }

  before(async () => {
    const database = await open()
    server = await openTestServer({ database, gateway: fakeGateway(), build: await readPageBuild() })
    const now = server.clock.now()
    const facts = { name: 'owner', member: { merchantId: 'tea-id', role: 'owner' } } as const
    session = await openSession(database, await savePersonWithPasskey(database, facts, now), now)
    checkoutId = (await make<MerchantCheckoutAnswer>('/checkouts', { amount: 1980 })).id
    linkId = (await make<ReusableLinkAnswer>('/links', { amount: 1980, subject: 'Tea' })).id
    for (const statement of BREAK) assert.ok((await database.rows(statement)).length > 0, statement)
    // What was read of the shop a moment ago is forgotten.
    server.clock.advance(60_000)
  })

  test(`what the shop and its people read of them is text, on ${name}`, async () => {
    const person = consoleHeaders(session, { merchant: 'tea' })
    for (const headers of [seller, person]) {
      for (const path of ['/checkouts', `/checkouts/${checkoutId}`, '/links', `/links/${linkId}`, '/settings', '/me']) {
        const answer = await server.app.inject({ url: `/merchant/v1${path}`, headers })
        assert.equal(answer.statusCode, 200, path)
        readStrictly(answer, path)
      }
    }
    const { metadata } = await server.app
      .inject({ url: `/merchant/v1/checkouts/${checkoutId}`, headers: seller })
      .then((answer) => answer.json<MerchantCheckoutAnswer>())
    assert.deepEqual(metadata, { note: 'a\ufffd', '\ufffd': 'b' })
    const settings = await server.app.inject({ url: '/merchant/v1/settings', headers: person })
    // The console puts it into the address of a preview, which half a surrogate cannot be part of.
    assert.match(encodeURIComponent(settings.json<{ shopName: string }>().shopName), /^%EF%BF%BD/)
  })

  test(`a reusable link of theirs opens, is changed and leads to a page that comes alive, on ${name}`, async () => {
    const shown = await server.app.inject({ url: `/links/${linkId}`, headers: TEA })
    assert.equal(shown.statusCode, 200)
    assert.match(readStrictly(shown, 'link page'), /\ufffdTea/)
    const off = { method: 'PATCH', url: `/merchant/v1/links/${linkId}`, headers: seller } as const
    for (const enabled of [false, true])
      assert.equal((await server.app.inject({ ...off, payload: { enabled } })).statusCode, 200)
    const pressed = await server.app.inject({
      method: 'POST',
      url: `/links/${linkId}`,
      headers: { ...TEA, 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    })
    assert.equal(pressed.statusCode, 303, pressed.body)
    const opened = String(pressed.headers.location)
    const page = await server.app.inject({ url: `${opened}/creditcard`, headers: TEA })
    assert.equal(page.statusCode, 200)
    const html = readStrictly(page, 'card page')
    // Drawn and inlined alike: a difference would be a page that does not come alive.
    assert.ok(html.split('\ufffdTea').length > 2)
    assert.doesNotMatch(html, /\\ud83d/)
    const call = await server.app.inject({ url: `/api/v1/checkouts${opened}`, headers: { ...TEA, merchant: 'tea' } })
    assert.equal(call.json<{ subject: string }>().subject, '\ufffdTea')
  })
})

test('half a surrogate of an acquirer or of a stored row is read as U+FFFD, in a value and in a name', () => {
  const read = parseWellFormed(
    String.raw`{"a\ud83d":["b\uDF75","\ud83c\udf75","\ud83d\ud83c\udf75",{"c":"\udf75\ud83c"}]}`,
  )
  assert.deepEqual(read, { 'a\ufffd': ['b\ufffd', '🍵', '\ufffd🍵', { c: '\ufffd\ufffd' }] })
  // A backslash and five letters.
  assert.deepEqual(parseWellFormed(String.raw`["\\ud83d","\\\ud83d","\"\ud83d","\\\\ud83d"]`), [
    String.raw`\ud83d`,
    '\\\ufffd',
    '"\ufffd',
    String.raw`\\ud83d`,
  ])
  assert.equal(parseJson('{"a":'), null)
})

test('whatever JSON says is read as JSON.parse reads it, each half apart', () => {
  const units = fc.array(
    fc.oneof(fc.constantFrom(0xd83c, 0xdf75, 0x5c, 0x75, 0x22), fc.integer({ min: 0, max: 0xffff })),
  )
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes)
      const json = JSON.stringify({ [text]: [text] })
      const name = text.toWellFormed()
      assert.deepEqual(parseWellFormed(json), { [name]: [name] })
      // Everything as an escape, as PHP writes it.
      const escaped = `["${codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}"]`
      assert.deepEqual(parseWellFormed(escaped), [name])
    }),
    { numRuns: 2000 },
  )
})
