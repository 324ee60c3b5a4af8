import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import type { CredentialResult } from './credential-run.ts'
import type { SharedHoldResult } from './shared-hold-run.ts'
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

const CREDENTIALS: CredentialResult = {
  commands: 15,
  bytes: 500,
  places: ['commands'],
  hits: [],
  unexpectedEndings: [],
}
const HOLD: SharedHoldResult = { store: 'a store', cards: 60, bytes: 700, places: ['wire'], hits: [], missed: [] }
const resultsOf = (
  cards: readonly CanaryResult[],
  credentials: readonly CredentialResult[] = [CREDENTIALS],
  hold: SharedHoldResult = HOLD,
) => ({ cards, credentials, hold })

test('flows, crashes and scanned bytes are added up over both databases', () => {
  assert.deepEqual(figuresOf(resultsOf([{ ...CLEAN, flows: 150 }, CLEAN]), 795), {
    flows: 200,
    flowsOnPostgres: 50,
    crashes: 4,
    bytesScanned: 2000,
    places: 4,
    postgresFiles: 'read',
    hits: 0,
    credentialRuns: 1,
    credentialCommands: 15,
    credentialBytesScanned: 500,
    credentialPlaces: 1,
    credentialHits: 0,
    sharedHold: 'a store',
    sharedHoldCards: 60,
    sharedHoldBytesScanned: 700,
    sharedHoldPlaces: 1,
    sharedHoldHits: 0,
    plantedLeaksFound: 795,
  })
})

test('a card number or a credential that was found, or a flow that ended unexpectedly, fails the proof', () => {
  const leaks: CanaryResult = { ...CLEAN, hits: ['card number (plain) in logs'] }
  const unexpected: CanaryResult = { ...CLEAN, unexpectedEndings: ['pays: declined, not paid'] }
  for (const results of [
    [leaks, CLEAN],
    [CLEAN, leaks],
    [CLEAN, unexpected],
  ])
    assert.throws(() => figuresOf(resultsOf(results), 795), CommandError)
  for (const change of [
    { hits: ['credential (plain) in logs'] },
    { unexpectedEndings: ['kaikei doctor ended with 3'] },
  ])
    assert.throws(() => figuresOf(resultsOf([CLEAN, CLEAN], [{ ...CREDENTIALS, ...change }]), 795), CommandError)
})

test('a card number in the shared hold, or a scan of it that misses a number in clear, fails the proof', () => {
  for (const change of [{ hits: ['card number (plain) in wire'] }, { missed: ['wire'] }])
    assert.throws(() => figuresOf(resultsOf([CLEAN, CLEAN], [CREDENTIALS], { ...HOLD, ...change }), 795), CommandError)
})
