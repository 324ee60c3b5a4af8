import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWebhookWorker } from '../../server/background/webhooks/webhook-worker.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import { deliveriesWrite } from '../../server/store/outbox/deliveries.ts'
import { pingWrite } from '../../server/store/outbox/events.ts'
import { endpointWrite } from '../../server/store/merchant/webhook-endpoints.ts'
import { hashedId } from '../../server/ids.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { saveMerchant } from '../harness/save-records.ts'
import { openTestServer } from '../harness/test-server.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { virtualTime } from './virtual-time.ts'

const SLOW_MS = 14_000
const ENDPOINTS = 16
const PINGS = 30

/** So many merchants, each with so many endpoints that take 14 s for every answer, and one that answers at once. */
const longestWaitBeside = async (slowMerchants: number, endpoints = ENDPOINTS): Promise<number> => {
  const time = virtualTime(Date.parse('2026-11-15T03:00:00Z'))
  const database = await openSqliteInMemory()
  const server = await openTestServer({ database, gateway: fakeGateway() })
  const waits: number[] = []
  let asked = 0
  const deps: Dependencies = {
    ...server.deps,
    clock: time,
    elapsed: time.now,
    sendWebhook: async ({ url }) => {
      if (url.includes('slow')) await time.sleep(SLOW_MS)
      else waits.push(time.now() - asked)
      return { outcome: 'answered', status: 200, retryAfter: null, body: 'ok' }
    },
  }
  const ping = async (merchantId: string, endpointId: string, count: number): Promise<void> => {
    for (let nth = 0; nth < count; nth += 1) {
      const unique = hashedId(merchantId, endpointId, String(nth), String(time.now()))
      const { event, write } = pingWrite({ merchantId, mode: 'test' }, unique, time.now())
      await database.writeAll(write)
      await database.writeAll(deliveriesWrite([{ endpointId, event }], time.now(), 'once'))
    }
  }
  const register = (merchantId: string, id: string, host: string): Promise<void> =>
    database.writeAll(
      endpointWrite({
        merchantId,
        id,
        mode: 'test',
        url: `https://${host}.example.com/${id}`,
        types: null,
        generation: 1,
        previousUntil: null,
        createdAt: time.now(),
        disabled: null,
        failingSince: null,
      }),
    )
  await register('tea-id', 'healthy', 'tea')
  for (let nth = 0; nth < slowMerchants; nth += 1) {
    const merchantId = `slow-${nth}`
    await saveMerchant(database, { ...TEA_MERCHANT, id: merchantId, label: merchantId }, 0)
    for (let each = 0; each < endpoints; each += 1) {
      await register(merchantId, `${merchantId}-${each}`, 'slow')
      await ping(merchantId, `${merchantId}-${each}`, PINGS)
    }
  }
  startWebhookWorker(deps)
  const runFor = (ms: number): Promise<void> => {
    const end = time.now() + ms
    return time.run(() => time.now() >= end)
  }
  // Now all places are held.
  await runFor(1000)
  for (let round = 0; round < 3; round += 1) {
    asked = time.now()
    await ping('tea-id', 'healthy', 4)
    await runFor(60_000)
    assert.equal(waits.length, 4 * (round + 1))
  }
  return Math.max(...waits)
}

test('beside two or six merchants whose endpoints take 14 s for each answer, a ping of another merchant waits no longer than alone, and beside eighty until the next of them answers', async (t) => {
  const alone = await longestWaitBeside(0)
  const [two, six] = [await longestWaitBeside(2), await longestWaitBeside(6)]
  const eighty = await longestWaitBeside(80, 1)
  t.diagnostic(JSON.stringify({ alone, two, six, eighty }))
  assert.deepEqual([two, six], [alone, alone])
  assert.ok(eighty <= 2 * SLOW_MS, `${eighty} ms`)
})
