import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../limits/limits.ts'
import type { OperationFigures } from './measure-operation.ts'
import { limitsOf, type DatabaseFigures } from './server-limits.ts'

const GOOD: OperationFigures = {
  perSecond: 500,
  p50Ms: 2,
  p99Ms: 8,
  p99ToP50: 4,
  cpuMs: 2,
  heapMiB: 40,
  residentMiB: 150,
}

const FIGURES: DatabaseFigures = {
  name: 'PostgreSQL',
  operations: { document: GOOD, read: GOOD, create: GOOD, payment: GOOD },
  growth: { firstMiB: 40, lastMiB: 41 },
  isPinned: true,
}

const failing = (figures: DatabaseFigures): string[] =>
  limitsOf(figures)
    .filter((limit) => judge(limit) !== 'holds')
    .map(({ name }) => name)

const withOperation = (
  name: keyof DatabaseFigures['operations'],
  more: Partial<OperationFigures>,
): DatabaseFigures => ({
  ...FIGURES,
  operations: { ...FIGURES.operations, [name]: { ...GOOD, ...more } },
})

test('each limit is judged by its own figure', () => {
  assert.deepEqual(failing(FIGURES), [])
  assert.deepEqual(failing(withOperation('payment', { cpuMs: 6.1 })), ['PostgreSQL, payment: ms of CPU'])
  assert.deepEqual(failing(withOperation('read', { p99ToP50: 5.1 })), ['PostgreSQL, read: p99 by p50'])
  assert.deepEqual(failing({ ...FIGURES, growth: { firstMiB: 40, lastMiB: 45 } }), ['PostgreSQL, heap growth, MiB'])
})

test('documents are judged by their rate on one core, or by their CPU time where a core cannot be reserved', () => {
  const slow = withOperation('document', { perSecond: 399, cpuMs: 2.6 })
  assert.deepEqual(failing(slow), ['PostgreSQL, document: drawn a second on one core'])
  assert.deepEqual(failing({ ...slow, isPinned: false }), ['PostgreSQL, document: ms of CPU'])
})
