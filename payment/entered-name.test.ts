import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameProblem, readName } from './entered-name.ts'

test('a name is stored without the spaces around it', () => {
  for (const name of ['Hanako', '青山 花子', 'web shop 2', '辻\u{e0100}本', '葛\u{e0101}飾', '❤\ufe0f', 'שרה', 'نور'])
    assert.equal(readName(` ${name}\n`), name)
})

const UNSEEN = [
  ...['\u202Eamayoa', 'a\u2066b', 'a\u00adb', 'a\u200bb', 'a\u{e0041}', 'a\u3164', 'a\u200db'],
  // A variation selector that changes nothing.
  ...['a\ufe0f', 'а\u{e0100}', '\u{e0100}a', '辻\u{e0100}\u{e0100}'],
]

test('a name that could pretend to be another line, and one that holds a card number, are refused by what is wrong', () => {
  for (const empty of ['', '  ', '\n', '\u200b', '\u3164\u2800', '\u{e0041}'])
    assert.equal(nameProblem(empty), 'is empty.')
  for (const text of ['a\nb', 'a\u0000b', 'a\u2028b', ...UNSEEN])
    assert.equal(nameProblem(text), 'must be one line, without control characters and others that are not seen.')
  for (const text of ['4012888888881881', 'till 4012 8888 8888 1881'])
    assert.equal(nameProblem(text), 'holds a card number. Leave it out.')
  assert.deepEqual(readName('4012888888881881'), {
    refused: 'invalid_field',
    params: { field: 'name' },
    message: 'name holds a card number. Leave it out.',
  })
})
