import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { MINUTE_MS } from '#contract/jst.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { virtualClock, type TestClock } from '../../../proof/harness/test-clocks.ts'
import { systemRandom } from '../../dependencies.ts'
import type { Database } from '../../store/engine/database.ts'
import { createChallengeMacs } from './challenge-macs.ts'
import { newChallenge, takeSigned, type Asked } from './challenges.ts'

const [FIRST_KEY, SECOND_KEY] = ['1'.repeat(64), '2'.repeat(64)]
const CONFIRM: Asked = { purpose: 'confirm', sessionHash: 'mine' }
let database: Database
let clock: TestClock

beforeEach(async () => {
  database = await openSqliteInMemory()
  clock = virtualClock()
})

const withKeys = (...keys: readonly string[]) => ({
  database,
  clock,
  random: systemRandom,
  challengeMacs: createChallengeMacs(keys),
})
const signing = (challenge: string) => ({
  clientDataJSON: Buffer.from(JSON.stringify({ challenge })).toString('base64url'),
})
const isTaken = async (challenge: string, asked = CONFIRM, deps = withKeys(FIRST_KEY)): Promise<boolean> =>
  (await takeSigned(deps, asked, signing(challenge))) === challenge
const rows = async (): Promise<number> => (await database.rows('SELECT hash FROM passkey_challenges')).length

test('a challenge is taken once, and stored with its answer alone', async () => {
  const challenge = newChallenge(withKeys(FIRST_KEY), CONFIRM)
  assert.notEqual(newChallenge(withKeys(FIRST_KEY), CONFIRM), challenge)
  assert.equal(await rows(), 0)
  const taken = await Promise.all(Array.from({ length: 30 }, () => isTaken(challenge)))
  assert.equal(taken.filter(Boolean).length, 1)
  assert.equal(await rows(), 1)
})

test('a challenge is none for another purpose or session, and none that was changed or that nobody has made', async () => {
  const challenge = newChallenge(withKeys(FIRST_KEY), CONFIRM)
  for (const asked of [
    { purpose: 'enrol', sessionHash: 'mine' },
    { purpose: 'confirm', sessionHash: 'theirs' },
    { purpose: 'confirm', sessionHash: null },
    { purpose: 'sign_in', sessionHash: null },
  ] as const)
    assert.equal(await isTaken(challenge, asked), false, JSON.stringify(asked))
  for (let place = 0; place < challenge.length; place += 1) {
    const changed = challenge.slice(0, place) + (challenge[place] === 'A' ? 'B' : 'A') + challenge.slice(place + 1)
    assert.equal(await isTaken(changed), false, `changed at ${place}`)
  }
  for (const other of [
    '',
    'A',
    `${challenge}A`,
    `${challenge}=`,
    ` ${challenge}`,
    challenge.slice(0, -1),
    'A'.repeat(83),
  ])
    assert.equal(await isTaken(other), false, other)
  assert.equal(await rows(), 0)
  assert.equal(await isTaken(challenge), true)
})

test('a challenge is taken for five minutes, and by a clock that is behind by no more than two servers differ', async () => {
  const made = Array.from({ length: 4 }, () => newChallenge(withKeys(FIRST_KEY), CONFIRM))
  const [inTime = '', late = '', behind = '', setBack = ''] = made
  clock.advance(5 * MINUTE_MS - 1)
  assert.equal(await isTaken(inTime), true)
  clock.advance(1)
  assert.equal(await isTaken(late), false)
  clock.advance(-5 * MINUTE_MS - 10_000)
  assert.equal(await isTaken(behind), true)
  clock.advance(-1)
  assert.equal(await isTaken(setBack), false)
})

test('while the secret key is changed, a challenge of either key is taken, and one of a retired key is not', async () => {
  const before = newChallenge(withKeys(FIRST_KEY), CONFIRM)
  assert.equal(await isTaken(before, CONFIRM, withKeys(SECOND_KEY)), false)
  assert.equal(await isTaken(before, CONFIRM, withKeys(SECOND_KEY, FIRST_KEY)), true)
  const after = newChallenge(withKeys(SECOND_KEY, FIRST_KEY), CONFIRM)
  assert.equal(await isTaken(after, CONFIRM, withKeys(FIRST_KEY)), false)
  assert.equal(await isTaken(after, CONFIRM, withKeys(FIRST_KEY, SECOND_KEY)), true)
})
