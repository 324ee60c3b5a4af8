import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine, textCell } from './csv.ts'

test('a text that a spreadsheet would run stays a text, also after a space and with full-width signs', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '＝1', '＋1', '－1', '＠SUM(A1)'])
    assert.equal(textCell(text), /\t/.test(text) ? `"'${text}"` : `'${text}`)
  for (const text of ['a=b', '1-2', ' a', '']) assert.equal(textCell(text), text)
  assert.equal(textCell('\r\n=1'), '"\'\r\n=1"')
})

test('quotes, commas, semicolons, tabs and line breaks stay inside their cell; no text is an empty one', () => {
  assert.equal(csvLine([textCell('a;b'), textCell('a\tb'), 1]), '"a;b","a\tb",1\r\n')
  assert.equal(csvLine([textCell('a "b", c'), textCell('d\ne'), textCell(null), -5]), '"a ""b"", c","d\ne",,-5\r\n')
})
