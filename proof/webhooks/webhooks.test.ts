import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqliteInMemory } from '../harness/databases.ts'
import { measureWaits, runWebhooks } from './webhook-run.ts'

/** `npm run prove -- webhooks` sends 10,000. */
const EVENTS = 160

test(`${EVENTS} events reach every endpoint, whatever it does and whenever a process dies`, async (t) => {
  const { problems, crashPointsHit, ...run } = await runWebhooks(await openSqliteInMemory(), EVENTS, 16)
  assert.deepEqual(problems, [])
  for (const point of ['send', 'SELECT events', 'UPDATE deliveries', 'INSERT INTO deliveries, UPDATE events'])
    for (const side of ['before', 'after'])
      assert.ok(
        crashPointsHit.some((hit) => hit === `${side} ${point}`),
        `nobody died ${side} ${point}: ${crashPointsHit.join('; ')}`,
      )
  assert.equal(run.momentsOfDeath, run.moments)
  t.diagnostic(`${run.tries} tries, ${run.crashes} crashes at ${run.momentsOfDeath} of ${run.moments} moments`)
})

test('a healthy endpoint waits at most one second longer beside ten that hang', async (t) => {
  const { alone, besideTen } = await measureWaits(openSqliteInMemory)
  t.diagnostic(`alone ${alone} ms, beside ten that hang ${besideTen} ms`)
  assert.ok(besideTen <= alone + 1000, `${besideTen} ms instead of ${alone} ms`)
})
