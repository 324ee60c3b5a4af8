import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JourneyCounts, Told } from '../../test/journeys.ts'
import { CommandError } from '../../command-error.mjs'
import { prove as droppedAnswers } from './dropped-answers.ts'
import { prove as flaky } from './flaky.ts'
import { notedIn, provenJourneys, type TellJourneys } from './journeys.ts'
import { prove as scenarios } from './scenarios.ts'
import { prove as survival } from './survival.ts'

const NOTES = { charges: '1', dropped: '1', receipt: '1', lastWordFailed: '0', everSaidFailed: '0' }

const told = (title: string, notes: Readonly<Record<string, string>> = NOTES): Told => ({
  title,
  ok: true,
  notes: new Map(Object.entries(notes)),
})

const GOOD: JourneyCounts = {
  code: 0,
  passed: 3,
  failed: 0,
  skipped: 0,
  told: [
    told('scenario 1: paid'),
    told('scenario 1: paid (second card)'),
    told('pay_start: the page is reloaded, and the checkout is paid once', { ...NOTES, charges: '2' }),
  ],
}

const telling =
  (changes: Partial<JourneyCounts>): TellJourneys =>
  () =>
    Promise.resolve({ ...GOOD, ...changes })

const BAD: Readonly<Record<string, [changes: Partial<JourneyCounts>, line: string]>> = {
  failed: [{ code: 1, passed: 2, failed: 1 }, '1 of 3 journeys failed, see above'],
  'never ran': [{ code: 1, passed: 0, told: [] }, 'no journey ran, see above'],
  'were skipped': [{ passed: 2, skipped: 1 }, '1 of 3 journeys were skipped, see above'],
  'passed in a program that failed': [{ code: 1 }, 'playwright ended with 1, see above'],
}

for (const [what, [changes, line]] of Object.entries(BAD)) {
  test(`a proof whose journeys ${what} is refused, whichever it is`, async () => {
    await assert.rejects(provenJourneys([], 'all', telling(changes)), new CommandError(line))
    for (const prove of [flaky, scenarios, droppedAnswers, survival])
      await assert.rejects(prove([], telling(changes)), new CommandError(line))
  })
}

test('journeys that all ended well are counted, with what they noted of the charges', async () => {
  const tell = telling({})
  assert.equal((await provenJourneys([], 'all', tell)).passed, 3)
  assert.deepEqual(await scenarios([], tell), {
    scenarios: 1,
    journeys: 3,
    failures: 0,
    checkoutsAskedAtTheAcquirer: 3,
    checkoutsCharged: 3,
    mostChargesOfOneCheckout: 2,
  })
  assert.deepEqual(await droppedAnswers([], tell), {
    journeys: 3,
    failures: 0,
    dropped: 3,
    receipts: 3,
    lastWordFailed: 0,
    everSaidFailed: 0,
    mostChargesOfOneCheckout: 2,
  })
  assert.deepEqual(await survival([], tell), { moments: 1, journeys: 3, failures: 0 })
})

test('charges that no journey noted, or that are no number, are no figure', () => {
  assert.deepEqual(notedIn(GOOD.told, 'charges'), [1, 1, 2])
  assert.throws(() => notedIn([told('a payment', {})], 'charges'), CommandError)
  assert.throws(() => notedIn([told('a payment', { charges: 'undefined' })], 'charges'), CommandError)
})

test('every journey is repeated 50 times, or as often as is asked, or only those of the named files', async () => {
  const asked: string[] = []
  const tell: TellJourneys = (args, which) => {
    asked.push([which, ...args].join(' '))
    return Promise.resolve(GOOD)
  }
  assert.deepEqual(await flaky([], tell), { journeys: 'all', repeats: 50, runs: 3, failures: 0 })
  assert.deepEqual(await flaky(['1'], tell), { journeys: 'all', repeats: 1, runs: 3, failures: 0 })
  assert.deepEqual(await flaky(['1000', 'a-payment', 'tls'], tell), {
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
    await assert.rejects(flaky([times], telling({})), CommandError)
  for (const name of ['--retries=2', '-x', '']) await assert.rejects(flaky(['1', name], telling({})), CommandError)
})
