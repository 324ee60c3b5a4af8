import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  applyDispute,
  disputeEvents,
  DISPUTE_STATUSES,
  isDisputeStatus,
  withdrawnYen,
  type Dispute,
} from './dispute.ts'
import type { AcquirerDispute, DisputeMovement } from './ports.ts'
import { NOW } from './testing/records.ts'

const PAYMENT = { merchantId: 'm1', checkoutId: 'c1', mode: 'live' } as const
const TAKEN: DisputeMovement = { kind: 'chargeback', movementId: 'txn_1', amountYen: 1980, movedAt: NOW }
const RETURNED: DisputeMovement = {
  kind: 'chargeback_reversal',
  movementId: 'txn_2',
  amountYen: 1980,
  movedAt: NOW + 1,
}
const TOLD: AcquirerDispute = {
  disputeId: 'dp_1',
  orderCode: 'o1',
  status: 'open',
  amountYen: 1980,
  reason: 'fraudulent',
  respondBy: NOW + 1000,
  openedAt: NOW,
  movements: [TAKEN],
}
const told = (more: Partial<AcquirerDispute> = {}): AcquirerDispute => ({ ...TOLD, ...more })
const record = (dispute: AcquirerDispute, disputes: readonly Dispute[] = [], askedAt = NOW) =>
  applyDispute(PAYMENT, disputes, dispute, askedAt)
const known = (more: Partial<AcquirerDispute> = {}): Dispute =>
  record(told(more))?.dispute ?? assert.fail('a new dispute is recorded')

test('a dispute that is not known is recorded with what it has moved', () => {
  assert.deepEqual(record(told()), { dispute: { ...PAYMENT, ...TOLD, askedAt: NOW }, movements: [TAKEN] })
})

test('the same answer again changes nothing', () => {
  for (const status of DISPUTE_STATUSES) assert.equal(record(told({ status }), [known({ status })], NOW + 5), null)
})

test('every change of status has its events, and what asks the shop for an answer again is told as opened', () => {
  const events = (from: Dispute | null, to: Dispute): string =>
    disputeEvents(from, to)
      .map((type) => type.slice('dispute.'.length))
      .join()
  const table: Record<string, string[]> = {}
  for (const from of ['none', ...DISPUTE_STATUSES])
    table[from] = DISPUTE_STATUSES.map((status) =>
      events(isDisputeStatus(from) ? known({ status: from }) : null, known({ status })),
    )
  assert.deepEqual(table, {
    none: ['opened', 'opened', 'opened,closed', 'opened,closed'],
    inquiry: ['updated', 'opened', 'closed', 'closed'],
    open: ['updated', 'updated', 'closed', 'closed'],
    won: ['opened', 'opened', 'updated', 'closed'],
    lost: ['opened', 'opened', 'closed', 'updated'],
  })
})

test('a dispute that was won can be lost by a second chargeback, and only what is new is booked', () => {
  const won = record(told({ status: 'won', movements: [TAKEN, RETURNED] }), [known()], NOW + 1)
  assert.deepEqual([won?.dispute.status, won?.movements], ['won', [RETURNED]])
  const second: DisputeMovement = { ...TAKEN, movementId: 'txn_3' }
  const lost = record(told({ status: 'lost', movements: [second] }), [won?.dispute ?? assert.fail()], NOW + 2)
  assert.deepEqual([lost?.dispute.status, lost?.movements], ['lost', [second]])
  assert.deepEqual(lost?.dispute.movements, [TAKEN, RETURNED, second], 'what is booked is never taken back')
  assert.equal(withdrawnYen([lost.dispute]), 1980)
})

test('an answer that was asked for before the recorded one undoes no status, and its movements are not lost', () => {
  const won = record(told({ status: 'won' }), [], NOW + 10)?.dispute ?? assert.fail()
  assert.equal(record(told(), [won], NOW + 9), null)
  const late = record(told({ movements: [TAKEN, RETURNED] }), [won], NOW + 9)
  assert.deepEqual([late?.dispute.status, late?.dispute.askedAt, late?.movements], ['won', NOW + 10, [RETURNED]])
})

test('a movement that is booked is not booked again, with another amount or under another dispute of the payment', () => {
  assert.equal(record(told({ movements: [{ ...TAKEN, amountYen: 1, movedAt: 0 }] }), [known()], NOW + 1), null)
  const other = record(told({ disputeId: 'dp_2' }), [known()], NOW + 1)
  assert.deepEqual([other?.movements, other?.dispute.movements], [[], []])
})

test('an inquiry takes nothing, and an open chargeback takes its amount until it is returned', () => {
  assert.equal(withdrawnYen([known({ status: 'inquiry', movements: [] })]), 0)
  assert.equal(withdrawnYen([known(), known({ movements: [{ ...TAKEN, movementId: 'x', amountYen: 20 }] })]), 2000)
  assert.equal(withdrawnYen([known({ status: 'won', movements: [TAKEN, RETURNED] })]), 0)
})

/** What one acquirer tells of a payment: a movement id is of one kind and one amount. */
const movementPool = Array.from({ length: 6 }, (_none, n): DisputeMovement => ({
  kind: n % 2 === 0 ? 'chargeback' : 'chargeback_reversal',
  movementId: `txn_${n}`,
  amountYen: 100 + n,
  movedAt: NOW + n,
}))
const anyTold = fc.record({
  disputeId: fc.constantFrom('dp_1', 'dp_2'),
  status: fc.constantFrom(...DISPUTE_STATUSES),
  movements: fc.array(fc.constantFrom(...movementPool), { maxLength: 8 }),
  askedAt: fc.integer({ min: NOW, max: NOW + 3 }),
})

test('in any order and however often it is told, each movement is booked once, and the sum is what the acquirer has taken', () => {
  fc.assert(
    fc.property(fc.array(anyTold, { maxLength: 12 }), (answers) => {
      let disputes: readonly Dispute[] = []
      const booked: DisputeMovement[] = []
      // All of them twice: a second reading must not find anything new to book.
      for (const { askedAt, ...answer } of [...answers, ...answers]) {
        const change = applyDispute(PAYMENT, disputes, told(answer), askedAt)
        if (change === null) continue
        booked.push(...change.movements)
        const { dispute } = change
        disputes = [...disputes.filter(({ disputeId }) => disputeId !== dispute.disputeId), dispute]
      }
      const moved = new Set(answers.flatMap(({ movements }) => movements))
      assert.deepEqual(new Set(booked), moved)
      assert.equal(booked.length, moved.size)
      const sum = [...moved].reduce((yen, { kind, amountYen }) => yen + (kind === 'chargeback' ? 1 : -1) * amountYen, 0)
      assert.equal(withdrawnYen(disputes), sum)
    }),
  )
})
