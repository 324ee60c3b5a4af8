import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { readPageBuild, type PageBuild } from '../page-build.ts'

const HOST = { host: 'console.localhost:3000' }

describe('the document of the console', () => {
  let server: TestServer
  let build: PageBuild
  before(async () => {
    build = await readPageBuild()
    server = await openTestServer({ gateway: fakeGateway(), build })
  })

  test('is the same at every address of its host, and at no other host', async () => {
    for (const url of ['/', '/about', '/404', '/preview', '/shops/tea/live/checkouts', `/sign-in/${'a'.repeat(32)}`]) {
      const { statusCode, body } = await server.app.inject({ url, headers: HOST })
      assert.deepEqual([statusCode, body.includes('<div id="console">')], [200, true], url)
    }
    for (const host of ['localhost:3000', 'tea.localhost:3000', '3ds.localhost:3000', 'x.console.localhost:3000'])
      assert.ok(!(await server.app.inject({ url: '/', headers: { host } })).body.includes('<div id="console">'), host)
  })

  test('is not sent in the place of a call, nor for anything but a reading', async () => {
    for (const url of ['/merchant/v1/x', '/console/v1/x', '/api/v1/x', '/assets/x.js'])
      assert.ok(!(await server.app.inject({ url, headers: HOST })).body.includes('<div id="console">'), url)
    const posted = await server.app.inject({ method: 'POST', url: '/shops', headers: HOST })
    assert.equal(posted.statusCode, 404)
  })

  test('speaks the language of the address, else that of the browser: Japanese, or English', async () => {
    const languageOf = async (url: string, language: string): Promise<string | undefined> => {
      const { body } = await server.app.inject({ url, headers: { ...HOST, 'accept-language': language } })
      return /<html lang="([\w-]+)">/.exec(body)?.[1]
    }
    assert.equal(await languageOf('/', 'ja-JP,ja;q=0.9'), 'ja')
    assert.equal(await languageOf('/', 'fr'), 'en-US')
    assert.equal(await languageOf('/', 'ko'), 'en-US')
    assert.equal(await languageOf('/?locale=ja', 'en-US'), 'ja')
  })

  test('gives its nonce to every style and script, and names the hash of every script that may be loaded', async () => {
    const { body, headers } = await server.app.inject({ url: '/', headers: HOST })
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
    assert.ok(nonce.length >= 24)
    for (const [tag] of body.matchAll(/<(?:script|style|link rel="(?:stylesheet|modulepreload)")[^>]*>/g))
      assert.ok(tag.includes(`nonce="${nonce}"`), tag)
    assert.match(body, new RegExp(`<meta property="csp-nonce" nonce="${nonce.replaceAll('+', '\\+')}">`))
    const [, map = ''] = /<script type="importmap"[^>]*>(.*?)<\/script>/.exec(body) ?? []
    assert.deepEqual(Object.keys(JSON.parse(map).integrity), Object.keys(build.console.integrity))
    assert.ok(Object.keys(build.console.integrity).length > 1)
    assert.ok(Object.keys(build.integrity).every((script) => !(script in build.console.integrity)))
  })
})
