import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, type ConsoleCheck } from './prove.ts'

const checkOf = (screen: string, width: number, more: Partial<ConsoleCheck> = {}): ConsoleCheck => ({
  screen,
  locale: 'ja',
  width,
  violations: [],
  overflow: 0,
  errors: [],
  ...more,
})

test('looks at screens of the console are counted', () => {
  assert.deepEqual(figuresOf([checkOf('home', 320), checkOf('home', 1280), checkOf('people', 320)]), {
    screens: 2,
    languages: 1,
    widths: 2,
    checks: 3,
    violations: 0,
    scrollingSideways: 0,
    errorsOfPages: 0,
  })
})

test('one violation, one pixel to scroll to, one error of a page, or no look at all is a refusal', () => {
  const faults = [{ violations: ['label: #amount'] }, { overflow: 1 }, { errors: ['Refused to load'] }]
  for (const fault of faults)
    assert.throws(() => figuresOf([checkOf('home', 1280), checkOf('home', 320, fault)]), CommandError)
  assert.throws(() => figuresOf([]), CommandError)
})
