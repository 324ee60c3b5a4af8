import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../../../proof/canaries/run.ts'
import { CommandError } from '../../command-error.mjs'
import { figuresOf } from './canaries.ts'

const CLEAN: Outcome = {
  flows: 50,
  crashes: 2,
  bytes: 1000,
  places: ['logs', 'answers'],
  hits: [],
  astray: [],
  filesUnreadable: null,
}

test('card numbers that were found nowhere are counted over both databases', () => {
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

test('a card number that was found, or a payment that went astray, is a refusal', () => {
  const leaks = { ...CLEAN, hits: ['card number (plain) in logs'] }
  const strays = { ...CLEAN, astray: ['pays: declined, not paid'] }
  for (const outcomes of [
    [leaks, CLEAN],
    [CLEAN, leaks],
    [CLEAN, strays],
  ])
    assert.throws(() => figuresOf(outcomes, 795), CommandError)
})
