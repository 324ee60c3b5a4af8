import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { measure as droppedAnswers } from '../dropped-answers/prove.ts'
import { annotatedNumbers, journeysIn, runPassingJourneys, type RunJourneys } from './journey-proof.ts'
import { measure as journeys } from './prove.ts'
import { measure as scenarios } from '../scenarios/prove.ts'
import { measure as survival } from '../survival/prove.ts'

type JourneyRun = Awaited<ReturnType<RunJourneys>>

const ANNOTATIONS = { charges: '1', dropped: '1', receipt: '1', lastWordFailed: '0', everSaidFailed: '0' }

/** As Playwright writes it in its report. */
const journey = (title: string, annotations: Readonly<Record<string, string>> = ANNOTATIONS) => ({
  title,
  tests: [{ annotations: Object.entries(annotations).map(([type, description]) => ({ type, description })) }],
})

const PASSED: JourneyRun = {
  passed: 3,
  failed: 0,
  skipped: 0,
  report: {
    suites: [
      {
        specs: [journey('scenario 1: paid')],
        suites: [
          {
            specs: [
              journey('scenario 1: paid (second card)'),
              journey('pay_start: the page is reloaded, and the checkout is paid once', {
                ...ANNOTATIONS,
                charges: '2',
              }),
            ],
          },
        ],
      },
    ],
  },
}

const runWith =
  (changes: Partial<JourneyRun>): RunJourneys =>
  () =>
    Promise.resolve({ ...PASSED, ...changes })

const UNPROVEN: Readonly<Record<string, [changes: Partial<JourneyRun>, line: string]>> = {
  failed: [{ passed: 2, failed: 1 }, '1 of 3 journeys failed, see above'],
  'never ran': [{ passed: 0, report: {} }, 'no journey ran, see above'],
  'were skipped': [{ passed: 2, skipped: 1 }, '1 of 3 journeys were skipped, see above'],
}

for (const [what, [changes, line]] of Object.entries(UNPROVEN)) {
  test(`a proof whose journeys ${what} is refused, whichever it is`, async () => {
    await assert.rejects(runPassingJourneys([], 'all', runWith(changes)), new CommandError(line))
    for (const prove of [journeys, scenarios, droppedAnswers, survival])
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
  assert.deepEqual(annotatedNumbers(journeysIn(PASSED.report), 'charges'), [1, 1, 2])
  assert.throws(() => annotatedNumbers(journeysIn({ specs: [journey('a payment', {})] }), 'charges'), CommandError)
  assert.throws(
    () => annotatedNumbers(journeysIn({ specs: [journey('a payment', { charges: 'undefined' })] }), 'charges'),
    CommandError,
  )
})
