import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { API_KEYS } from '../../../proof/harness/test-server.ts'
import { sendWebhooksOnce } from '../../background/webhooks/webhook-worker.ts'
import { fanOut } from '../../store/fan-out.ts'
import { createWebhookSecret } from '../../webhooks/signature.ts'
import { isProblem, readArguments } from '../command.ts'
import { runCommandLine } from '../command-line.ts'
import { createListen } from './listen.ts'

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
  after(() => client.server.app.close())

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
    await sendWebhooksOnce(client.server.parts)
    const deliveries = await run('webhook', 'deliveries', id)
    assert.match(deliveries.text, /webhook\.ping +delivered .* 1 +200/)
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
        await fanOut(client.server.parts.database, client.clock.now())
        // The computer that listens sleeps for an hour.
        client.clock.advance(3_600_000)
      },
      makeSecret: () => createWebhookSecret('k')('listen', 1),
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
    assert.equal(await listen.run(given, env, terminal), 0)
    const each = ['checkout.paid', 'refund.succeeded', 'checkout.refunded']
    assert.deepEqual(
      forwarded.map(({ type }) => type),
      [...each, ...each],
    )
    assert.equal(new Set(forwarded.map(({ id }) => id)).size, 6)
    assert.equal(printed.length, 7)
    assert.ok(client.clock.now() > begun)
    assert.match((await run('listen', '--forward', 'shop')).error, /must be an address/)
  })

  test('what cannot be done ends with 2 and a line that says why', async () => {
    const refused = await run('webhook', 'add', '--url', 'https://10.0.0.1/')
    assert.deepEqual([refused.code, refused.text], [2, ''])
    assert.match(refused.error, /not public/)
    for (const command of ['ping', 'roll', 'remove', 'deliveries'])
      assert.equal((await run('webhook', command, `we_${'a'.repeat(32)}`)).code, 2, command)
    assert.equal((await run('webhook', 'add', '--url', HOOK, '--types', 'checkout.opened')).code, 2)
  })
})
