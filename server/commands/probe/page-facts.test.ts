import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { readFile } from 'node:fs/promises'
import { SCRIPT_INVENTORY } from '../../config/release.ts'
import { readPageBuild } from '../../http/page-build.ts'
import { fetchPage, type FetchAnswer } from './fetch-page.ts'
import { differences, notInInventory, scriptsIn, steadyHeaders, type PageFacts } from './page-facts.ts'

const FACTS: PageFacts = { headers: { a: '1', b: '2' }, scripts: { '/x.js': 'sha384-x' } }

test('a header or a script that is new, gone or other is named, and nothing else is', () => {
  assert.deepEqual(differences(FACTS, FACTS), [])
  const now: PageFacts = {
    headers: { a: '0', c: '3' },
    scripts: { '/x.js': 'sha384-y', '/z.js': 'sha384-z' },
  }
  assert.deepEqual(differences(FACTS, now), [
    'header a has changed: it was 1, and is 0',
    'header b is gone',
    'header c is new: 3',
    'script /x.js has changed: it was sha384-x, and is sha384-y',
    'script /z.js is new: sha384-z',
  ])
})

test('what is other in every answer is left out or named: date, nonce, checkout', () => {
  const checkout = 'lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb'
  const headers = { Date: 'now', 'Content-Security-Policy': `script-src 'nonce-abc'; report-uri /${checkout}/x` }
  assert.deepEqual(steadyHeaders({ ...headers, 'set-cookie': ['a=1', 'b=2'] }), {
    'content-security-policy': "script-src 'nonce-{nonce}'; report-uri /{checkout}/x",
    'set-cookie': 'a=1, b=2',
  })
})

test('scripts are found however they are written; data is none, and an import map only while it lists hashes', () => {
  const html = `<SCRIPT nonce=a>one()</SCRIPT><script src='/a.js'></script ><script type="application/json">{}</script>
    <script type="importmap">{"integrity":{"/b.js":"sha384-b"}}</script><script type="importmap">{"imports":{"a":"b"}}</script>
    <link rel="modulepreload" href="/c.js"><link rel=preload as=script href=/d.js><link rel="icon" href="/i.svg">`
  assert.deepEqual(scriptsIn(html), {
    inline: ['one()', '{"imports":{"a":"b"}}'],
    addresses: ['/a.js', '/b.js', '/c.js', '/d.js'],
  })
})

test('a script that is hidden from a reader of the text, and not from a browser, is seen', () => {
  const hidden = [
    '<script>skim()</script x>',
    '<script>skim()',
    '<script/type=module type="application/json">skim()</script>',
    '<script data-a=" type=application/json ">skim()</script>',
    '<!-- <script type="application/json"> --><script>skim()</script>',
    '<!-- <script src="/a.js"> --><script>skim()</script>',
    '<img src=x onerror="skim()">',
    '<svg/onload=skim()>',
    '<a href="javascript:skim()">pay</a>',
    '<iframe srcdoc="skim"></iframe>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  ]
  for (const html of hidden) assert.equal(scriptsIn(`<p>${html}`).inline.length, 1, html)
  assert.deepEqual(scriptsIn('<script id="facts" type="application/json">{"a":1}</script>').inline, [])
})

const PAGE = 'http://tea.localhost:3000'

const openPage = async () => {
  const server = await openTestServer({ gateway: fakeGateway(), build: await readPageBuild() })
  const id = await server.createCheckout()
  const fetch: FetchAnswer = async (url) => {
    const answer = await server.app.inject({
      method: 'GET',
      url: `${url.pathname}${url.search}`,
      headers: { host: url.host },
    })
    return {
      status: answer.statusCode,
      headers: { ...answer.headers, date: 'x' } as Record<string, string>,
      body: answer.rawPayload,
    }
  }
  return { url: new URL(`${PAGE}/${id}`), fetch }
}

test('the real card page holds the scripts of its inventory and no others, and is the same twice', async () => {
  const { url, fetch } = await openPage()
  const first = await fetchPage(url, fetch)
  assert.deepEqual(first.faults, [])
  assert.ok(Object.keys(first.facts.scripts).length >= 9)
  assert.deepEqual(differences(first.facts, (await fetchPage(url, fetch)).facts), [])
  const other = await openPage()
  assert.deepEqual(differences(first.facts, (await fetchPage(other.url, other.fetch)).facts), [])
  const inventory = JSON.parse(await readFile(SCRIPT_INVENTORY, 'utf8')) as { integrity: string }[]
  const hashes = new Set(inventory.map(({ integrity }) => integrity))
  assert.deepEqual(notInInventory(first.facts.scripts, hashes), [])
})

test('one flipped byte in a script, a script that was added, and a weaker policy are each found', async () => {
  const { url, fetch } = await openPage()
  const { facts: stored } = await fetchPage(url, fetch)
  const changed =
    (change: (path: string, text: string) => string, policy?: string): FetchAnswer =>
    async (address) => {
      const answer = await fetch(address)
      const body = Buffer.from(change(address.pathname, answer.body.toString('utf8')))
      const isPage = address.pathname.endsWith('creditcard')
      return {
        ...answer,
        body,
        headers: {
          ...answer.headers,
          ...(policy === undefined || !isPage ? {} : { 'content-security-policy': policy }),
        },
      }
    }
  const found = async (fetchChanged: FetchAnswer) => differences(stored, (await fetchPage(url, fetchChanged)).facts)
  const flipped = await found(changed((path, text) => (path.includes('/main-') ? text.replace('a', 'b') : text)))
  assert.match(flipped.join(), /^script \/assets\/main-[\w-]+\.js has changed: /)
  const added = await found(changed((_path, text) => text.replace('</body>', '<script>skim()</script></body>')))
  assert.match(added.join(), /^script inline 3 is new: sha384-/)
  const weaker = await found(changed((_path, text) => text, "script-src 'nonce-x' 'unsafe-inline'"))
  assert.match(weaker.join(), /^header content-security-policy has changed: /)
})

test('a nonce that is sent twice is a fault, whatever was stored', async () => {
  const { url, fetch } = await openPage()
  let first: Awaited<ReturnType<FetchAnswer>> | undefined
  const cached: FetchAnswer = async (address) => {
    const answer = await fetch(address)
    if (!address.pathname.endsWith('creditcard')) return answer
    return (first ??= answer)
  }
  assert.deepEqual((await fetchPage(url, cached)).faults, ['the nonce is the same in two answers'])
})

test('a page that leads to another host is not followed there', async () => {
  const away: FetchAnswer = async () => ({
    status: 302,
    headers: { location: 'https://evil.example/' },
    body: Buffer.from(''),
  })
  await assert.rejects(fetchPage(new URL(PAGE), away), /leads away to https:\/\/evil\.example/)
  const round: FetchAnswer = async () => ({ status: 302, headers: { location: '/x' }, body: Buffer.from('') })
  await assert.rejects(fetchPage(new URL(PAGE), round), /on and on/)
})
