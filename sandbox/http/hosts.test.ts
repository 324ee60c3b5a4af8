import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sandboxCards } from '../cards/card-table.ts'
import { field } from '../testing/acquirer.ts'
import { formAt, openChallengePage, serveThreeDS, submitReturnForm } from '../testing/three-ds.ts'
import { checkoutOriginPattern } from './hosts.ts'
import { html } from './html.ts'

test('the two public hosts serve pages and no API, the two local hosts serve the API and no pages', async (t) => {
  const { visit, origins, port } = await serveThreeDS(t, 1, true)
  const api = `http://127.0.0.1:${port}`
  const statuses = async (path: string, method: 'GET' | 'POST') =>
    Promise.all(
      [api, `http://localhost:${port}`, origins.threeDS, origins.bank].map(
        async (origin) => (await visit(`${origin}${path}`, { method })).status,
      ),
    )
  assert.deepEqual(await statuses('/api/v2/auth/enrol', 'POST'), [400, 400, 404, 404])
  assert.deepEqual(await statuses('/api/v2/auth/brw/result', 'GET'), [400, 400, 404, 404])
  assert.deepEqual(await statuses('/three-ds/v1/requests', 'GET'), [200, 200, 404, 404])
  assert.deepEqual(await statuses('/', 'GET'), [200, 200, 404, 404])
  assert.deepEqual(await statuses('/method-notification', 'POST'), [404, 404, 400, 404])
  assert.deepEqual(await statuses('/challenge-notification', 'POST'), [404, 404, 400, 404])
  assert.deepEqual(await statuses('/challenge/answer', 'POST'), [404, 404, 404, 404])
  assert.deepEqual(await statuses('/challenge', 'POST'), [404, 404, 405, 400])
  assert.deepEqual(await statuses('/method', 'POST'), [404, 404, 404, 400])
})

test('a public host is recognised whatever the case of its letters', async (t) => {
  const { visit, port } = await serveThreeDS(t)
  const to = async (host: string): Promise<number> =>
    (await visit(`http://127.0.0.1:${port}/method`, { method: 'POST', headers: { host } })).status
  assert.equal(await to(`BANK.localhost:${port}`), 400)
  assert.equal(await to(`bank.localhost:${port + 1}`), 404)
})

test('every page has a strict Content-Security-Policy, may be framed by checkouts alone and sets no cookie', async (t) => {
  const client = await serveThreeDS(t)
  const { start, authenticate, visit, submit, origins, port } = client
  const started = await start('4100000000005000')
  const collect = await visit(String(field(started.initResponse, 'threeDSServerCallbackUrl')))
  const watch = await visit(String(field(started.initResponse, 'monUrl')))
  const timedOut = await submit(formAt(watch))
  const method = await submit(formAt(collect, 1))
  const methodEnded = await submit(formAt(method))
  const authenticated = await authenticate(started)
  const entry = await visit(String(field(authenticated.body, 'challengeUrl')))
  const challenge = await openChallengePage(client, authenticated)
  const returning = await submit(formAt(challenge), { code: '123456', action: 'confirm' })
  const resultEvent = await submit(formAt(returning))
  const list = await visit(`http://127.0.0.1:${port}/`)
  const { threeDS, bank, checkouts } = origins
  const events = 'http://3ds.localhost:3000'
  const nested = `${threeDS} ${checkouts}`
  const pages: [typeof list, formAction: string, frameSrc: string, frameAncestors: string][] = [
    [collect, `${events} ${bank}`, `${bank} ${threeDS} ${events}`, checkouts],
    [watch, threeDS, "'none'", nested],
    [timedOut, events, "'none'", nested],
    [method, threeDS, "'none'", nested],
    [methodEnded, "'none'", "'none'", nested],
    [entry, bank, "'none'", checkouts],
    [challenge, bank, "'none'", checkouts],
    [returning, threeDS, "'none'", checkouts],
    [resultEvent, events, events, checkouts],
    [list, "'none'", "'none'", "'none'"],
  ]
  const nonces = pages.map(([{ headers, text }, formAction, frameSrc, frameAncestors], index) => {
    const policy = String(headers['content-security-policy'])
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    assert.equal(
      policy,
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; form-action ${formAction}; ` +
        `frame-src ${frameSrc}; frame-ancestors ${frameAncestors}; base-uri 'none'`,
      String(index),
    )
    for (const [tag] of text.matchAll(/<(?:script|style)\b[^>]*>/g)) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
    assert.doesNotMatch(text, /\sstyle=|\son[a-z]+="/)
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(text, /<html lang="[a-zA-Z-]+">[\s\S]*<title>[^<]+<\/title>[\s\S]*<main/)
    return nonce
  })
  assert.equal(new Set(nonces).size, pages.length)
  assert.equal((await submitReturnForm(client, returning)).length, 1)
})

test('checkouts are framed below their base, with its scheme and port', () => {
  assert.equal(checkoutOriginPattern('http://localhost:3000'), 'http://*.localhost:3000')
  assert.equal(checkoutOriginPattern('https://pay.example'), 'https://*.pay.example')
})

test('the list of cards shows every card, what it does and where it ends', async (t) => {
  const { visit, port } = await serveThreeDS(t)
  const { text } = await visit(`http://127.0.0.1:${port}/`)
  for (const { number, description, outcome } of sandboxCards) {
    const row = text.split('<tr>').find((each) => each.replaceAll(' ', '').includes(`<code>${number}</code>`))
    assert.ok(row?.includes(`<td>${description}</td>`), number)
    assert.ok(row?.includes(`<td>${outcome}</td>`), number)
  }
  assert.ok(text.includes('<code>4242 4242 4242 4242</code>'))
  assert.ok(text.includes('<code>3400 000000 00108</code>'))
  assert.ok(text.includes('<code>3600 000000 0008</code>'))
})

test('values from outside are escaped and cannot become markup', () => {
  const inner = html`<b>${'<i>'}</b>`
  assert.equal(
    html`<p title="${`"'&<>`}">${inner}${[inner]}${undefined}${7}</p>`.markup.replaceAll(/\s+/g, ' '),
    ['<p title="&quot;&#39;&amp;&lt;&gt;">', '<b>&lt;i&gt;</b><b>&lt;i&gt;</b>7</p>'].join(''),
  )
})
