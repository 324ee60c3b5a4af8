import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_LIMITS } from './lane-table.ts'
import type { LaneLimits } from './lane.ts'
import { createLanes, TURN_MS, type FirstLane } from './lanes.ts'

type Name = 'payment' | 'starts' | 'reads' | 'pages'

const PAYMENTS_TURN_MS = 10
const STARTS_TURN_MS = 4
const FIRST: readonly FirstLane<Name>[] = [
  ['payment', PAYMENTS_TURN_MS],
  ['starts', STARTS_TURN_MS],
]

/** Turns of the event loop that a test begins, in which each request takes so long. */
const simulatedLanes = ({ costMs = 0, ...limits }: Partial<Record<Name, LaneLimits>> & { costMs?: number } = {}) => {
  let now = 0
  const turns: (() => void)[] = []
  const begun: string[] = []
  const shed: string[] = []
  const table = { payment: NO_LIMITS, starts: NO_LIMITS, reads: NO_LIMITS, pages: NO_LIMITS, ...limits }
  const lanes = createLanes<Name>(table, FIRST, {
    elapsed: () => now,
    nextTurn: (work) => turns.push(work),
    afterMicrotasks: (work) => work(),
  })
  const enter = (name: Name, what: string, caller = 'a'): (() => void) =>
    lanes.enter(name, {
      caller,
      begin: () => {
        begun.push(what)
        now += costMs
      },
      shed: (why) => shed.push(`${what} ${why}`),
    })
  return {
    enter,
    begun,
    shed,
    /** Runs one turn, and answers what began in it. */
    turn: (): string[] => {
      const before = begun.length
      for (const work of turns.splice(0)) work()
      return begun.slice(before)
    },
    isIdle: () => turns.length === 0,
  }
}

test('on a quiet server a request begins at once, and the loop then rests', () => {
  const { enter, begun, turn, isIdle } = simulatedLanes()
  enter('reads', 'first')
  assert.deepEqual(begun, ['first'])
  turn()
  assert.ok(isIdle())
  enter('reads', 'second')
  assert.deepEqual(begun, ['first', 'second'])
})

test('of requests that come in one turn the first begins, the others when the turn has looked at all connections', () => {
  const { enter, begun, turn } = simulatedLanes()
  for (const name of ['a', 'b', 'c']) enter('reads', name)
  assert.deepEqual(begun, ['a'])
  assert.deepEqual(turn(), ['b', 'c'])
})

test('a turn begins requests until its time is used up, and one that is dearer than that alone', () => {
  const cheap = simulatedLanes({ costMs: TURN_MS / 2 })
  for (const name of ['now', 'a', 'b', 'c']) cheap.enter('reads', name)
  assert.deepEqual([cheap.turn(), cheap.turn()], [['a', 'b'], ['c']])
  const dear = simulatedLanes({ costMs: TURN_MS * 10 })
  for (const name of ['now', 'a', 'b']) dear.enter('reads', name)
  assert.deepEqual([dear.turn(), dear.turn()], [['a'], ['b']])
})

test('payments begin before all others, however many these are, and for a limited time as well', () => {
  const { enter, turn } = simulatedLanes({ costMs: PAYMENTS_TURN_MS / 2 })
  enter('reads', 'now')
  for (let read = 0; read < 100; read += 1) enter('reads', 'read')
  for (const name of ['pay 1', 'pay 2', 'pay 3']) enter('payment', name)
  assert.deepEqual(turn(), ['pay 1', 'pay 2', 'read'])
  assert.deepEqual(turn(), ['pay 3', 'read'])
})

test('first requests begin after payments and before all others, for less time, and at least one where payments take it all', () => {
  const { enter, turn } = simulatedLanes({ costMs: STARTS_TURN_MS / 2 })
  enter('reads', 'now')
  for (const name of ['start 1', 'start 2', 'start 3']) enter('starts', name)
  enter('payment', 'pay')
  enter('reads', 'read')
  assert.deepEqual(turn(), ['pay', 'start 1', 'start 2', 'start 3'])
  assert.deepEqual(turn(), ['read'])
})

test('the other lanes take turns: a thousand readings do not keep one page waiting', () => {
  const { enter, turn } = simulatedLanes({ costMs: TURN_MS / 2 })
  enter('reads', 'now')
  for (let read = 0; read < 1000; read += 1) enter('reads', 'read')
  enter('pages', 'page')
  assert.deepEqual(turn(), ['read', 'page'])
})

test('a request that waits for a place begins when one is given back, and takes no turns until then', () => {
  const one = { ...NO_LIMITS, atOnce: 1 }
  const { enter, turn, isIdle } = simulatedLanes({ reads: one })
  const leave = enter('reads', 'first')
  enter('reads', 'second')
  assert.deepEqual(turn(), [])
  assert.ok(isIdle())
  leave()
  leave()
  enter('reads', 'third')
  assert.deepEqual(turn(), ['second'])
  assert.deepEqual(turn(), [], 'a place that is given back twice is one place')
})

test('one whose caller is gone is not begun', () => {
  const { enter, turn } = simulatedLanes()
  enter('reads', 'now')
  enter('reads', 'gone')()
  enter('reads', 'stays')
  assert.deepEqual(turn(), ['stays'])
})

test('what waits for longer than its lane allows is shed, and what has begun is not; a payment never is', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { enter, shed, turn } = simulatedLanes({ reads: { ...NO_LIMITS, atOnce: 2, waitMs: 5000 } })
  enter('reads', 'now')
  enter('reads', 'next')
  turn()
  enter('reads', 'waits')
  enter('reads', 'gone')()
  enter('payment', 'at once')
  enter('payment', 'pay')
  t.mock.timers.tick(4999)
  assert.deepEqual(shed, [])
  t.mock.timers.tick(1)
  assert.deepEqual(shed, ['waits late'])
  t.mock.timers.tick(3_600_000)
  assert.deepEqual(shed, ['waits late'])
  assert.deepEqual(turn(), ['pay'])
})

test('what comes when too many wait is shed at once', () => {
  const { enter, shed } = simulatedLanes({ reads: { ...NO_LIMITS, atOnce: 1, waiting: 1 } })
  for (const name of ['now', 'waits', 'too many']) enter('reads', name)
  assert.deepEqual(shed, ['too many full'])
})

test('where others wait, a place with a pace stays taken for a while after its request, and a lone caller waits for nothing', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { enter, begun, turn } = simulatedLanes({ reads: { ...NO_LIMITS, atOnce: 1, paceMs: 50 } })
  enter('reads', 'alone')()
  turn()
  const leave = enter('reads', 'first')
  assert.deepEqual(begun, ['alone', 'first'])
  enter('reads', 'second')
  turn()
  leave()
  t.mock.timers.tick(49)
  assert.deepEqual(turn(), [])
  t.mock.timers.tick(1)
  assert.deepEqual(turn(), ['second'])
})
