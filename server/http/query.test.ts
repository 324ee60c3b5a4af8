import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  hasTooManyParameters,
  isQueryTooLong,
  localeInQuery,
  PARAMETERS_MAX,
  QUERY_MAX_LENGTH,
  queryToRepeat,
  searchOf,
} from './query.ts'

const parameters = (count: number): string => `?${Array.from({ length: count }, () => 'a').join('&')}`

test('a query begins at the first question mark of its address', () => {
  assert.equal(searchOf({ url: '/a?b=c?d' }), '?b=c?d')
  assert.equal(searchOf({ url: '/a' }), '')
})

test('a query of 2048 characters and 50 parameters is repeated by a redirect, one more of either is not', () => {
  const longest = `?${'a'.repeat(QUERY_MAX_LENGTH - 1)}`
  assert.equal(queryToRepeat(longest), longest)
  assert.equal(queryToRepeat(`${longest}a`), '')
  assert.equal(isQueryTooLong(`${longest}a`), true)
  assert.equal(queryToRepeat(parameters(PARAMETERS_MAX)), parameters(PARAMETERS_MAX))
  assert.equal(queryToRepeat(parameters(PARAMETERS_MAX + 1)), '')
  assert.equal(hasTooManyParameters(parameters(PARAMETERS_MAX)), false)
  assert.equal(hasTooManyParameters(parameters(PARAMETERS_MAX + 1)), true)
  assert.equal(queryToRepeat(''), '')
})

test('a card number, and a security code next to one, are not repeated; everything else is', () => {
  assert.equal(queryToRepeat('?mode=test&locale=ja&cvc=123'), '?mode=test&locale=ja&cvc=123')
  assert.equal(queryToRepeat('?mode=test&number=4242424242424242&cvc=123'), '?mode=test')
  assert.equal(queryToRepeat('?4242%204242%204242%204242'), '')
})

test('the language of a query is found wherever it stands, and only one of the six is taken', () => {
  assert.equal(localeInQuery('?locale=ja'), 'ja')
  assert.equal(localeInQuery('?mode=test&locale=zh-Hant&x=1'), 'zh-Hant')
  for (const search of ['', '?locale=', '?locale=xx', '?xlocale=ja', '?locale=ja%20', '?x=locale=ja'])
    assert.equal(localeInQuery(search), undefined, search)
})
