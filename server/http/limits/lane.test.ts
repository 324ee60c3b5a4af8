import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLane, type LaneLimits, type Waiter } from './lane.ts'

const LIMITS: LaneLimits = { atOnce: 3, atOncePerCaller: 2, waiting: 4, waitMs: 1000 }

const laneWith = (limits: Partial<LaneLimits> = {}) => createLane({ ...LIMITS, ...limits })

const waiterOf = (caller: string): Waiter => ({ caller, begin: () => undefined, shed: () => undefined })

test('a lane has so many places, and so many for one caller', () => {
  const lane = laneWith()
  assert.deepEqual(
    ['a', 'a', 'a', 'b', 'b'].map((caller) => lane.takePlace(caller)),
    [true, true, false, true, false],
  )
  lane.freePlace('a')
  assert.deepEqual([lane.takePlace('b'), lane.takePlace('c')], [true, false])
})

test('nobody overtakes one who waits', () => {
  const lane = laneWith()
  const first = waiterOf('a')
  lane.wait(first)
  assert.equal(lane.takePlace('b'), false)
  assert.equal(lane.next(), first)
  assert.equal(lane.takePlace('b'), true)
})

test('the merchant with the fewest calls under way is next, and of those with as many the one that waits for longest', () => {
  const lane = laneWith({ atOnce: 10, waiting: 10 })
  lane.takePlace('busy')
  const waiters = ['busy', 'b', 'a', 'a'].map(waiterOf)
  for (const waiter of waiters) lane.wait(waiter)
  const [busy, b, a, secondOfA] = waiters
  assert.deepEqual([lane.next(), lane.next(), lane.next(), lane.next()], [b, a, busy, secondOfA])
  assert.equal(lane.next(), undefined)
})

test('a merchant with all of its places waits, and the next one does not wait for it', () => {
  const lane = laneWith()
  lane.takePlace('a')
  lane.takePlace('a')
  const [a, b] = [waiterOf('a'), waiterOf('b')]
  lane.wait(a)
  assert.equal(lane.hasNext(), false)
  lane.wait(b)
  assert.equal(lane.hasNext(), true)
  assert.equal(lane.next(), b)
  assert.equal(lane.next(), undefined)
  lane.freePlace('a')
  assert.equal(lane.next(), a)
})

test('where too many wait, the newest call of the merchant with the most is shed, whoever came last', () => {
  const lane = laneWith({ atOnce: 0 })
  const greedy = Array.from({ length: 4 }, () => waiterOf('greedy'))
  for (const waiter of greedy) assert.equal(lane.wait(waiter), undefined)
  assert.equal(lane.wait(waiterOf('honest')), greedy[3])
  const another = waiterOf('greedy')
  assert.equal(lane.wait(another), another)
})

test('one for whom there is a place is not shed, though it waits for its turn', () => {
  const lane = laneWith({ waiting: 0 })
  lane.takePlace('b')
  lane.takePlace('b')
  assert.equal(lane.wait(waiterOf('a')), undefined)
  const third = waiterOf('b')
  assert.equal(lane.wait(third), third)
})

test('one who has stopped waiting is not begun, and is no longer counted', () => {
  const lane = laneWith({ waiting: 1 })
  const [gone, stays] = [waiterOf('a'), waiterOf('a')]
  lane.wait(gone)
  lane.stopWaiting(gone)
  lane.stopWaiting(gone)
  assert.equal(lane.wait(stays), undefined)
  assert.equal(lane.next(), stays)
})
