import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameProblem, readName } from './entered-name.ts'

test('a name is stored without the spaces around it', () => {
  for (const name of ['Hanako', '青山 花子', 'web shop 2']) assert.equal(readName(` ${name}\n`), name)
})

test('a name that could pretend to be another line, and one that holds a card number, are refused by what is wrong', () => {
  for (const empty of ['', '  ', '\n']) assert.equal(nameProblem(empty), 'is empty.')
  for (const text of ['a\nb', 'a\u0000b', 'a\u2028b', '\u202Eamayoa', 'a\u2066b'])
    assert.equal(nameProblem(text), 'must be one line, without control characters.')
  for (const text of ['4012888888881881', 'till 4012 8888 8888 1881'])
    assert.equal(nameProblem(text), 'holds a card number. Leave it out.')
  assert.deepEqual(readName('4012888888881881'), {
    refused: 'invalid_field',
    params: { field: 'name' },
    message: 'name holds a card number. Leave it out.',
  })
})
