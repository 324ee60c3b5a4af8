import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, type CanaryResult } from './prove.ts'

const CLEAN: CanaryResult = {
  flows: 50,
  crashes: 2,
  bytes: 1000,
  places: ['logs', 'answers'],
  hits: [],
  unexpectedEndings: [],
  checkouts: 40,
  movements: 12,
  filesUnreadable: null,
}

test('flows, crashes and scanned bytes are added up over both databases', () => {
  assert.deepEqual(figuresOf([{ ...CLEAN, flows: 150 }, CLEAN], 795), {
    flows: 200,
    flowsOnPostgres: 50,
    crashes: 4,
    bytesScanned: 2000,
    places: 4,
    postgresFiles: 'read',
    hits: 0,
    plantedLeaksFound: 795,
  })
})

test('a card number that was found, or a flow that ended unexpectedly, fails the proof', () => {
  const leaks: CanaryResult = { ...CLEAN, hits: ['card number (plain) in logs'] }
  const unexpected: CanaryResult = { ...CLEAN, unexpectedEndings: ['pays: declined, not paid'] }
  for (const results of [
    [leaks, CLEAN],
    [CLEAN, leaks],
    [CLEAN, unexpected],
  ])
    assert.throws(() => figuresOf(results, 795), CommandError)
})
