import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { etagOf, readIfMatch } from './if-match.ts'

const NOW = etagOf({ a: 1 })
const OTHER = etagOf({ a: 2 })

const isMatch = (header: string): boolean => {
  const ifMatch = readIfMatch(header)
  return isRefusal(ifMatch) ? assert.fail(`${header} was refused`) : ifMatch(NOW)
}

test('an ETag is strong, the same for the same value and another one for another', () => {
  assert.match(NOW, /^"[\w-]{22}"$/)
  assert.equal(etagOf({ a: 1 }), NOW)
  assert.notEqual(OTHER, NOW)
})

test('a change without If-Match is refused by a name of its own', () => {
  assert.deepEqual(readIfMatch(undefined), { refused: 'if_match_required' })
})

test('the ETag itself, a list that names it, and the star match', () => {
  for (const header of [NOW, ` ${NOW} `, `${OTHER}, ${NOW}`, `W/${NOW},${NOW}`, '*', ' * '])
    assert.equal(isMatch(header), true)
  const others = Array.from({ length: 19 }, () => OTHER).join(', ')
  assert.equal(isMatch(`${others}, ${NOW}`), true)
})

test('another ETag, a weak one, an empty one and a list without it do not match', () => {
  for (const header of [OTHER, `W/${NOW}`, '""', `${OTHER}, "x"`, `"${NOW.slice(1, -2)}"`, '"*"'])
    assert.equal(isMatch(header), false, header)
  const others = Array.from({ length: 20 }, () => OTHER).join(', ')
  assert.equal(isMatch(`${others}, ${NOW}`), false, 'behind the twentieth nothing is read')
})

test('what is no ETag is refused by the name of the header', () => {
  for (const header of [
    '',
    ' ',
    'x',
    NOW.slice(1, -1),
    `${NOW}x`,
    `${NOW},`,
    `*, ${NOW}`,
    'w/"x"',
    '"a"b"',
    '"a\tb"',
  ]) {
    const refusal = readIfMatch(header)
    if (!isRefusal(refusal)) assert.fail(`${header} was accepted`)
    assert.deepEqual(refusal.params, { field: 'If-Match' })
    assert.match(refusal.message ?? '', /^If-Match must be the ETag of the settings in its double quotes, or \*\.$/)
  }
})
