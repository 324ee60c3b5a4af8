import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Check } from 'typebox/value'
import { PictureAnswer, PICTURE_BYTES_MAX } from '#contract/merchant/pictures.ts'
import { LANES } from '../../limits/lane-table.ts'
import { readPageBuild } from '../../page-build.ts'
import { gatewayNotConfigured } from '../../../gateways/not-configured.ts'
import { END, fixture, png, pngHeader, pngPixels, tinyPng } from '../../../pictures/testing/fixtures.ts'
import { endApp } from '../../../../proof/harness/end-server.ts'
import { statusAndCode, type ErrorBody } from '../../../../proof/harness/error-answers.ts'
import { API_KEYS } from '../../../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../../../proof/harness/test-server.ts'

const KEY = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }

describe('pictures over HTTP', () => {
  let server: TestServer
  before(async () => {
    server = await openTestServer({ gateway: gatewayNotConfigured, build: await readPageBuild() })
    await server.app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => endApp(server.app))

  const put = (payload: Buffer | string, contentType?: string, url = '/merchant/v1/settings/logo') =>
    server.app.inject({
      method: 'PUT',
      url,
      headers: { ...KEY, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
      payload,
    })
  const uploaded = async (payload: Buffer): Promise<string> => {
    const answer = await put(payload, 'image/png')
    assert.equal(answer.statusCode, 200, answer.body)
    return new URL(answer.json<PictureAnswer>().url).pathname
  }
  const get = (url: string, host = 'tea.localhost:3000'): Promise<LightMyRequestResponse> =>
    server.app.inject({ url, headers: { host } })
  const reasonOf = (answer: LightMyRequestResponse): unknown => {
    assert.deepEqual(statusAndCode(answer), [400, 'image_refused'])
    return answer.json<{ params: { reason: string } }>().params.reason
  }

  test('one that is uploaded has an address of its own on the shop’s host, with its type and for ever', async () => {
    const answer = await put(fixture('canvas.jpg'), 'image/jpeg')
    const body = answer.json<PictureAnswer>()
    assert.ok(Check(PictureAnswer, body))
    assert.match(body.url, /^http:\/\/tea\.localhost:3000\/pictures\/[0-9a-f]{64}\.jpg$/)
    assert.deepEqual([body.contentType, body.width, body.height], ['image/jpeg', 16, 12])
    const { statusCode, headers, rawPayload } = await get(new URL(body.url).pathname)
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'image/jpeg')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox; frame-ancestors 'none'")
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(rawPayload.toString('hex', 0, 3), 'ffd8ff')
  })

  test('the page of the shop shows it', async () => {
    const address = await uploaded(fixture('canvas.png'))
    server.clock.advance(1000)
    const page = await get(`/${await server.createCheckout()}/creditcard`)
    // In the data that the page begins with: pictures get their address when it is live.
    assert.ok(page.body.includes(`"logoUrl":"${address}"`))
    const removed = await server.app.inject({ method: 'DELETE', url: '/merchant/v1/settings/logo', headers: KEY })
    assert.deepEqual([removed.statusCode, removed.json()], [200, {}])
    server.clock.advance(1000)
    assert.ok(!(await get(`/${await server.createCheckout()}/creditcard`)).body.includes(address))
    assert.equal((await get(address)).statusCode, 200, 'a page that was drawn before still shows it')
  })

  test('what it is said to be changes nothing', async () => {
    const file = fixture('canvas-lossy.webp')
    const address = await uploaded(file)
    for (const type of [undefined, 'text/html', 'image/svg+xml', 'application/json', 'x', 'multipart/form-data'])
      assert.equal(new URL((await put(file, type)).json<PictureAnswer>().url).pathname, address, String(type))
    assert.equal(reasonOf(await put('{}', 'application/json')), 'wrong_format')
    assert.equal(reasonOf(await put('<svg/>', 'image/png')), 'wrong_format')
  })

  test('it is found on no other host, under no other name and extension: the same 404', async () => {
    const address = await uploaded(tinyPng())
    const answers = [
      await get(address, 'books.localhost:3000'),
      await get(address, 'localhost:3000'),
      await get(address, '3ds.localhost:3000'),
      await get(address, 'nobody.localhost:3000'),
      await get(address.replace('.png', '.jpg')),
      await get(address.replace('.png', '')),
      await get(`/pictures/${'a'.repeat(64)}.png`),
      await get('/pictures/%00.png'),
      await get('/pictures/..%2fdemo%2flogo.png'),
    ]
    for (const { statusCode, body, headers } of answers) {
      assert.deepEqual([statusCode, body], [404, 'not found\n'])
      assert.equal(headers['cache-control'], 'no-store')
    }
  })

  test('no body, an empty one and one that is too large are refused by name', async () => {
    const none = await server.app.inject({ method: 'PUT', url: '/merchant/v1/settings/logo', headers: KEY })
    assert.equal(reasonOf(none), 'empty')
    assert.equal(reasonOf(await put('', 'image/png')), 'empty')
    assert.equal(reasonOf(await put(Buffer.alloc(PICTURE_BYTES_MAX + 1))), 'too_large')
    assert.equal(reasonOf(await put(Buffer.alloc(8 * PICTURE_BYTES_MAX))), 'too_large')
    const chunked = await send({ 'transfer-encoding': 'chunked' }, Buffer.alloc(2 * PICTURE_BYTES_MAX))
    assert.match(chunked.body, /"code":"image_refused".*"reason":"too_large"/)
  })

  test('one of 2 MiB is taken over a socket', async () => {
    const text = (size: number): Buffer => tinyPng({ type: 'tEXt', data: Buffer.alloc(size) })
    const file = text(PICTURE_BYTES_MAX - text(0).length)
    assert.equal((await send({ 'content-length': String(file.length) }, file)).status, 200)
  })

  test('without a key, with a live one, or on the host of a shop nothing is taken', async () => {
    for (const headers of [
      { host: 'localhost:3000' },
      { ...KEY, authorization: `Bearer ${API_KEYS.live}` },
      { ...KEY, host: 'tea.localhost:3000' },
    ])
      for (const method of ['PUT', 'DELETE'] as const) {
        const answer = await server.app.inject({ method, url: '/merchant/v1/settings/logo', headers, payload: '' })
        assert.deepEqual(statusAndCode(answer), [401, 'invalid_api_key'])
      }
  })

  test('there is a logo and a cover, and nothing else', async () => {
    assert.equal((await put(tinyPng(), 'image/png', '/merchant/v1/settings/cover')).statusCode, 200)
    const other = await put(tinyPng(), 'image/png', '/merchant/v1/settings/banner')
    assert.deepEqual(statusAndCode(other), [400, 'invalid_field'])
    assert.match(other.json<ErrorBody>().message, /picture must be one of logo, cover/)
  })

  test('of one merchant so many uploads are read at a time, the others wait, and another merchant is not kept waiting', async () => {
    const { atOncePerCaller, waiting } = LANES.uploadBodies
    const slow = Array.from({ length: atOncePerCaller + waiting + 1 }, () => open({ 'content-length': '5' }))
    for (const { request } of slow) request.write('R')
    const refused = await Promise.race(slow.map(({ answered }) => answered))
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '2'])
    assert.match(await text(refused), /"code":"unavailable"/)
    const other = await server.app.inject({
      method: 'PUT',
      url: '/merchant/v1/settings/logo',
      headers: { ...KEY, authorization: `Bearer ${API_KEYS.books}` },
      payload: tinyPng(),
    })
    assert.equal(other.statusCode, 200, 'ten slow uploads of one merchant refused all those of another')
    for (const { request } of slow) request.end('IFF!')
    const statuses = await Promise.all(slow.map(async ({ answered }) => (await answered).statusCode))
    const [read, shed] = [400, 503].map((status) => statuses.filter((each) => each === status).length)
    assert.deepEqual([read, shed], [atOncePerCaller + waiting, 1])
    assert.equal((await put(tinyPng())).statusCode, 200)
  })

  test('a picture that is refused before it has arrived is not read to its end', async () => {
    const unknown = { authorization: `Bearer sk_test_${'z'.repeat(32)}` }
    const endsItsConnection = async (headers: Readonly<Record<string, string>>): Promise<boolean> => {
      const { request, answered } = open({ ...unknown, ...headers, connection: 'keep-alive' })
      request.flushHeaders()
      const answer = await answered
      assert.equal(answer.statusCode, 401)
      request.destroy()
      return answer.headers.connection === 'close'
    }
    assert.equal(await endsItsConnection({ 'content-length': String(64 * 1024) }), false)
    assert.equal(await endsItsConnection({ 'content-length': String(64 * 1024 + 1) }), true)
    assert.equal(await endsItsConnection({ 'transfer-encoding': 'chunked' }), true)
  })

  test('the largest picture, 134 MB when it is unpacked, is unpacked outside the thread that serves payments', async (t) => {
    const largest = png(pngHeader(4096, 4096, 16, 6), pngPixels(4096 * (1 + 8 * 4096)), END)
    assert.equal((await put(largest)).statusCode, 200)
    const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
    assert.equal((await put(largest)).statusCode, 200)
    const msOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
    const [ownMs, allMs] = [msOf(process.threadCpuUsage(own)), msOf(process.cpuUsage(all))]
    t.diagnostic(`${ownMs.toFixed()} of ${allMs.toFixed()} ms`)
    assert.ok(ownMs < allMs / 2, `${ownMs} of ${allMs} ms`)
  })

  const open = (headers: Readonly<Record<string, string>>) => {
    const { port } = server.app.server.address() as AddressInfo
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'PUT',
      path: '/merchant/v1/settings/logo',
      headers: { ...KEY, ...headers },
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject)
    })
    return { request, answered }
  }

  const send = async (headers: Readonly<Record<string, string>>, bytes: Buffer) => {
    const { request, answered } = open({ ...headers, connection: 'close' })
    request.end(bytes)
    const response = await answered
    return { status: response.statusCode, body: await text(response) }
  }
})
