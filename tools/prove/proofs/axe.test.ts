import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../command-error.mjs'
import { figuresOf, type Look } from './axe.ts'

const look = (screen: string, width: number, ...violations: readonly string[]): Look => ({
  screen,
  locale: 'ja',
  width,
  violations,
})

test('looks at the card page and the receipt are counted as they were taken', () => {
  assert.deepEqual(figuresOf([look('card', 390), look('card', 1280), look('complete', 390)]), {
    screens: 2,
    languages: 1,
    widths: 2,
    checks: 3,
    violations: 0,
  })
})

test('one violation on the card page is a refusal, and so is no look at all', () => {
  assert.throws(
    () => figuresOf([look('card', 390), look('card', 1280, 'label: #number', 'label: #cvc')]),
    new CommandError('axe found 2 violations in 2 looks, see above'),
  )
  assert.throws(() => figuresOf([]), CommandError)
})
