import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startSandbox } from '../harness/sandbox-process.ts'
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
  const { flows, crashes, bytes, hits, unexpectedEndings } = outcome
  t.diagnostic(`${flows} flows, ${crashes} crashes, ${bytes} bytes in ${outcome.places.length} places`)
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

/** `npm run prove -- canaries` looks at PostgreSQL too: its rows, its files and its log. */
test('card numbers and security codes are in no file of the embedded database, no log, mail, webhook or answer', async (t) => {
  const acquirer = await startSandbox()
  try {
    const outcome = await runCanaries({ acquirer, databaseUrl: null, ...sampleOfFlows() })
    assertClean(t, outcome, [
      ...PLACES,
      /table pictures$/,
      /^data folder, kaikei\.sqlite$/,
      /after SIGKILL, kaikei\.sqlite-wal$/,
    ])
  } finally {
    await acquirer.stop()
  }
})

test('there are 200 flows in all and more, a quarter of them on PostgreSQL, and about 40 are run each time', () => {
  const sizeOf = ({ flows, doubts, rounds }: ReturnType<typeof allFlows>['embedded']): number =>
    flows.length +
    doubts.length +
    rounds.reduce((sum, { cardsHeld, paymentsUnderWay }) => sum + cardsHeld + paymentsUnderWay + 1, 0)
  const [embedded, postgres] = [sizeOf(allFlows().embedded), sizeOf(allFlows().postgres)]
  assert.ok(embedded >= 150 && postgres >= 50, `${embedded} and ${postgres}`)
  const sample = sizeOf(sampleOfFlows())
  assert.ok(sample >= 35 && sample <= 45, String(sample))
})
