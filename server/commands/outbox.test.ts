import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import type { MerchantClient } from '../../proof/harness/merchant-client.ts'
import { besideServer, type BesideServer } from '../../proof/harness/beside-server.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { sendWebhooksOnce } from '../background/webhooks/webhook-worker.ts'
import { workOnce } from '../background/worker.ts'
import type { Database } from '../store/engine/database.ts'
import type { MailOutcome } from '../store/outbox/mail-claims.ts'

interface Item {
  readonly kind: string
  readonly merchant: string
  readonly id: string
  readonly webhookId: string | null
  readonly type: string
  readonly state: string
  readonly tries: number
  readonly lastAnswer: string | null
}

const DAY_MS = 86_400_000
const SHOPPER = 'hanako@example.net'

const answered = (status: number): WebhookAnswer => ({ outcome: 'answered', status, retryAfter: null, body: 'secret' })

besideServer('the outbox commands beside a running server', (whenOpen) => {
  let env: BesideServer['env']
  let database: Database
  let client: MerchantClient
  let webhook: string
  let checkoutId: string
  whenOpen((opened) => {
    ;({ database, env, client } = opened)
  })

  /** Whatever is asked, nobody is told to whom a mail goes or what a shop's server wrote. */
  const run = async (...args: string[]) => {
    const result = await runCommand(['outbox', ...args], env)
    assert.doesNotMatch([...result.printed, ...result.errors].join(), /hanako|secret/)
    if (!args.includes('--json')) for (const line of result.printed) assert.ok(line.length <= 100, line)
    return result
  }
  const runJson = async <T>(...args: string[]): Promise<T> => {
    const { code, printed, errors } = await run(...args, '--json')
    assert.deepEqual([code, printed.length, errors], [0, 1, []], args.join(' '))
    return JSON.parse(printed[0] ?? '') as T
  }
  const list = async (...args: string[]): Promise<readonly Item[]> =>
    (await runJson<{ items: Item[] }>('list', ...args)).items
  const told = async (...args: string[]): Promise<string[]> =>
    (await list(...args)).map(({ kind, type, state, tries, lastAnswer }) =>
      [kind, type, state, tries, lastAnswer].join(' '),
    )
  const cannot = async (mend: RegExp, ...args: string[]): Promise<void> => {
    const { code, printed, errors } = await run(...args)
    assert.deepEqual([code, printed, errors.length], [2, [], 1], args.join(' '))
    assert.match(errors[0] ?? '', mend)
  }
  const deliver = (status: number) =>
    sendWebhooksOnce({ ...client.server.deps, sendWebhook: async () => answered(status) })
  const mail = (outcome: MailOutcome) => workOnce(client.server.deps, { isSandbox: true, send: async () => outcome })
  const retried = (...args: string[]) => runJson<Record<string, unknown>>('retry', ...args)
  const failed = () => database.rows("UPDATE deliveries SET step = 9, due_at = 0 WHERE state = 'pending'")

  test('what waits is listed with its tries and the last answer, and never with a recipient', async () => {
    assert.deepEqual((await run('list')).printed, ['Nothing waits, and nothing has failed.'])
    const payload = { url: 'https://shop.example.com/hook' }
    webhook = (await client.send('/webhooks', { method: 'POST', payload })).json<{ id: string }>().id
    checkoutId = (await client.createPaid({}, { email: SHOPPER })).id
    await deliver(500)
    assert.deepEqual(await told(), ['delivery checkout.paid pending 1 500', 'mail receipt waiting 0 '])
    assert.deepEqual(await told('--state', 'failed'), [])
    assert.deepEqual((await told('--merchant', 'tea', '--state', 'waiting')).length, 2)
    const [delivery, receipt] = await list()
    assert.deepEqual([delivery?.webhookId, delivery?.merchant, receipt?.webhookId], [webhook, 'tea', null])
    assert.equal(receipt?.id, `${checkoutId}.receipt`)
    const { printed } = await run('list')
    assert.match(printed[0] ?? '', /^event and webhook, or mail +what, whose +state, since +tries, last answer$/)
    assert.match(printed[1] ?? '', /^evt_[a-z2-7]{32} +checkout\.paid +pending +1$/)
    assert.match(printed[2] ?? '', new RegExp(`^${webhook} +tea +20\\S+ \\S+ JST +500$`))
    const short = await run('list', '--limit', '1')
    assert.match(short.printed.join('\n'), /There is more: the same with --limit/)
  })

  test('what has failed is tried again from the first try on, by its event or by its merchant since a time', async () => {
    await failed()
    await deliver(503)
    await mail({ outcome: 'refused', answer: '550 5.1.1' })
    const all = ['delivery checkout.paid failed 10 503', 'mail receipt refused 1 550 5.1.1']
    assert.deepEqual(await told('--state', 'failed'), all)
    const since = new Date(client.clock.now()).toISOString()
    const after = new Date(client.clock.now() + 1).toISOString()
    const none = { deliveries: 0, mails: 0, disabledWebhooks: [] }
    assert.deepEqual(await retried('--merchant', 'tea', '--since', after), none)
    assert.deepEqual(await told('--state', 'failed'), all)
    assert.deepEqual(await retried('--merchant', 'tea', '--since', since), { ...none, deliveries: 1, mails: 1 })
    assert.deepEqual(await told(), ['delivery checkout.paid pending 0 503', 'mail receipt waiting 1 550 5.1.1'])
    await failed()
    await deliver(500)
    const [{ id: event } = { id: '' }] = await list('--state', 'failed')
    assert.deepEqual(await retried('--event', event, '--webhook', webhook), { ...none, deliveries: 1 })
    await deliver(200)
    // The command goes by the clock of this machine, the test by its own.
    await database.rows('UPDATE mails SET next_try_at = 0 WHERE next_try_at IS NOT NULL')
    await mail({ outcome: 'sent', answer: '250' })
    assert.deepEqual(await told(), [])
    await cannot(/^No delivery of this event waits or has failed there: .*redeliver/, 'retry', '--event', event)
    await cannot(/^This mail was sent\. .*\/receipt/, 'retry', '--mail', `${checkoutId}.receipt`)
  })

  test('who had a mail tried again is in the changes of its checkout, and it has another 72 hours', async () => {
    checkoutId = (await client.createPaid({}, { email: SHOPPER })).id
    client.clock.advance(4 * DAY_MS)
    await mail({ outcome: 'sent', answer: '250' })
    assert.deepEqual(await told('--state', 'failed'), ['mail receipt given_up 1 too old'])
    assert.deepEqual((await run('retry', '--mail', `${checkoutId}.receipt`)).printed, [
      '0 deliveries and 1 mail will be tried now.',
    ])
    const now = client.clock.now()
    await database.rows(
      'UPDATE mails SET next_try_at = $2, asked_again_at = $2 WHERE checkout_id = $1',
      checkoutId,
      now,
    )
    await mail({ outcome: 'later', answer: '451' })
    assert.deepEqual(await told('--state', 'waiting').then((lines) => lines.filter((line) => line.includes('mail'))), [
      'mail receipt waiting 2 451',
    ])
    client.clock.advance(DAY_MS)
    await mail({ outcome: 'sent', answer: '250' })
    const { printed } = await runCommand(['changes', checkoutId], env)
    const lines = printed.filter((line) => line.includes('mail receipt')).map((line) => line.replace(/^.* JST +/, ''))
    assert.deepEqual(
      lines.map((line) => line.split(/ {2,}/).slice(1, 4).join(' ')),
      ['waiting given_up worker', 'given_up waiting operator', 'waiting sent worker'],
    )
  })

  test('to a webhook that is disabled nothing is sent, and what was emptied is gone', async () => {
    await client.createPaid({}, { email: SHOPPER })
    await deliver(500)
    await failed()
    await deliver(500)
    const [{ id: event } = { id: '' }] = await list('--state', 'failed')
    await client.send(`/webhooks/${webhook}`, { method: 'PATCH', payload: { enabled: false } })
    await cannot(
      /^Nothing is sent to a webhook that is disabled \(we_/,
      'retry',
      '--event',
      event,
      '--webhook',
      webhook,
    )
    const all = await retried('--merchant', 'tea', '--since', '2026-01-01')
    assert.deepEqual([all['deliveries'], all['disabledWebhooks']], [0, [webhook]])
    await mail({ outcome: 'refused', answer: '550' })
    const [{ id: refused } = { id: '' }] = (await list('--state', 'failed')).filter(({ kind }) => kind === 'mail')
    await database.rows('UPDATE mails SET recipient = NULL WHERE id = $1', refused)
    await cannot(/^This mail is more than 30 days old/, 'retry', '--mail', refused)
    assert.deepEqual(await told('--merchant', 'tea', '--state', 'failed'), ['delivery checkout.paid failed 10 500'])
    await database.rows("UPDATE mails SET state = 'sending', recipient = 'x' WHERE id = $1", refused)
    await cannot(/^This mail is being sent at this moment/, 'retry', '--mail', refused)
  })

  test('a mail to the shop about its webhook is listed without a checkout, and tried again', async () => {
    const ofShop = async () => (await list('--state', 'failed')).filter(({ type }) => type === 'endpoint_gone')
    await client.send(`/webhooks/${webhook}`, { method: 'PATCH', payload: { enabled: true } })
    await client.createPaid({}, { email: SHOPPER })
    await deliver(410)
    await mail({ outcome: 'refused', answer: '550' })
    const [{ id } = { id: '' }] = await ofShop()
    assert.ok(id.startsWith(`${webhook}.`), id)
    assert.equal((await retried('--mail', id))['mails'], 1)
    assert.deepEqual(await ofShop(), [])
  })

  test('what is wrong with the arguments is said in one line', async () => {
    await cannot(/^--state must be waiting or failed\.$/, 'list', '--state', 'lost')
    for (const limit of ['0', '1001', 'x']) await cannot(/^--limit must be/, 'list', '--limit', limit)
    await cannot(/^There is no merchant "coffee"/, 'list', '--merchant', 'coffee')
    await cannot(/needs one of --event, --mail and --merchant/, 'retry')
    await cannot(/needs one of/, 'retry', '--event', 'x', '--mail', 'y')
    await cannot(/^--merchant and --since belong together/, 'retry', '--merchant', 'tea')
    await cannot(/^--webhook belongs to --event/, 'retry', '--mail', 'x', '--webhook', webhook)
    await cannot(/^--since must be a date/, 'retry', '--merchant', 'tea', '--since', 'yesterday')
    await cannot(/^This is no id of an event/, 'retry', '--event', 'evt_x')
    await cannot(/^This is no id of a webhook/, 'retry', '--event', `evt_${'a'.repeat(32)}`, '--webhook', 'x')
    await cannot(/^There is no such event/, 'retry', '--event', `evt_${'a'.repeat(32)}`)
    await cannot(/^This is no id of a mail/, 'retry', '--mail', SHOPPER.replace('hanako', 'x'))
    await cannot(/^There is no such mail/, 'retry', '--mail', `${'a'.repeat(32)}.receipt`)
  })
})
