import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONSOLE_API } from './console/api.ts'
import { MERCHANT_API } from './merchant/api.ts'
import * as shopperCalls from './shopper-calls.ts'
import { mendOfPattern, TEXT_RULES } from './text-rules.ts'

const CALLS = { ...shopperCalls, ...MERCHANT_API, ...CONSOLE_API }

/** Every expression that a schema holds, at any depth. */
const patternsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  )
}

test('every regular expression that a call is validated by has words of its own, without a sign of one', () => {
  const patterns = new Set(Object.values(CALLS).flatMap(patternsIn))
  assert.ok(patterns.size >= 9)
  for (const pattern of patterns) assert.notEqual(mendOfPattern(pattern), undefined, pattern)
  for (const { pattern, mend } of Object.values(TEXT_RULES)) {
    assert.ok(patterns.has(pattern), `nobody is validated by ${pattern}`)
    assert.match(mend, /^must .*\.$/)
    assert.doesNotMatch(mend, /[\^$*[\]{}\\|]/)
  }
  assert.equal(mendOfPattern('^x$'), undefined)
})
