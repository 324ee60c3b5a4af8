import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqliteInMemory } from '../../proof/harness/databases.ts'
import { countStatements, countTransactions, recordDatabase } from './recording-database.ts'

test('statements, locks and transactions are noted in their order, between start and stop alone', async () => {
  const { database, start, stop } = recordDatabase(await openSqliteInMemory())
  await database.rows('SELECT 1 AS before')
  start()
  await database.transact(async (sql) => {
    await sql.lockNames('network test 192.0.2.1')
    await sql.rows('SELECT $1 AS inside', 7)
  })
  await database.rows('SELECT 2 AS outside')
  const events = stop()
  await database.rows('SELECT 3 AS after')
  assert.deepEqual(events, [
    { kind: 'begin' },
    { kind: 'statement', text: 'SELECT $1 AS inside', values: [7] },
    { kind: 'commit' },
    { kind: 'statement', text: 'SELECT 2 AS outside', values: [] },
  ])
  assert.deepEqual([countStatements(events), countTransactions(events), stop()], [4, 1, []])
})

test('the recorded database answers what the database answers', async () => {
  const { database } = recordDatabase(await openSqliteInMemory())
  assert.equal((await database.rows('SELECT 5 AS five'))[0]?.['five'], 5)
  assert.match(database.version, /^SQLite/)
  await assert.rejects(database.lockNames('a'), /belong into a transaction/)
  await assert.rejects(
    database.transact(() => Promise.reject(new Error('rolled back'))),
    /rolled back/,
  )
})
