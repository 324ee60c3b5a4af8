import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReading } from './database.ts'

test('a statement that begins with WITH reads where nothing in it writes, so that on SQLite it waits behind no write', () => {
  const statements = {
    'SELECT 1': true,
    'WITH RECURSIVE a (n) AS (SELECT 1) SELECT n FROM a': true,
    'WITH a AS (UPDATE attempts SET n = 1 RETURNING n) SELECT n FROM a': false,
    'WITH a AS (SELECT 1) INSERT INTO b SELECT n FROM a': false,
    'UPDATE attempts SET n = 1': false,
  }
  for (const [statement, reads] of Object.entries(statements)) assert.equal(isReading(statement), reads, statement)
})
