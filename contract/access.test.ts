import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKeyAccess, KEY_ACCESSES, mayCall } from './access.ts'

test('a key may do what its access names and what every lesser access names, and nothing more', () => {
  const allowed = KEY_ACCESSES.flatMap((held) =>
    KEY_ACCESSES.filter((needed) => mayCall(held, needed)).map((needed) => `${held} may ${needed}`),
  )
  assert.deepEqual(allowed, [
    'read may read',
    'sales may read',
    'sales may sales',
    'full may read',
    'full may sales',
    'full may full',
  ])
})

test('only the three words are accesses', () => {
  for (const access of KEY_ACCESSES) assert.equal(isKeyAccess(access), true)
  for (const word of ['', 'FULL', 'write', 'toString']) assert.equal(isKeyAccess(word), false, word)
})
