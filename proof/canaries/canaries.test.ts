import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { startSandbox, type SandboxProcess } from '../harness/sandbox-process.ts'
import { startPostgres } from '../../tools/test/postgres.ts'
import { allFlows, sampleOfFlows } from './flow-selection.ts'
import { MERCHANT_PLACES } from './merchant-readings.ts'
import { runCanaries, type CanaryResult } from './prove.ts'

/** Places that must have had something to scan. */
const PLACES: readonly RegExp[] = [
  /^answers$/,
  /^answers, headers$/,
  /^error bodies$/,
  /^logs$/,
  /^metrics$/,
  /table events$/,
  /table mails$/,
  /table deliveries$/,
  /table delivery_tries$/,
  /^webhook requests$/,
  /^commands$/,
  /^mailbox$/,
  /table attempts$/,
  /table authentications$/,
  ...MERCHANT_PLACES,
]

/** Nothing was found, every flow ended as expected, and there was something to scan in every place. */
const assertClean = (t: TestContext, outcome: CanaryResult, places: readonly RegExp[]): void => {
  const { flows, crashes, bytes, hits, unexpectedEndings, filesUnreadable } = outcome
  t.diagnostic(`${flows} flows, ${crashes} crashes, ${bytes} bytes in ${outcome.places.length} places`)
  if (filesUnreadable !== null) t.diagnostic(`the files of PostgreSQL cannot be read here: ${filesUnreadable}`)
  assert.deepEqual(hits, [])
  assert.deepEqual(unexpectedEndings, [])
  const { checkouts, movements } = outcome
  // Some flows open no checkout, and most end without a payment.
  assert.ok(checkouts > flows / 2 && movements > flows / 8, `${checkouts} checkouts, ${movements} movements`)
  for (const place of places)
    assert.ok(
      outcome.places.some((name) => place.test(name)),
      `there was nothing to scan at ${place}`,
    )
}

describe('card numbers, security codes and credentials are written nowhere', { concurrency: 2 }, () => {
  let acquirer: SandboxProcess
  before(async () => {
    acquirer = await startSandbox()
  })
  after(() => acquirer.stop())

  test('with the embedded database: not in its files, in its log, in mail, webhooks, logs or answers', async (t) => {
    const outcome = await runCanaries({ acquirer, databaseUrl: null, ...sampleOfFlows().embedded })
    assertClean(t, outcome, [
      ...PLACES,
      /table pictures$/,
      /^data folder, kaikei\.sqlite$/,
      /after SIGKILL, kaikei\.sqlite-wal$/,
    ])
  })

  test('with PostgreSQL: not in its rows, its files or its log', async (t) => {
    // A server of its own: in the log of one that others use, eleven digits of a canary come up by chance.
    const postgres = await startPostgres({})
    try {
      const outcome = await runCanaries({ acquirer, databaseUrl: postgres.url, ...sampleOfFlows().postgres })
      const readable = outcome.filesUnreadable === null ? [/^PostgreSQL WAL$/] : []
      assertClean(t, outcome, [...PLACES, ...readable])
    } finally {
      await postgres.stop()
    }
  })
})

test('there are 200 flows in all and more, a quarter of them on PostgreSQL, and about 45 are run each time', () => {
  const sizeOf = ({ flows, doubts, rounds }: ReturnType<typeof allFlows>['embedded']): number =>
    flows.length +
    doubts.length +
    rounds.reduce((sum, { cardsHeld, paymentsUnderWay }) => sum + cardsHeld + paymentsUnderWay + 1, 0)
  const [embedded, postgres] = [sizeOf(allFlows().embedded), sizeOf(allFlows().postgres)]
  assert.ok(embedded >= 150 && postgres >= 50, `${embedded} and ${postgres}`)
  const sample = sizeOf(sampleOfFlows().embedded) + sizeOf(sampleOfFlows().postgres)
  assert.ok(sample >= 40 && sample <= 55, String(sample))
})
