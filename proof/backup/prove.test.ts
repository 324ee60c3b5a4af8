import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, measure } from './prove.ts'

const REPORT = {
  acknowledgedBefore: 50,
  lost: [],
  chargesAfter: 9,
  refundsAfter: 2,
  left: 3,
  paidOnceMore: 4,
  doubleCharges: 0,
  faults: [],
  backupMs: 800,
  payCallsDuringBackup: 5,
}

const AT_DOUBLE = { lost: [], chargesAfter: 3, held: 2, silences: 4, paidOnceMore: 1, doubleCharges: 0, faults: [] }

const of = (...backups: (typeof REPORT)[]) => ({ backups, acquirers: [AT_DOUBLE] })

test('each database is backed up 1 to 1000 times, by a seed that is a whole number', async () => {
  for (const rounds of ['0', '1001', '1.5', 'often']) await assert.rejects(measure([rounds]), CommandError)
  for (const seed of ['x', '-1', '0']) await assert.rejects(measure(['1', seed]), CommandError)
})

test('backups after which nothing was charged prove nothing, on whichever database', () => {
  const idle = { ...REPORT, chargesAfter: 0 }
  for (const reports of [
    { SQLite: of(idle), PostgreSQL: of(REPORT) },
    { SQLite: of(REPORT), PostgreSQL: of(idle) },
  ])
    assert.throws(() => figuresOf(1, reports), CommandError)
  const figures = figuresOf(1, { SQLite: of(REPORT), PostgreSQL: of(REPORT, { ...REPORT, backupMs: 900 }) })
  assert.deepEqual(
    [
      figures['backupsOfPostgres'],
      figures['chargesAfterTheBackup'],
      figures['doubleCharges'],
      figures['slowestBackupMs'],
      figures['chargesRecoveredThroughDoubles'],
    ],
    [2, 27, 0, 900, 6],
  )
})
