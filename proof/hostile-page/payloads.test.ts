import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../harness/seeded-random.ts'
import { generatePayloads } from './payloads.ts'

test('the same seed gives the same payloads, another seed gives others, and no two are equal', () => {
  const payloads = generatePayloads(seededRandom(1), 500)
  assert.deepEqual(generatePayloads(seededRandom(1), 500), payloads)
  assert.notDeepEqual(generatePayloads(seededRandom(2), 500), payloads)
  assert.equal(new Set(payloads).size, 500)
})

test('payloads fit into a subject, and among them are elements, handlers, ends of contexts and signs that are not seen', () => {
  const payloads = generatePayloads(seededRandom(1), 2000)
  assert.ok(payloads.every((payload) => payload.length <= 200))
  for (const part of [
    '<script',
    'onerror=',
    '</script>',
    '</style>',
    '"}',
    '${',
    '\u2028',
    '\0',
    '\u202e',
    'javascript:',
    '&#',
  ])
    assert.ok(
      payloads.some((payload) => payload.includes(part)),
      JSON.stringify(part),
    )
})
