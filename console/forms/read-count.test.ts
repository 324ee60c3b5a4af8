import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCount } from './read-count.ts'

test('a number of payments is read however a Japanese keyboard writes it', () => {
  for (const text of ['1200', '1,200', '１２００', '１，２００件', ' 1 200 ']) assert.equal(readCount(text), 1200, text)
  for (const text of ['', ' ', '件']) assert.equal(readCount(text), null, text)
  for (const text of ['0', '-1', '1.5', '多数', '1000000']) assert.equal(readCount(text), undefined, text)
})
