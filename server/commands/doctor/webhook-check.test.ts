import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient } from '../../../proof/harness/merchant-client.ts'
import { sendWebhooksOnce } from '../../background/webhooks/webhook-worker.ts'
import type { TroubledEndpoint } from '../../store/merchant/webhook-endpoints.ts'
import type { Finding } from './finding.ts'
import {
  ALL_FAIL_MIN,
  DISABLED_TOLD_MS,
  judgeWebhooks,
  readWebhookFacts,
  UNLISTED_FAIL_MS,
  type WebhookFacts,
} from './webhook-check.ts'

const NOW = Date.parse('2026-11-16T03:00:00Z')
const FACTS: WebhookFacts = { now: NOW, oldestUnlisted: null, enabled: 5, troubled: [] }

const judged = (more: Partial<WebhookFacts>): Finding => judgeWebhooks({ ...FACTS, ...more })
const failing = (id: string): TroubledEndpoint => ({ id, merchant: 'tea', trouble: { is: 'failing', since: NOW - 1 } })
const disabled = (since: number, why: 'gone' | 'failing' = 'gone'): TroubledEndpoint => ({
  id: 'we_1',
  merchant: 'tea',
  trouble: { is: 'disabled', since, why },
})

test('webhooks of which none fails are well, and so is a server without any', () => {
  assert.deepEqual(judged({}), { state: 'ok', says: '5, and none fails' })
  assert.deepEqual(judged({ enabled: 0 }), { state: 'ok', says: 'no shop has one' })
})

test('events that nobody has looked at for more than a minute are a failure, for no worker works', () => {
  assert.equal(judged({ oldestUnlisted: NOW - UNLISTED_FAIL_MS }).state, 'ok')
  const { state, says } = judged({ oldestUnlisted: NOW - UNLISTED_FAIL_MS - 1 })
  assert.deepEqual([state, says], ['fail', 'events wait since 2026-11-16 11:58 JST, and nobody is told of them'])
})

test('one that fails is a warning that names it, and many are named in short', () => {
  const one = judged({ troubled: [failing('we_1')] })
  assert.deepEqual([one.state, one.says], ['warn', 'we_1 of tea fails since 2026-11-16 11:59 JST'])
  const four = judged({ troubled: ['we_1', 'we_2', 'we_3', 'we_4'].map(failing) })
  assert.match(four.says, /we_3 of tea fails since \S+ \S+ JST; and 1 more$/)
})

test('where every one fails the server itself is at fault, unless there is only one', () => {
  const all = ['we_1', 'we_2'].map(failing)
  assert.equal(judged({ enabled: ALL_FAIL_MIN, troubled: all }).state, 'fail')
  assert.equal(judged({ enabled: ALL_FAIL_MIN + 1, troubled: all }).state, 'warn')
  assert.equal(judged({ enabled: 1, troubled: [failing('we_1')] }).state, 'warn')
})

test('one that was disabled is told for 30 days', () => {
  const last = judged({ troubled: [disabled(NOW - DISABLED_TOLD_MS)] })
  assert.match(last.says, /^we_1 of tea answered 410 and is disabled since 2026-10-17 12:00 JST$/)
  assert.equal(judged({ troubled: [disabled(NOW - DISABLED_TOLD_MS - 1)] }).state, 'ok')
  assert.match(judged({ troubled: [disabled(NOW, 'failing')] }).says, /failed for five days/)
})

onBothDatabases(({ open }) => {
  test('the facts are read as they are: what a merchant has disabled itself is no trouble', async () => {
    const shop = await openMerchantClient(await open())
    const { deps } = shop.server
    const add = async (types: string[]): Promise<string> => {
      const payload = { url: 'https://shop.example.com/hook', types }
      shop.clock.advance(1000)
      return (await shop.send('/webhooks', { method: 'POST', payload })).json<{ id: string }>().id
    }
    const [fails, gone, own] = [
      await add(['checkout.paid']),
      await add(['checkout.paid']),
      await add(['checkout.paid']),
    ]
    await add(['checkout.expired'])
    await shop.send(`/webhooks/${own}`, { method: 'PATCH', payload: { enabled: false } })
    await shop.createPaid()
    const now = shop.clock.now()
    assert.equal((await readWebhookFacts(deps.database, now)).oldestUnlisted, now)
    const statuses = [500, 410]
    const sendWebhook = async () =>
      ({ outcome: 'answered', status: statuses.shift() ?? 500, retryAfter: null, body: '' }) as const
    await sendWebhooksOnce({ ...deps, sendWebhook })
    const facts = await readWebhookFacts(deps.database, now)
    assert.deepEqual(
      [facts.now, facts.oldestUnlisted, facts.enabled, facts.troubled.length],
      [now, null, 2, 2],
      JSON.stringify(facts),
    )
    assert.deepEqual(new Set(facts.troubled.map(({ id }) => id)), new Set([fails, gone]))
    assert.deepEqual(facts.troubled.map(({ trouble }) => trouble.is).toSorted(), ['disabled', 'failing'])
    assert.deepEqual(new Set(facts.troubled.map(({ merchant }) => merchant)), new Set(['tea']))
  })
})
