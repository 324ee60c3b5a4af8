import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import type { PictureAnswer } from '#contract/merchant/pictures.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { markAsked, saveToken } from '../../server/store/outbox/mail-addresses.ts'
import { fixture } from '../../server/pictures/testing/fixtures.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/**
 * Golden file: all headers of every route, error and redirect. A header that is lost or weakened shows as a difference.
 * After a change on purpose: UPDATE_GOLDEN=1 node_modules/.bin/node --test proof/whole-server/golden-headers.test.ts
 */
const GOLDEN = new URL('./golden-headers.json', import.meta.url)

const TEA = { host: 'tea.localhost:3000' }
const SHOPPER = { ...TEA, merchant: 'tea' }
const MERCHANT = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
const CONSOLE = { host: 'console.localhost:3000' }
const BRIDGE = { host: '3ds.localhost:3000' }
const JSON_TYPE = { 'content-type': 'application/json' }

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const TOKEN = 'a'.repeat(32)
const CONFIRMATION = `/mail-address/${TOKEN}`

const CREATION: InjectOptions = {
  method: 'POST',
  url: '/merchant/v1/checkouts',
  headers: { ...MERCHANT, ...JSON_TYPE, 'idempotency-key': 'again' },
  payload: '{"amount":1}',
}

const SETTINGS_CHANGE: InjectOptions = {
  method: 'PATCH',
  url: '/merchant/v1/settings',
  headers: { ...MERCHANT, ...JSON_TYPE },
  payload: '{"fontType":"serif"}',
}

const requestsFor = (
  id: string,
  asset: string,
  picture: string,
  linkId: string,
): Readonly<Record<string, InjectOptions>> => ({
  'card page': { method: 'GET', url: `/${id}/creditcard`, headers: TEA },
  'link, redirected by status': { method: 'GET', url: `/${id}`, headers: TEA },
  'unknown link': { method: 'GET', url: `/${'a'.repeat(32)}`, headers: TEA },
  'not found page': { method: 'GET', url: '/404', headers: TEA },
  'server error page': { method: 'GET', url: '/500', headers: TEA },
  'unknown address': { method: 'GET', url: '/x/y', headers: TEA },
  'address that cannot be decoded': { method: 'GET', url: '/%zz', headers: TEA },
  'query that is too long': { method: 'GET', url: `/404?${'a'.repeat(3000)}`, headers: TEA },
  'malformed body on an unknown address': {
    method: 'POST',
    url: '/x',
    headers: { ...TEA, ...JSON_TYPE },
    payload: '{',
  },
  'link of a confirmation': { method: 'GET', url: CONFIRMATION, headers: TEA },
  'button of a confirmation': { method: 'POST', url: CONFIRMATION, headers: { ...TEA, ...FORM_TYPE } },
  'confirmation of nobody': { method: 'GET', url: `/mail-address/${'b'.repeat(32)}`, headers: TEA },
  'confirmation on the host of another': {
    method: 'POST',
    url: CONFIRMATION,
    headers: { host: 'books.localhost:3000', ...FORM_TYPE },
  },
  'reusable link': { method: 'GET', url: `/links/${linkId}`, headers: TEA },
  'button of a reusable link': {
    method: 'POST',
    url: `/links/${linkId}`,
    headers: { ...TEA, ...FORM_TYPE },
    payload: 'amount=500',
  },
  'wrong amount in the form of a reusable link': {
    method: 'POST',
    url: `/links/${linkId}`,
    headers: { ...TEA, ...FORM_TYPE },
    payload: 'amount=x',
  },
  'reusable link on the host of another': {
    method: 'GET',
    url: `/links/${linkId}`,
    headers: { host: 'books.localhost:3000' },
  },
  preview: { method: 'GET', url: '/preview', headers: TEA },
  'preview that is too long': { method: 'GET', url: `/preview?${'a'.repeat(17_000)}`, headers: TEA },
  'home page': { method: 'GET', url: '/', headers: { host: 'localhost:3000' } },
  console: { method: 'GET', url: '/shops/tea/live', headers: { ...CONSOLE, 'accept-encoding': 'br' } },
  'link of the console': { method: 'GET', url: `/sign-in/${TOKEN}`, headers: CONSOLE },
  'asset of the console': { method: 'GET', url: asset, headers: CONSOLE },
  asset: { method: 'GET', url: asset, headers: TEA },
  'unknown asset': { method: 'GET', url: '/assets/x.js', headers: TEA },
  'picture of the demo': { method: 'GET', url: '/demo/logo.png', headers: TEA },
  'picture of a shop': { method: 'GET', url: picture, headers: TEA },
  'picture of a shop on the host of another': {
    method: 'GET',
    url: picture,
    headers: { host: 'books.localhost:3000' },
  },
  'unknown picture': { method: 'GET', url: '/pictures/x.png', headers: TEA },
  'upload of a picture': {
    method: 'PUT',
    url: '/merchant/v1/settings/cover',
    headers: MERCHANT,
    payload: fixture('canvas.jpg'),
  },
  'upload that is refused': { method: 'PUT', url: '/merchant/v1/settings/cover', headers: MERCHANT, payload: '<svg/>' },
  'upload that is too large': {
    method: 'PUT',
    url: '/merchant/v1/settings/cover',
    headers: MERCHANT,
    payload: Buffer.alloc(3_000_000),
  },
  'reading of the settings': { method: 'GET', url: '/merchant/v1/settings', headers: MERCHANT },
  'change of the settings': { ...SETTINGS_CHANGE, headers: { ...SETTINGS_CHANGE.headers, 'if-match': '*' } },
  'change of settings that were changed': {
    ...SETTINGS_CHANGE,
    headers: { ...SETTINGS_CHANGE.headers, 'if-match': '"other"' },
  },
  'change of settings without If-Match': SETTINGS_CHANGE,
  'removal of a picture': { method: 'DELETE', url: '/merchant/v1/settings/cover', headers: MERCHANT },
  'report of a browser': {
    method: 'POST',
    url: '/csp-report',
    headers: { ...TEA, 'content-type': 'x/y' },
    payload: 'x',
  },
  'reading of a checkout': { method: 'GET', url: `/api/v1/checkouts/${id}`, headers: SHOPPER },
  'call of another merchant': { method: 'GET', url: `/api/v1/checkouts/${id}`, headers: { ...TEA, merchant: 'books' } },
  'malformed call': {
    method: 'POST',
    url: `/api/v1/checkouts/${id}/3ds`,
    headers: { ...SHOPPER, ...JSON_TYPE },
    payload: '{',
  },
  'unknown call': { method: 'GET', url: '/api/v1/x', headers: SHOPPER },
  'merchant call': { method: 'GET', url: `/merchant/v1/checkouts/${id}`, headers: MERCHANT },
  'merchant call without a key': {
    method: 'GET',
    url: `/merchant/v1/checkouts/${id}`,
    headers: { host: 'localhost:3000' },
  },
  'merchant call on the page of a shop': {
    method: 'GET',
    url: `/merchant/v1/checkouts/${id}`,
    headers: { ...MERCHANT, ...TEA },
  },
  'list of checkouts': { method: 'GET', url: '/merchant/v1/checkouts', headers: MERCHANT },
  'list of webhooks': { method: 'GET', url: '/merchant/v1/webhooks', headers: MERCHANT },
  'webhook that is registered': {
    method: 'POST',
    url: '/merchant/v1/webhooks',
    headers: { ...MERCHANT, ...JSON_TYPE },
    payload: '{"url":"https://shop.example.com/hook"}',
  },
  'address that is refused': {
    method: 'POST',
    url: '/merchant/v1/webhooks',
    headers: { ...MERCHANT, ...JSON_TYPE },
    payload: '{"url":"https://127.0.0.1/"}',
  },
  'list of events': { method: 'GET', url: '/merchant/v1/events', headers: MERCHANT },
  'list of reusable links': { method: 'GET', url: '/merchant/v1/links', headers: MERCHANT },
  'QR code': { method: 'GET', url: `/merchant/v1/checkouts/${id}/qr.svg`, headers: MERCHANT },
  export: { method: 'GET', url: '/merchant/v1/exports/movements.csv?from=2026-11-01&to=2026-11-02', headers: MERCHANT },
  'creation with an idempotency key': CREATION,
  'the same creation again': CREATION,
  'OpenAPI document': { method: 'GET', url: '/merchant/v1/openapi.json', headers: { host: 'localhost:3000' } },
  'reference page': {
    method: 'GET',
    url: '/merchant/v1/reference',
    headers: { host: 'localhost:3000', 'accept-encoding': 'br' },
  },
  'reference page on the page of a shop': { method: 'GET', url: '/merchant/v1/reference', headers: TEA },
  health: { method: 'GET', url: '/healthz', headers: { host: 'localhost:3000' } },
  readiness: { method: 'GET', url: '/readyz', headers: { host: 'localhost:3000' } },
  'step of the bridge that is over': { method: 'GET', url: `/collect/${'a'.repeat(32)}`, headers: BRIDGE },
  'address that is absolute': { method: 'GET', url: '/x', headers: { host: 'evil.example' } },
})

/** What differs from one answer to the next. */
const withoutNonce = (value: unknown): string =>
  String(value)
    .replaceAll(/nonce-[\w+/=]+/g, 'nonce-…')
    .replaceAll(/(^|\/)[a-z2-7]{32}/g, '$1<id>')
    .replaceAll(/^"[\w-]{22}"$/g, '"<etag>"')

describe('the headers of every kind of answer', () => {
  let server: TestServer
  let asset: string
  before(async () => {
    const build = await readPageBuild()
    asset = build.entry
    server = await openTestServer({ gateway: fakeGateway(), build })
  })

  test('are those of the golden file', async () => {
    const found: Record<string, Record<string, string>> = {}
    const uploaded = await server.app.inject({
      method: 'PUT',
      url: '/merchant/v1/settings/logo',
      headers: MERCHANT,
      payload: fixture('canvas.png'),
    })
    const { pathname: picture } = new URL(uploaded.json<PictureAnswer>().url)
    const asked = { merchantId: 'tea-id', address: 'dev@example.com' }
    await markAsked(server.deps.database, asked, server.clock.now())
    await saveToken(server.deps.database, asked, TOKEN, server.clock.now())
    const link = await server.app.inject({
      method: 'POST',
      url: '/merchant/v1/links',
      headers: MERCHANT,
      payload: { amountRange: { min: 100, max: 9000 } },
    })
    const { id: linkId } = link.json<{ id: string }>()
    const requests = requestsFor(await server.createCheckout(), asset, picture, linkId)
    for (const [name, request] of Object.entries(requests)) {
      const { statusCode, headers } = await server.app.inject(request)
      const { date: _date, 'content-length': _length, ...rest } = headers
      found[name] = { status: String(statusCode) }
      for (const header of Object.keys(rest).toSorted()) found[name][header] = withoutNonce(rest[header])
    }
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, `${JSON.stringify(found, null, 2)}\n`)
    assert.deepEqual(found, JSON.parse(readFileSync(GOLDEN, 'utf8')))
  })
})
