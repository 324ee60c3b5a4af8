import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import { createSendWebhook } from './send-webhook.ts'

const RULES = { isLoopbackAllowed: true, ownPorts: [], ownAddresses: [], denied: [] }

describe('a webhook that is sent', () => {
  const servers: Server[] = []
  after(() => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener)
    servers.push(server)
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening)
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b`
  }
  const send = (url: string, timeoutMs = 5000): Promise<WebhookAnswer> =>
    createSendWebhook({ rules: RULES, timeoutMs })({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"a":"茶"}' })

  test('arrives as a POST with its headers and its whole body, and the answer is told', async () => {
    const seen: unknown[] = []
    const url = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method, url: path, headers } = request
        seen.push([method, path, headers['webhook-id'], Buffer.concat(chunks).toString()])
        response.writeHead(503, { 'retry-after': '7' }).end('later')
      })
    })
    const answer = await send(url)
    assert.deepEqual(answer, { outcome: 'answered', status: 503, retryAfter: '7', body: 'later' })
    assert.deepEqual(seen, [['POST', '/hook?a=b', 'evt_1', '{"a":"茶"}']])
  })

  test('does not follow a redirect', async () => {
    let visits = 0
    const target = await serve((_request, response) => {
      visits += 1
      response.end()
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await serve((_request, response) => response.writeHead(status, { location: target }).end())
      const answer = await send(url)
      assert.equal(answer.outcome === 'answered' && answer.status, status)
    }
    assert.equal(visits, 0)
  })

  test('keeps the first kilobyte of an answer that never ends, without a zero byte', async () => {
    const url = await serve((_request, response) => {
      response.write('\0x'.repeat(600))
    })
    const answer = await send(url)
    assert.ok(answer.outcome === 'answered')
    assert.deepEqual([answer.status, answer.body.length], [200, 1024])
    assert.ok(!answer.body.includes('\0'))
  })

  test('an answer with a card number in it is kept masked, also where the end of the kilobyte cuts the number', async () => {
    const bodyOf = async (text: string): Promise<string> => {
      const answer = await send(await serve((_request, response) => void response.end(text)))
      return answer.outcome === 'answered' ? answer.body : assert.fail()
    }
    assert.equal(
      await bodyOf('{"card":"4242 4242 4242 4242","cvc":"737"}'),
      '{"card":"•••• •••• •••• ••••","cvc":"•••"}',
    )
    for (let digits = 1; digits < 16; digits += 1) {
      const kept = await bodyOf(`${'x'.repeat(1023 - digits)} 4242424242424242`)
      assert.equal(kept.length, 1024)
      assert.ok(kept.replaceAll(/\D/g, '').length <= 6, kept.slice(-20))
    }
  })

  test('is given up when the time is over: nobody answers, or the answer does not end', async () => {
    const silent = await serve(() => undefined)
    const unfinished = await serve((_request, response) => void response.write('a'))
    for (const url of [silent, unfinished])
      assert.deepEqual(await send(url, 50), { outcome: 'unreachable', why: 'no answer within 0.05 s' })
  })

  test('to nobody is no connection, and to a name that is not found too', async () => {
    const [server] = servers
    const url = await serve(() => undefined)
    await new Promise((closed) => servers.at(-1)?.close(closed))
    assert.notEqual(server, undefined)
    assert.deepEqual(await send(url), { outcome: 'unreachable', why: 'no connection: ECONNREFUSED' })
    const lost = createSendWebhook({
      rules: RULES,
      resolve: async () => {
        throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
      },
    })
    const answer = await lost({ url: 'https://shop.example.com/', headers: {}, body: '' })
    assert.deepEqual(answer, { outcome: 'unreachable', why: 'no connection: ENOTFOUND' })
  })
})
