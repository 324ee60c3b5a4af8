import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { endApp } from '../../../proof/harness/end-server.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { freePort } from '../../../proof/harness/server-process.ts'
import { API_KEYS } from '../../../proof/harness/test-merchants.ts'
import { sendWebhooksOnce } from '../../background/webhooks/webhook-worker.ts'
import { fanOut } from '../../store/outbox/fan-out.ts'
import { isProblem, readArguments, runAndPrint } from '../command.ts'
import { runCommandLine } from '../command-line.ts'
import { createListen } from './listen.ts'

const NO_ANSWER = 'no answer within 15 s'
const HOOK = 'https://shop.example.com/hook'

describe('the webhook commands over HTTP', { concurrency: 1 }, () => {
  let client: MerchantClient
  let env: Record<string, string>
  before(async () => {
    client = await openMerchantClient(await openSqliteInMemory())
    const { app } = client.server
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    env = { KAIKEI_URL: `http://localhost:${port}/merchant/v1`, KAIKEI_KEY: API_KEYS.tea }
  })
  after(() => endApp(client.server.app))

  const run = async (...args: string[]): Promise<{ code: number; text: string; error: string }> => {
    const printed: string[] = []
    const errors: string[] = []
    const terminal = { print: (line: string) => printed.push(line), printError: (line: string) => errors.push(line) }
    const code = await runCommandLine(args, env, terminal)
    return { code, text: printed.join('\n'), error: errors.join('\n') }
  }

  test('an address is added, listed, pinged, rolled and removed', async () => {
    assert.match((await run('webhook', 'list')).text, /^No webhook: npm run -s kaikei -- webhook add/)
    const added = await run('webhook', 'add', '--url', HOOK, '--types', 'checkout.paid,refund.refused', '--json')
    const { id, secret, types } = JSON.parse(added.text) as { id: string; secret: string; types: string[] }
    assert.deepEqual([added.code, types], [0, ['checkout.paid', 'refund.refused']])
    const listed = await run('webhook', 'list')
    assert.ok(listed.text.includes(id) && listed.text.includes('enabled') && !listed.text.includes(secret))
    assert.match((await run('webhook', 'ping', id)).text, /^evt_[a-z2-7]{32} is being sent/)
    await sendWebhooksOnce(client.server.deps)
    const deliveries = await run('webhook', 'deliveries', id)
    assert.match(
      deliveries.text,
      /^event, type +state +since, next try +last answer\nevt_[a-z2-7]{32}  delivered  20[\d-]+ \d\d:\d\d JST +200\nwebhook\.ping +1 try$/,
    )
    const rolled = await run('webhook', 'roll', id)
    assert.match(rolled.text, /whsec_/)
    assert.ok(!rolled.text.includes(secret))
    assert.deepEqual(await run('webhook', 'remove', id), { code: 0, text: `${id} is removed.`, error: '' })
  })

  test('listening forwards every event once, in order, signed with the secret that it prints', async () => {
    const forwarded: { id: string; type: string }[] = []
    const printed: string[] = []
    let looks = 0
    const begun = client.clock.now()
    const listen = createListen({
      now: () => client.clock.now(),
      sleep: async (ms) => {
        client.clock.advance(ms)
        looks += 1
        if (looks > 2) return
        const { id } = await client.createPaid()
        await client.refund(id, { refundId: 'r1' })
        await fanOut(client.server.deps.database, client.clock.now())
        // The computer that listens sleeps for an hour.
        client.clock.advance(3_600_000)
      },
      forward: async (url, headers, body) => {
        assert.equal(url, 'http://localhost:8080/hook')
        mock.timers.enable({ apis: ['Date'], now: client.clock.now() })
        const secret = printed[0]?.replace('secret: ', '') ?? ''
        forwarded.push(new Webhook(secret).verify(body, { ...headers }) as { id: string; type: string })
        mock.timers.reset()
        return 200
      },
      isOver: () => looks > 4,
    })
    const given = readArguments('listen', listen, ['--forward', 'http://localhost:8080/hook'])
    if (isProblem(given)) assert.fail(given.problem)
    const terminal = { print: (line: string) => printed.push(line), printError: (line: string) => assert.fail(line) }
    assert.equal(await runAndPrint(listen, given, env, terminal), 0)
    const each = ['checkout.paid', 'refund.succeeded', 'checkout.refunded']
    assert.deepEqual(
      forwarded.map(({ type }) => type),
      [...each, ...each],
    )
    assert.equal(new Set(forwarded.map(({ id }) => id)).size, 6)
    assert.equal(printed.length, 9)
    assert.deepEqual(printed.slice(1, 3), [
      'forwarding to http://localhost:8080/hook',
      `waiting for events of ${env['KAIKEI_URL']}; the secret stays the same for this KAIKEI_KEY; Control-C ends`,
    ])
    assert.ok(client.clock.now() > begun)
    assert.match((await run('listen', '--forward', 'shop')).error, /must be an address/)
  })

  test('a delivery that got no answer says so in full, with the time of its next try', async () => {
    const { id } = JSON.parse((await run('webhook', 'add', '--url', HOOK, '--json')).text) as { id: string }
    const { deps } = client.server
    await run('webhook', 'ping', id)
    await sendWebhooksOnce({ ...deps, sendWebhook: async () => ({ outcome: 'unreachable', why: NO_ANSWER }) })
    const { text } = await run('webhook', 'deliveries', id)
    const lines = text.split('\n')
    for (const line of lines) assert.ok(line.length <= 100, line)
    assert.match(lines[1] ?? '', /^evt_\S+ +pending +20[\d-]+ \d\d:\d\d JST +no answer within 15 s$/)
    assert.match(lines[2] ?? '', /^webhook\.ping +1 try +next 20[\d-]+ \d\d:\d\d JST$/)
    await run('webhook', 'remove', id)
  })

  test('a disabled webhook is enabled, and events are sent to it once more', async () => {
    const { id } = JSON.parse((await run('webhook', 'add', '--url', HOOK, '--json')).text) as { id: string }
    await client.send(`/webhooks/${id}`, { method: 'PATCH', payload: { enabled: false } })
    const since = ['--since', new Date(client.clock.now() - 86_400_000).toISOString()]
    const disabled = await run('webhook', 'replay', id, ...since)
    assert.equal(disabled.code, 2)
    assert.match(disabled.error, /^webhook_disabled: .* webhook enable /)
    assert.match((await run('webhook', 'enable', id)).text, new RegExp(`^${id} is enabled\\. .* webhook replay ${id} `))
    assert.deepEqual(await run('webhook', 'replay', id, '--since', new Date(client.clock.now()).toISOString()), {
      code: 0,
      text: 'No event was listed since then: nothing is sent.',
      error: '',
    })
    assert.match((await run('webhook', 'replay', id, ...since)).text, /^6 events are sent once more: /)
    assert.deepEqual(JSON.parse((await run('webhook', 'replay', id, ...since, '--json')).text), { deliveries: 6 })
    assert.match(
      (await run('webhook', 'replay', id, '--since', 'yesterday')).error,
      /^invalid_field: since must be a date/,
    )
    await run('webhook', 'remove', id)
  })

  const listenFor = async (
    sleeps: number,
    { key = API_KEYS.tea, url = env['KAIKEI_URL'] ?? '', onSleep = async (_times: number): Promise<void> => undefined },
  ) => {
    const lines: string[] = []
    const waits: number[] = []
    const listen = createListen({
      now: () => client.clock.now(),
      sleep: async (ms) => {
        waits.push(ms)
        await onSleep(waits.length)
      },
      forward: async () => 200,
      isOver: () => waits.length >= sleeps,
    })
    const given = readArguments('listen', listen, ['--forward', 'http://localhost:8080/hook'])
    if (isProblem(given)) assert.fail(given.problem)
    const terminal = { print: (line: string) => lines.push(line), printError: (line: string) => lines.push(line) }
    const ending = await runAndPrint(listen, given, { KAIKEI_URL: url, KAIKEI_KEY: key }, terminal)
    return { ending, lines, waits }
  }

  test('listening waits for a server that is away, longer each time, and says so once and when it is back', async () => {
    const away = await listenFor(8, { url: 'http://127.0.0.1:1/merchant/v1' })
    assert.deepEqual(away.waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    assert.deepEqual([away.ending, away.lines.length], [0, 1])
    assert.match(away.lines[0] ?? '', /cannot be reached .* Trying again until it answers\.$/)
    const port = await freePort()
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[],"after":null}'),
    )
    const back = await listenFor(5, {
      url: `http://127.0.0.1:${port}/merchant/v1`,
      onSleep: async (times) => {
        if (times === 3) await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
      },
    })
    server.close()
    assert.deepEqual(back.waits, [1000, 2000, 4000, 1000, 1000])
    assert.equal(back.lines[1], `http://127.0.0.1:${port}/merchant/v1 answers again.`)
    assert.deepEqual([back.lines.length, back.lines[2]?.slice(0, 14)], [5, 'secret: whsec_'])
  })

  test('listening has the same secret at every start, another one for another key, and ends for a key that is none', async () => {
    const [one, again, other] = [
      await listenFor(1, {}),
      await listenFor(1, {}),
      await listenFor(1, { key: API_KEYS.books }),
    ]
    assert.match(one.lines[0] ?? '', /^secret: whsec_/)
    assert.equal(one.lines[0], again.lines[0])
    assert.notEqual(one.lines[0], other.lines[0])
    assert.equal(one.lines.join().includes(API_KEYS.tea), false)
    const { ending } = await listenFor(1, { key: `sk_test_${'z'.repeat(32)}` })
    assert.ok(typeof ending === 'object' && ending.problem.startsWith('invalid_api_key: '))
  })

  test('what cannot be done ends with 2 and a line that says why', async () => {
    const refused = await run('webhook', 'add', '--url', 'https://10.0.0.1/')
    assert.deepEqual([refused.code, refused.text], [2, ''])
    assert.match(refused.error, /not public/)
    for (const command of ['ping', 'enable', 'roll', 'remove', 'deliveries'])
      assert.equal((await run('webhook', command, `we_${'a'.repeat(32)}`)).code, 2, command)
    assert.equal((await run('webhook', 'add', '--url', HOOK, '--types', 'checkout.opened')).code, 2)
  })
})
