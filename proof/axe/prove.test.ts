import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, type AxeCheck } from './prove.ts'

const checkOf = (screen: string, width: number, ...violations: readonly string[]): AxeCheck => ({
  screen,
  locale: 'ja',
  width,
  violations,
})

test('checks of the card page and the receipt are counted', () => {
  assert.deepEqual(figuresOf([checkOf('card', 390), checkOf('card', 1280), checkOf('complete', 390)]), {
    screens: 2,
    languages: 1,
    widths: 2,
    checks: 3,
    violations: 0,
  })
})

test('one violation on the card page is a refusal, and so is no check at all', () => {
  assert.throws(
    () => figuresOf([checkOf('card', 390), checkOf('card', 1280, 'label: #number', 'label: #cvc')]),
    new CommandError('axe found 2 violations in 2 looks, see above'),
  )
  assert.throws(() => figuresOf([]), CommandError)
})
