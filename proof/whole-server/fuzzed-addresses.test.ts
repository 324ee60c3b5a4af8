import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { readPageBuild } from '../../server/http/page-build.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Fuzzed addresses: pages, bridge, assets and addresses that are none, with bodies that nobody asked for. */
const RUNS = 2500

const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS' as const)

const segment = fc.oneof(
  fc.constantFrom('preview', '404', 'assets', 'demo', 'collect', 'events', 'challenge', 'watch', 'csp-report'),
  fc.constantFrom(
    'merchant',
    'v1',
    'api',
    'checkouts',
    '3ds',
    'healthz',
    'readyz',
    'a'.repeat(32),
    '..',
    '%2e%2e',
    '%zz',
  ),
  fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
)
const url = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.array(segment, { maxLength: 4 }))
  .map(([path, query]) => `/${path.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`)

const host = fc.constantFrom(
  'tea.localhost:3000',
  'localhost:3000',
  '3ds.localhost:3000',
  'evil.example',
  'tea.localhost:3000.',
  '[::1]',
  '',
)
const contentType = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/csp-report',
  'multipart/form-data; boundary=x',
  'a',
)
const payload = fc.oneof(
  fc.constantFrom('', '{', '{"__proto__":1}', '{"constructor":{"prototype":1}}', '[[[[', 'a=b&c', 'x'.repeat(70_000)),
  fc.json(),
  fc.string(),
)

describe('no address and no body makes the server fail', () => {
  let server: TestServer
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway(), build: await readPageBuild() })
  })

  test(`${RUNS} random requests to pages, bridge and unknown addresses get no 5xx and write no error line`, async () => {
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(method, url, host, contentType, payload, async (verb, address, hostname, type, body) => {
        const headers = { host: hostname, 'content-type': type, 'accept-language': 'ko' }
        const answer = await server.app.inject({
          method: verb,
          url: address,
          headers,
          ...(verb === 'GET' || verb === 'HEAD' ? {} : { payload: body }),
        })
        seen.add(answer.statusCode)
        assert.ok(answer.statusCode < 500, `${answer.statusCode} ${answer.body.slice(0, 200)}`)
        assert.equal(answer.headers['x-content-type-options'], 'nosniff')
        assert.match(answer.headers.location ?? '/', /^\/(?!\/)/, 'no redirect to another host')
      }),
      { numRuns: RUNS },
    )
    for (const status of [200, 303, 400, 404, 413])
      assert.ok(seen.has(status), `no ${status} among ${[...seen].join()}`)
    assert.deepEqual(
      server.logLines.filter((line) => line.includes('"level":"error"')),
      [],
    )
  })
})
