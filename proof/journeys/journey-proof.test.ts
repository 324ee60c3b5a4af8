import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JourneyReport, JourneyResult } from '../../tools/test/run-journeys.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { measure as droppedAnswers } from '../dropped-answers/prove.ts'
import { measure as flaky } from '../flaky/prove.ts'
import { annotatedNumbers, runPassingJourneys, type RunJourneys } from './journey-proof.ts'
import { measure as journeys } from './prove.ts'
import { measure as scenarios } from '../scenarios/prove.ts'
import { measure as survival } from '../survival/prove.ts'

const ANNOTATIONS = { charges: '1', dropped: '1', receipt: '1', lastWordFailed: '0', everSaidFailed: '0' }

const journey = (title: string, annotations: Readonly<Record<string, string>> = ANNOTATIONS): JourneyResult => ({
  title,
  ok: true,
  annotations: new Map(Object.entries(annotations)),
})

const PASSED: JourneyReport = {
  code: 0,
  passed: 3,
  failed: 0,
  skipped: 0,
  journeys: [
    journey('scenario 1: paid'),
    journey('scenario 1: paid (second card)'),
    journey('pay_start: the page is reloaded, and the checkout is paid once', { ...ANNOTATIONS, charges: '2' }),
  ],
}

const runWith =
  (changes: Partial<JourneyReport>): RunJourneys =>
  () =>
    Promise.resolve({ ...PASSED, ...changes })

const UNPROVEN: Readonly<Record<string, [changes: Partial<JourneyReport>, line: string]>> = {
  failed: [{ code: 1, passed: 2, failed: 1 }, '1 of 3 journeys failed, see above'],
  'never ran': [{ code: 1, passed: 0, journeys: [] }, 'no journey ran, see above'],
  'were skipped': [{ passed: 2, skipped: 1 }, '1 of 3 journeys were skipped, see above'],
  'passed in a program that failed': [{ code: 1 }, 'playwright ended with 1, see above'],
}

for (const [what, [changes, line]] of Object.entries(UNPROVEN)) {
  test(`a proof whose journeys ${what} is refused, whichever it is`, async () => {
    await assert.rejects(runPassingJourneys([], 'all', runWith(changes)), new CommandError(line))
    for (const prove of [flaky, journeys, scenarios, droppedAnswers, survival])
      await assert.rejects(prove([], runWith(changes)), new CommandError(line))
  })
}

test('journeys that all passed are counted, with what they annotated of the charges', async () => {
  const run = runWith({})
  assert.equal((await runPassingJourneys([], 'all', run)).passed, 3)
  assert.deepEqual(await scenarios([], run), {
    scenarios: 1,
    journeys: 3,
    failures: 0,
    checkoutsAskedAtTheAcquirer: 3,
    checkoutsCharged: 3,
    mostChargesOfOneCheckout: 2,
  })
  assert.deepEqual(await droppedAnswers([], run), {
    journeys: 3,
    failures: 0,
    dropped: 3,
    receipts: 3,
    lastWordFailed: 0,
    everSaidFailed: 0,
    mostChargesOfOneCheckout: 2,
  })
  assert.deepEqual(await survival([], run), { moments: 1, journeys: 3, failures: 0 })
})

test('charges that no journey annotated, or that are no number, are no figure', () => {
  assert.deepEqual(annotatedNumbers(PASSED.journeys, 'charges'), [1, 1, 2])
  assert.throws(() => annotatedNumbers([journey('a payment', {})], 'charges'), CommandError)
  assert.throws(() => annotatedNumbers([journey('a payment', { charges: 'undefined' })], 'charges'), CommandError)
})

test('every journey is repeated 50 times, or as often as is asked, or only those of the named files', async () => {
  const asked: string[] = []
  const run: RunJourneys = (args, which) => {
    asked.push([which, ...args].join(' '))
    return Promise.resolve(PASSED)
  }
  assert.deepEqual(await flaky([], run), { journeys: 'all', repeats: 50, runs: 3, failures: 0 })
  assert.deepEqual(await flaky(['1'], run), { journeys: 'all', repeats: 1, runs: 3, failures: 0 })
  assert.deepEqual(await flaky(['1000', 'a-payment', 'tls'], run), {
    journeys: 'a-payment tls',
    repeats: 1000,
    runs: 3,
    failures: 0,
  })
  assert.deepEqual(asked, [
    'usual --repeat-each=50 --retries=0',
    'usual --repeat-each=1 --retries=0',
    'usual --repeat-each=1000 --retries=0 a-payment tls',
  ])
})

test('journeys are repeated 1 to 1000 times, and are named by no option that would try them again', async () => {
  for (const times of ['0', '1001', '1.5', 'often', '-3', 'a-payment'])
    await assert.rejects(flaky([times], runWith({})), CommandError)
  for (const name of ['--retries=2', '-x', '']) await assert.rejects(flaky(['1', name], runWith({})), CommandError)
})
