import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf } from './prove.ts'

const LOAD = { total: 1000, shed: 900, shedWithoutRetryAfter: 0 }

test('the overload proof counts payments, their slowest and what was shed', () => {
  const payMs = Array.from({ length: 100 }, (_, place) => place + 1)
  assert.deepEqual(figuresOf('pages', { payMs, failures: [] }, LOAD), {
    payments: 100,
    payP99Ms: 99,
    answersToTheLoad: 1000,
    shed: 900,
  })
})

test('a payment that failed or was slow, and a shed answer without Retry-After, fail the proof', () => {
  const fails = (payMs: readonly number[], failures: readonly string[], load = LOAD): void => {
    assert.throws(() => figuresOf('pages', { payMs, failures }, load), CommandError)
  }
  fails([1], ['pay 409'])
  fails([501], [])
  fails([], [])
  fails([1], [], { ...LOAD, shedWithoutRetryAfter: 1 })
  assert.equal(figuresOf('pages', { payMs: [500], failures: [] }, LOAD)['payP99Ms'], 500)
})
