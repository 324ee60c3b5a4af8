import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge, limitFigures, limitTable, readable, table, type Limit } from './limits.ts'

const RATIO: Limit = { name: 'documents each second', figure: 0.2, is: 'at least', limit: 0.2 }
const SLOW: Limit = { name: 'payment, ms of CPU', figure: 6.014, is: 'at most', limit: 6 }

test('a figure equal to its limit holds, and one past it does not', () => {
  assert.equal(judge(RATIO), 'holds')
  assert.equal(judge({ ...RATIO, figure: 0.1999 }), 'does not hold')
  assert.equal(judge({ ...SLOW, figure: 6 }), 'holds')
  assert.equal(judge(SLOW), 'does not hold')
})

test('a figure that could not be measured holds neither an upper nor a lower limit', () => {
  assert.equal(judge({ ...RATIO, figure: Number.NaN }), 'does not hold')
  assert.equal(judge({ ...SLOW, figure: Number.NaN }), 'does not hold')
})

test('figures are written with three digits, and large ones as whole numbers', () => {
  assert.deepEqual([0.123_45, 6.014, 1234.5, 0].map(readable), [0.123, 6.01, 1235, 0])
})

test('the table shows every limit with its figure and judgement, a failed one too', () => {
  assert.deepEqual(limitTable([RATIO, SLOW]).split('\n'), [
    'limit                  figure       must be      judgement',
    '---------------------  ------  ------------  -------------',
    'documents each second     0.2  at least 0.2          holds',
    'payment, ms of CPU       6.01     at most 6  does not hold',
  ])
})

test('every judgement is among the figures', () => {
  assert.deepEqual(limitFigures([RATIO, SLOW]), {
    'limit: documents each second': '0.2, at least 0.2: holds',
    'limit: payment, ms of CPU': '6.01, at most 6: does not hold',
  })
})

test('a table takes rows that are shorter than its head', () => {
  assert.equal(table(['a', 'b'], [['1']]), 'a  b\n-  -\n1')
})
