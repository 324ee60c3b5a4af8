import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('a table becomes a file that spreadsheets read, Japanese and separators included', () => {
  assert.equal(
    csvOf([
      ['日', '売上'],
      ['2026-11-18', 1200],
      ['a "b", c', -5],
    ]),
    '日,売上\r\n2026-11-18,1200\r\n"a ""b"", c",-5\r\n',
  )
})

test('a text that begins like a formula stays a text', () => {
  assert.equal(csvOf([['=1+1', '@x', '-', ' =1', '＝1']]), "'=1+1,'@x,'-,' =1,'＝1\r\n")
})
