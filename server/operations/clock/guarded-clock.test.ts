import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuardedClock, type GuardedClock } from './guarded-clock.ts'

const NOW = Date.parse('2026-11-17T03:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

/** A machine whose time passes, and whose clock somebody sets. */
const machineOf = (newestStored: number | null = null) => {
  let [passedMs, shiftMs] = [0, 0]
  const machine = { now: () => NOW + passedMs + shiftMs, sleep: async () => undefined }
  const clock: GuardedClock = createGuardedClock(machine, () => 1e6 + passedMs, newestStored)
  return {
    clock,
    pass: (ms: number) => {
      passedMs += ms
    },
    shift: (ms: number) => {
      shiftMs += ms
    },
    isTrue: () => clock.now() === NOW + passedMs,
  }
}

for (const [what, shiftMs] of Object.entries({ 'two years ahead': 2 * YEAR_MS, 'a day back': -DAY_MS }))
  test(`a clock that is set ${what} is not seen by a single call, and is followed again when it is set right`, () => {
    const { clock, pass, shift, isTrue } = machineOf()
    pass(90_000)
    assert.deepEqual([isTrue(), clock.isConfirmed(), clock.differenceMs()], [true, true, 0])
    shift(shiftMs)
    assert.deepEqual([isTrue(), clock.isConfirmed(), clock.differenceMs()], [true, false, shiftMs])
    pass(3 * DAY_MS)
    assert.deepEqual([isTrue(), clock.isConfirmed()], [true, false])
    shift(-shiftMs)
    assert.deepEqual([isTrue(), clock.isConfirmed()], [true, true])
  })

test('once it is confirmed, the new time is followed', () => {
  const { clock, pass, shift } = machineOf()
  shift(2 * YEAR_MS)
  assert.equal(clock.now(), NOW)
  clock.follow()
  pass(1)
  assert.deepEqual([clock.now(), clock.isConfirmed()], [NOW + 2 * YEAR_MS + 1, true])
})

test('a step of a minute is followed at once, and another one within the hour is not', () => {
  const { clock, pass, shift } = machineOf()
  shift(MINUTE_MS)
  assert.equal(clock.now(), NOW + MINUTE_MS)
  shift(1)
  assert.deepEqual([clock.now(), clock.isConfirmed()], [NOW, false])
  shift(-1)
  pass(HOUR_MS)
  assert.equal(clock.now(), NOW + HOUR_MS + MINUTE_MS)
  shift(MINUTE_MS)
  assert.deepEqual([clock.now(), clock.isConfirmed()], [NOW + HOUR_MS + 2 * MINUTE_MS, true])
})

test('a clock that runs twice as fast is not followed', () => {
  const { clock, pass, shift } = machineOf()
  for (let second = 0; second < 3600; second += 1) {
    pass(1000)
    shift(1000)
    assert.ok(clock.now() <= NOW + (second + 1) * 1000 + MINUTE_MS)
  }
  assert.equal(clock.isConfirmed(), false)
})

test('a process that starts far from the newest stored time goes on from that until somebody confirms its clock', () => {
  for (const stored of [NOW - 30 * DAY_MS, NOW + DAY_MS]) {
    const { clock, pass } = machineOf(stored)
    pass(5000)
    assert.deepEqual([clock.now(), clock.trusted(), clock.isConfirmed()], [stored + 5000, stored + 5000, false])
    clock.follow()
    assert.deepEqual([clock.now(), clock.isConfirmed()], [NOW + 5000, true])
  }
})

test('times are whole milliseconds, as the database stores them, though what has passed is measured finer', () => {
  const machine = { now: () => NOW + YEAR_MS, sleep: async () => undefined }
  let passed = 0.25
  const clock = createGuardedClock(machine, () => passed, NOW)
  passed = 10.9
  assert.ok(Number.isInteger(clock.now()))
})
