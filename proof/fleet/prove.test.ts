import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CannotRunHere, CommandError } from '../../tools/command-error.mjs'
import { findFleetPrograms } from './fleet-programs.ts'
import { nextVersion } from './next-release.ts'
import { figuresOf, measure, type FleetReport } from './prove.ts'
import { outagesOf, unexpectedAnswers, WINDOW_MS, type RecordedCall } from './recorded-calls.ts'

const callAt = (endedAt: number, more: Partial<RecordedCall> = {}): RecordedCall => ({
  name: 'pay',
  endedAt,
  status: 200,
  code: '',
  ...more,
})
const WINDOWS = [{ fault: 'database failover', from: 1000 }]

test('answers of 503 and lost cards belong to the 30 seconds after a fault; a 500 is a fault of ours at any time', () => {
  for (const failed of [{ status: 503 }, { status: 502 }, { status: null }, { status: 409, code: 'card_not_held' }]) {
    for (const inside of [1000, 1000 + WINDOW_MS])
      assert.deepEqual(unexpectedAnswers([callAt(inside, failed)], WINDOWS), [])
    for (const outside of [999, 1001 + WINDOW_MS])
      assert.equal(unexpectedAnswers([callAt(outside, failed)], WINDOWS).length, 1)
  }
  assert.equal(unexpectedAnswers([callAt(2000, { status: 500 })], WINDOWS).length, 1)
  assert.deepEqual(unexpectedAnswers([callAt(0), callAt(0, { status: 409, code: 'payment_pending' })], WINDOWS), [])
})

test('an outage is the longest time without a payment that went on, from the fault to the next one', () => {
  const calls = [
    callAt(900),
    callAt(1500),
    callAt(2000, { status: 503 }),
    callAt(5000, { name: 'read' }),
    callAt(9500),
    callAt(9600, { status: null }),
    callAt(9700, { status: 409, code: 'card_not_held' }),
    callAt(60_000, { status: 503 }),
  ]
  const [outage, next] = outagesOf(calls, [...WINDOWS, { fault: 'FLUSHALL', from: 59_000 }])
  assert.deepEqual(outage, {
    ...{ fault: 'database failover', seconds: 8 },
    ...{ answers503: 1, otherFailures: 1, cardsNotHeld: 1 },
  })
  assert.equal(next?.answers503, 1)
})

const REPORT: FleetReport = {
  ...{ checkouts: 9, acknowledged: 20, acknowledgedPayments: 8, charges: 8, refunds: 2, doubts: 1, findings: [] },
  outages: [{ fault: 'FLUSHALL', seconds: 0.5, answers503: 3, otherFailures: 0, cardsNotHeld: 2 }],
  ...{ calls: 100, paidInReplacements: 5, unexpected: [], unasked: [] },
}

test('a lost payment, a failure outside the faults, a server that ends by itself, or no payment fails the proof', () => {
  assert.equal(figuresOf(1, REPORT)['FLUSHALL: 503'], 3)
  const broken: readonly Partial<FleetReport>[] = [
    { findings: [{ kind: 'lost', description: 'x' }] },
    { unexpected: [callAt(1, { status: 503 })] },
    { unasked: ['server-1 ended with 1'] },
    { paidInReplacements: 0 },
  ]
  for (const each of broken) assert.throws(() => figuresOf(1, { ...REPORT, ...each }), CommandError)
})

test('without the programs the proof is not run, and says which are missing and how to install them', () => {
  assert.throws(
    () => findFleetPrograms('/nowhere', { system: '/nowhere', npm: '/nowhere' }),
    (error: unknown) =>
      error instanceof CannotRunHere &&
      /PostgreSQL 15 or later .*apt-get install haproxy patroni etcd-server/.test(error.message),
  )
})

test('the next release has the next version, and the seed is a whole number', async () => {
  assert.equal(nextVersion('1.52.3'), '1.53.0')
  for (const seed of ['x', '-1', '1.5']) await assert.rejects(measure([seed]), CommandError)
})
