import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { CALL_NOTES } from './call-notes.ts'
import { REFERENCE_SCRIPT } from './client-script.ts'
import { curlText, phpText, typescriptText } from './example-texts.ts'
import { fieldTable, typeHtml } from './field-rows.ts'
import { blocksHtml, codeHtml } from './markup.ts'
import { fieldsOf } from './schema.ts'

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
    assert.ok(br.rawPayload.length < 40_000, `${br.rawPayload.length} bytes`)
  })

  test('has one style and one script, which its policy names by their hashes, and nothing that is fetched', async () => {
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? []
    const [, script = '', ...more] = /<script>([^]*)<\/script>/.exec(html) ?? []
    const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const policy = String((await get()).headers['content-security-policy'])
    assert.ok(policy.startsWith(`default-src 'none'; style-src ${hashOf(style)};`), policy)
    assert.ok(policy.includes(`; script-src ${hashOf(script)}; require-trusted-types-for 'script';`), policy)
    assert.doesNotMatch(policy, /unsafe|self|https?:/)
    assert.deepEqual([script, more], [REFERENCE_SCRIPT, []])
    const rest = html.replace(`<script>${script}</script>`, '')
    assert.doesNotMatch(rest, /<script|<img|<link|<iframe|<form|\sstyle=|\son\w+=|javascript:/)
  })

  test('has a small script that reaches no server and keeps nothing', () => {
    assert.ok(REFERENCE_SCRIPT.length < 8000, `${REFERENCE_SCRIPT.length} characters`)
    assert.doesNotMatch(REFERENCE_SCRIPT, /fetch|XMLHttp|sendBeacon|WebSocket|import|Storage|cookie|innerHTML|eval|<\//)
  })

  test('shows what needs its script only once that has run', () => {
    assert.match(html, /<div class="search" role="search" hidden>/)
    assert.doesNotMatch(html.slice(html.indexOf('<body>'), html.indexOf('<script>')), /<button|aria-current/)
  })

  test('shows every example in curl, TypeScript and PHP, one of which is chosen', () => {
    const calls = Object.keys(CALL_NOTES).length
    for (const kind of ['shell', 'typescript', 'php'])
      assert.equal(html.split(`<figure class="sample ${kind}"`).length - 1, calls, kind)
    assert.equal(html.split(' value="shell" checked>').length - 1, calls)
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
    assert.match(section, /curl --fail-with-body.*\n {2}&quot;\$KAIKEI_URL\/checkouts\/\$CHECKOUT_ID\/refunds&quot;/)
    assert.match(section, /await fetch\(`\$\{KAIKEI_URL\}\/checkouts\/\$\{CHECKOUT_ID\}\/refunds`/)
    assert.match(
      section,
      /curl_init\(getenv\('KAIKEI_URL'\) \. '\/checkouts\/' \. getenv\('CHECKOUT_ID'\) \. '\/refunds'\)/,
    )
    assert.match(section, /&quot;status&quot;: &quot;refunded&quot;/)
  })
})

test('a table shows nested objects, lists, maps, choices and alternatives', () => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: 'array', items: { type: 'object', properties: { b: { enum: ['x', 1] } } }, maxItems: 2 },
      c: { type: 'object', additionalProperties: { type: 'string', maxLength: 5 }, maxProperties: 3 },
      d: { anyOf: [{ type: 'string', description: 'Words.' }, { type: 'null' }] },
      e: { anyOf: [{ type: 'object', title: 'Thing', properties: { f: { type: 'null' } } }, { type: 'boolean' }] },
      g: { type: 'string', pattern: '^[0-9]{4}$' },
    },
  }
  const table = fieldTable('T', fieldsOf(schema))
  const names = [...table.matchAll(/<th scope="row" role="rowheader"><code>([^<]*)/g)].map(([, name]) => name)
  assert.deepEqual(names, ['a', 'a[].b', 'c', 'd', 'e', 'g'])
  assert.match(table, /<code>a<\/code>.*list of object.*required.*at most 2 items/)
  assert.match(table, /one of <code>x<\/code>, <code>1<\/code>/)
  assert.match(table, /map of string.*at most 3 names; values: at most 5 characters/)
  assert.match(table, /string or null.*Words\./)
  assert.match(table, /<a href="#object-Thing">Thing<\/a> or boolean/)
  assert.match(table, /<small>four digits, such as 4242<\/small>/)
  assert.throws(() => fieldTable('T', fieldsOf({ properties: { h: { type: 'string', pattern: '^x$' } } })), /no words/)
  assert.equal(typeHtml({}), 'bytes of a file')
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

test('an example is written for PHP with its method, headers, body or file, and where its answer goes', () => {
  const example = {
    headers: { 'Idempotency-Key': 'order-42' },
    body: {
      amount: 1980,
      subject: "Tea, 'green' \\ 100 g",
      metadata: {},
      taxes: [{ rate: 8, amount: 980 }],
      locale: null,
    },
    answer: {},
  }
  assert.equal(
    phpText({ method: 'POST', path: '/checkouts' }, example),
    String.raw`<?php
$call = curl_init(getenv('KAIKEI_URL') . '/checkouts');
curl_setopt_array($call, [
    CURLOPT_CUSTOMREQUEST => 'POST',
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('KAIKEI_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: order-42',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'amount' => 1980,
        'subject' => 'Tea, \'green\' \\ 100 g',
        'metadata' => new stdClass(),
        'taxes' => [['rate' => 8, 'amount' => 980]],
        'locale' => null,
    ]),
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($call);
if ($answer === false) {
    throw new RuntimeException(curl_error($call));
}
$status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
if ($status >= 400) {
    throw new RuntimeException($answer);
}
echo $answer, "\n";`,
  )
  const upload = { path: { id: '$CHECKOUT_ID' }, upload: { name: 'logo.png', type: 'image/png' }, answer: {} }
  const uploading = phpText({ method: 'PUT', path: '/x/:id' }, upload)
  assert.match(uploading, /curl_init\(getenv\('KAIKEI_URL'\) \. '\/x\/' \. getenv\('CHECKOUT_ID'\)\);/)
  assert.match(uploading, /CURLOPT_POSTFIELDS => file_get_contents\('logo\.png'\),/)
  const reading = phpText({ method: 'GET', path: '/x' }, { saveAs: 'x.csv', answer: '' })
  assert.match(reading, /file_put_contents\('x\.csv', \$answer\);$/)
  assert.doesNotMatch(reading, /CUSTOMREQUEST|echo/)
  assert.throws(() => phpText({ method: 'POST', path: '/x' }, { body: { 1: 'a' }, answer: {} }), /as a list/)
})

test('an answer that curl prints ends its line, and one that it saves is left as it is', () => {
  const call = { method: 'GET', path: '/x' } as const
  assert.match(curlText(call, { answer: {} }), /^curl --fail-with-body --write-out '\\n' \\\n {2}"\$KAIKEI_URL\/x"/)
  assert.match(curlText(call, { saveAs: 'x.csv', answer: '' }), /^curl --fail-with-body \\\n/)
})
