import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { startAcquirer, type Acquirer } from '../harness/acquirer-process.ts'
import { createDatabase } from '../harness/databases.ts'
import { everyFlow, someFlows } from './plan.ts'
import { runCanaries, type Outcome } from './run.ts'

const PLACES: readonly RegExp[] = [
  /^answers$/,
  /^answers, headers$/,
  /^error bodies$/,
  /^logs$/,
  /^metrics$/,
  /outbox, mail$/,
  /outbox, webhook$/,
  /table attempts$/,
  /table authentications$/,
]

/** Nothing was found, and that means something: every flow went its way, and there was something to look at in every place. */
const assertClean = (t: TestContext, outcome: Outcome, places: readonly RegExp[]): void => {
  const { flows, crashes, bytes, hits, astray, filesUnreadable } = outcome
  t.diagnostic(`${flows} flows, ${crashes} crashes, ${bytes} bytes in ${outcome.places.length} places`)
  if (filesUnreadable !== null) t.diagnostic(`the files of PostgreSQL cannot be read here: ${filesUnreadable}`)
  assert.deepEqual(hits, [])
  assert.deepEqual(astray, [])
  for (const place of places)
    assert.ok(
      outcome.places.some((name) => place.test(name)),
      `nothing was found at ${place}`,
    )
}

describe('card numbers and security codes are written nowhere', { concurrency: 2 }, () => {
  let acquirer: Acquirer
  before(async () => {
    acquirer = await startAcquirer()
  })
  after(() => acquirer.stop())

  test('with the embedded database: not in its files, in its log, in mail, webhooks, logs or answers', async (t) => {
    const outcome = await runCanaries({ acquirer, databaseUrl: null, ...someFlows().embedded })
    assertClean(t, outcome, [...PLACES, /^data folder, kaikei\.sqlite$/, /after SIGKILL, kaikei\.sqlite-wal$/])
  })

  test('with PostgreSQL: not in its rows, its files or its log', async (t) => {
    const place = await createDatabase()
    try {
      const outcome = await runCanaries({ acquirer, databaseUrl: place.url, ...someFlows().postgres })
      const readable = outcome.filesUnreadable === null ? [/^PostgreSQL WAL$/] : []
      assertClean(t, outcome, [...PLACES, ...readable])
    } finally {
      await place.drop()
    }
  })
})

test('there are 200 flows in all, 50 of them on PostgreSQL, and about 60 are run each time', () => {
  const sizeOf = ({ flows, doubts, rounds }: ReturnType<typeof everyFlow>['embedded']): number =>
    flows.length + doubts.length + rounds.reduce((sum, { held, paying }) => sum + held + paying + 1, 0)
  assert.deepEqual([sizeOf(everyFlow().embedded), sizeOf(everyFlow().postgres)], [150, 50])
  assert.deepEqual([sizeOf(someFlows().embedded), sizeOf(someFlows().postgres)], [47, 15])
})
