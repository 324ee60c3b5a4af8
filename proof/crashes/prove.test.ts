import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, measure, type CrashReport } from './prove.ts'

const reportOf = (cutOff: { readonly pay: number; readonly refund: number }): CrashReport => ({
  kills: { server: 3, worker: 1, both: 2 },
  cutOff: { create: 0, read: 0, start: 0, authenticate: 0, cancel: 0, ...cutOff },
  checkouts: 20,
  acknowledged: 50,
  acknowledgedPayments: 10,
  charges: 11,
  refunds: 4,
  doubts: 5,
  mails: 14,
  mailCopies: 1,
  findings: [],
})

const CUTTING = reportOf({ pay: 2, refund: 1 })
const IDLE = reportOf({ pay: 0, refund: 1 })

test('processes are killed 1 to 10000 times on each database, by a seed that is a whole number', async () => {
  for (const kills of ['0', '10001', '1.5', 'often', '-3']) await assert.rejects(measure([kills]), CommandError)
  for (const seed of ['x', '-1', '0', '1.5', '1000000000']) await assert.rejects(measure(['1', seed]), CommandError)
})

test('kills that cut off no payment prove nothing, on whichever database', () => {
  for (const reports of [
    { SQLite: IDLE, PostgreSQL: CUTTING },
    { SQLite: CUTTING, PostgreSQL: IDLE },
  ])
    assert.throws(() => figuresOf(1, reports), CommandError)
  const { paymentsCutOff, refundsCutOff, killsOnSqlite, killsOnPostgres, lost } = figuresOf(1, {
    SQLite: CUTTING,
    PostgreSQL: CUTTING,
  })
  assert.deepEqual(
    { paymentsCutOff, refundsCutOff, killsOnSqlite, killsOnPostgres, lost },
    {
      paymentsCutOff: 4,
      refundsCutOff: 2,
      killsOnSqlite: 3,
      killsOnPostgres: 6,
      lost: 0,
    },
  )
})

test('a lost payment, a double charge or a doubt that stays fails the proof, on whichever database', () => {
  for (const kind of ['lost', 'double charge', 'unsettled', 'untrue'] as const) {
    const broken = { ...CUTTING, findings: [{ kind, description: 'x' }] }
    for (const reports of [
      { SQLite: broken, PostgreSQL: CUTTING },
      { SQLite: CUTTING, PostgreSQL: broken },
    ])
      assert.throws(() => figuresOf(1, reports), /a promise was broken/)
  }
})
