import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pgbenchScript, rateIn } from './pgbench-script.ts'
import type { StoreEvent } from './recording-database.ts'

const paymentOf = (checkoutId: string, orderCode: string, at: number): StoreEvent[] => [
  {
    kind: 'statement',
    text: 'SELECT * FROM checkouts WHERE merchant_id = $1 AND id = $2',
    values: ['tea', checkoutId],
  },
  { kind: 'begin' },
  { kind: 'lock names', names: [`network test ${at}`] },
  {
    kind: 'statement',
    text: 'INSERT INTO attempts (order_code, details, due_at, started_at) VALUES ($1, $2, $3, $4)',
    values: [orderCode, `{"order":"${orderCode}"}`, null, at],
  },
  { kind: 'statement', text: 'UPDATE attempts SET state = $2 WHERE order_code = $1', values: [orderCode, 'charged'] },
  { kind: 'commit' },
]

const FIRST = paymentOf('checkout1', 'order1', 1)
const SECOND = paymentOf('checkout2', 'order2', 2)
const PREPARED = { id: 'checkout1', line: ['\\set checkout random(1, 9)'] }

test('a script sends the very statements in their transactions, with variables in place of values', () => {
  const { text, constants } = pgbenchScript(FIRST, SECOND, PREPARED)
  assert.deepEqual(text.split('\n'), [
    '\\set checkout random(1, 9)',
    '\\set id1 random(2000000000000000000, 8999999999999999999)',
    '\\set id2 random(2000000000000000000, 8999999999999999999)',
    'SELECT * FROM checkouts WHERE merchant_id = :constant0 AND id = :checkout;',
    'BEGIN ISOLATION LEVEL READ COMMITTED;',
    'SELECT pg_advisory_xact_lock(hashtextextended(:id1, 0));',
    'INSERT INTO attempts (order_code, details, due_at, started_at) VALUES (:id2, :constant1, NULL, :constant2);',
    'UPDATE attempts SET state = :constant3 WHERE order_code = :id2;',
    'COMMIT;',
    '',
  ])
  assert.deepEqual(constants, {
    constant0: 'tea',
    constant1: '{"order":"order1"}',
    constant2: '1',
    constant3: 'charged',
  })
})

test('without a checkout that was there before, every id is made by pgbench', () => {
  const { text } = pgbenchScript(FIRST, SECOND, null)
  assert.match(text, /^\\set id0 random/)
  assert.match(text, /AND id = :id0;/)
})

test('two recordings that differ in their statements make no script', () => {
  assert.throws(() => pgbenchScript(FIRST, SECOND.slice(1), null), /other statements the second time/)
  const other: StoreEvent[] = SECOND.map((event) =>
    event.kind === 'statement' ? { ...event, text: `${event.text} ` } : event,
  )
  assert.throws(() => pgbenchScript(FIRST, other, null), /another statement the second time/)
})

const OUTPUT = `number of transactions actually processed: 800/800
number of failed transactions: 0 (0.000%)
latency average = 1.2 ms
initial connection time = 9.1 ms
tps = 6543.210000 (without initial connection time)
`

test('the rate is what pgbench prints, and none where a transaction failed', () => {
  assert.equal(rateIn(OUTPUT), 6543.21)
  assert.equal(rateIn(OUTPUT.replace('failed transactions: 0', 'failed transactions: 3')), Number.NaN)
  assert.equal(rateIn('pgbench: error: could not connect'), Number.NaN)
})
