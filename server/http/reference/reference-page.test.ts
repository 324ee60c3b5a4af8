import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { CALL_NOTES } from './call-notes.ts'
import { curlText, typescriptText } from './example-texts.ts'
import { fieldTable, typeHtml } from './field-rows.ts'
import { blocksHtml, codeHtml } from './markup.ts'
import { readSchema } from './read-schema.ts'

describe('the reference page', () => {
  let server: TestServer
  let html: string
  const get = (headers: Readonly<Record<string, string>> = {}): Promise<LightMyRequestResponse> =>
    server.app.inject({ url: '/merchant/v1/reference', headers: { host: 'localhost:3000', ...headers } })
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway() })
    html = (await get()).body
  })

  test('is answered without a key on the base host alone', async () => {
    const { statusCode, headers } = await get()
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'])
    for (const host of ['tea.localhost:3000', '3ds.localhost:3000', 'evil.example'])
      assert.equal((await get({ host })).statusCode, 401, host)
  })

  test('is compressed as the browser likes it', async () => {
    const [br, gzip] = [await get({ 'accept-encoding': 'gzip, br' }), await get({ 'accept-encoding': 'gzip' })]
    assert.equal(brotliDecompressSync(br.rawPayload).toString(), html)
    assert.equal(gunzipSync(gzip.rawPayload).toString(), html)
    for (const answer of [br, gzip]) assert.equal(answer.headers['vary'], 'accept-encoding')
    assert.ok(br.rawPayload.length < 25_000, `${br.rawPayload.length} bytes`)
  })

  test('has one style, which its policy names by its hash, and nothing that runs or is fetched', async () => {
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    const policy = String((await get()).headers['content-security-policy'])
    assert.ok(policy.startsWith(`default-src 'none'; style-src 'sha256-${hash}';`), policy)
    assert.doesNotMatch(html, /<script|<img|<link|<iframe|<form|\sstyle=|\son\w+=|javascript:/)
  })

  test('has an anchor for every call and every error, and no link into nothing', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const name of Object.keys(CALL_NOTES)) assert.ok(ids.includes(name), name)
    for (const code of ['invalid_field', 'method_not_allowed', 'key_not_allowed'])
      assert.ok(ids.includes(`error-${code}`))
    const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link)
    assert.deepEqual(
      links.filter((link) => !ids.includes(link.slice(1))),
      [],
    )
  })

  test('has its headings in order', () => {
    const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
    assert.equal(levels.filter((level) => level === 1).length, 1)
    levels.forEach((level, place) => assert.ok(level <= (levels[place - 1] ?? 0) + 1, `heading ${place}`))
  })

  test('shows each call with its address, access, example texts and an answer', () => {
    const section = /<section id="refundCheckout"[^]*?<\/section>/.exec(html)?.[0] ?? ''
    assert.match(section, /POST<\/span> <code>\/merchant\/v1\/checkouts\/\{checkoutId\}\/refunds<\/code>/)
    assert.match(section, /Needs a key with the access <code>full<\/code>/)
    assert.match(section, /<code>refundId<\/code>.*required/)
    assert.match(section, /<code>amount<\/code>.*optional.*1 to 9,999,999/)
    assert.match(section, /href="#error-refund_exceeds_payment"/)
    assert.match(section, /curl --fail-with-body &quot;\$KAIKEI_URL\/checkouts\/\$CHECKOUT_ID\/refunds&quot;/)
    assert.match(section, /await fetch\(`\$\{KAIKEI_URL\}\/checkouts\/\$\{CHECKOUT_ID\}\/refunds`/)
    assert.match(section, /&quot;status&quot;: &quot;refunded&quot;/)
  })
})

test('a table shows nested objects, lists, maps, choices and alternatives', () => {
  const schema = readSchema({
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: 'array', items: { type: 'object', properties: { b: { enum: ['x', 1] } } }, maxItems: 2 },
      c: { type: 'object', additionalProperties: { type: 'string', maxLength: 5 }, maxProperties: 3 },
      d: { anyOf: [{ type: 'string', description: 'Words.' }, { type: 'null' }] },
      e: { oneOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'boolean' }] },
    },
  })
  if (schema.kind !== 'object') assert.fail()
  const table = fieldTable('T', schema.fields)
  const names = [...table.matchAll(/<th scope="row" role="rowheader"><code>([^<]*)/g)].map(([, name]) => name)
  assert.deepEqual(names, ['a', 'a[].b', 'c', 'd', 'e'])
  assert.match(table, /<code>a<\/code>.*list of object.*required.*at most 2 items/)
  assert.match(table, /one of <code>x<\/code>, <code>1<\/code>/)
  assert.match(table, /map of string.*at most 3 names; values: at most 5 characters/)
  assert.match(table, /string or null.*Words\./)
  assert.match(table, /<a href="#object-Thing">Thing<\/a> or boolean/)
  assert.equal(typeHtml(readSchema({})), 'bytes of a file')
})

test('texts are escaped wherever they stand', () => {
  const hostile = '<b onclick="x">&'
  for (const drawn of [
    blocksHtml(hostile),
    blocksHtml(`- ${hostile}`),
    blocksHtml(`\`${hostile}\``),
    codeHtml(hostile, hostile),
  ])
    assert.ok(!drawn.includes('<b') && !drawn.includes('"x"'), drawn)
})

test('the texts of an example are quoted for their reader', () => {
  const call = { method: 'POST', path: '/x/:id' } as const
  const example = { path: { id: 'a b' }, body: { it: "it's", 'a-b': [] }, answer: {} }
  assert.match(curlText(call, example), /"\$KAIKEI_URL\/x\/a%20b"[^]*--data '\{\n {4}"it": "it'\\''s"/)
  assert.match(typescriptText(call, example), /body: JSON.stringify\(\{ it: 'it\\'s', 'a-b': \[\] \}\),/)
  assert.throws(() => curlText(call, { answer: {} }), /has no id/)
  assert.throws(() => curlText(call, { ...example, headers: { X: '$(id)' } }), /cannot be written/)
})
