import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  dayText,
  factLines,
  instantText,
  minuteText,
  printable,
  tableLines,
  timeText,
  TABLE_WIDTH,
  wrapped,
  printableJson,
} from './table.ts'

test('columns line up, also behind letters that take two places of a terminal, and nothing is a hyphen', () => {
  assert.deepEqual(
    tableLines(
      ['label', 'name', 'closed'],
      [
        ['tea', '青山茶舗 Aoyama', null],
        ['books', 'ｶﾅ 한국 B', '2026'],
      ],
    ),
    ['label  name             closed', 'tea    青山茶舗 Aoyama  -', 'books  ｶﾅ 한국 B        2026'],
  )
})

test('facts that are not set are left out, and times are those of Japan with the zone, for programs instants', () => {
  assert.deepEqual(factLines({ id: 'x', name: null, at: timeText(1_794_711_600_123) }), [
    'id: x',
    'at: 2026-11-15 12:00:00 JST',
  ])
  assert.equal(timeText(null), null)
  assert.deepEqual([instantText(1_794_711_600_123), instantText(null)], ['2026-11-15T03:00:00Z', null])
  // 23:59:59 and midnight in Japan.
  assert.deepEqual(
    [dayText(1_794_754_799_999), dayText(1_794_754_800_000), dayText(null)],
    ['2026-11-15', '2026-11-16', null],
  )
  assert.deepEqual(timeText('2026-12-31T15:00:00.000Z'), '2027-01-01 00:00:00 JST')
  assert.deepEqual([minuteText(1_794_711_600_123), minuteText(null)], ['2026-11-15 12:00 JST', null])
})

test('a text is broken between words, and where there are none, at the width', () => {
  assert.deepEqual(wrapped('to be or not', 5), ['to be', 'or', 'not'])
  assert.deepEqual(wrapped('青山茶舗', 5), ['青山', '茶舗'])
  assert.deepEqual(wrapped('', 5), [''])
})

const widthOf = (line: string): number => line.replaceAll(/[青山茶舗]/g, 'xx').length

test('a table that is too wide gives way in the columns that may, and ids stay whole', () => {
  const id = 'i'.repeat(32)
  const fit = { shorten: ['name'], wrap: ['why'] }
  const [heading = '', ...lines] = tableLines(
    ['id', 'name', 'why'],
    [[id, '青山茶舗'.repeat(20), 'why not '.repeat(20)]],
    fit,
  )
  assert.match(heading, /^id +name +why$/)
  for (const line of lines) assert.ok(widthOf(line) <= TABLE_WIDTH, line)
  assert.ok((lines[0] ?? '').startsWith(`${id}  青山`))
  assert.match(lines[0] ?? '', /… {1,3}why not/)
  assert.ok(lines.length > 1)
  assert.match(lines[1] ?? '', /^ {40,}why not/)
  assert.equal(lines.join(' ').match(/why not/g)?.length, 20)
})

test('a table of exactly the width is left as it is, and one place more is too wide', () => {
  const exact = 'x'.repeat(TABLE_WIDTH - 3)
  assert.deepEqual(tableLines(['a', 'b'], [['1', exact]], { shorten: ['b'] }).at(-1), `1  ${exact}`)
  assert.deepEqual(tableLines(['a', 'b'], [['1', `${exact}y`]], { shorten: ['b'] }).at(-1), `1  ${exact.slice(0, -1)}…`)
})

test('nothing that is printed steers the terminal', () => {
  assert.equal(printable('a\u001b[2Jb\nc\u202ed'), 'a [2Jb c d')
  assert.deepEqual(factLines({ subject: 'a\nb', none: undefined }), ['subject: a b'])
  assert.equal(tableLines(['x'], [['a\u0007b']])[1], 'a b')
})

test('in JSON, too, nothing steers the terminal or turns the line around, and a program reads the same text', () => {
  const text = 'a\u001b[2J\u007f\u009b31m\u202eb\u2028c\u2066d 煎茶'
  const printed = printableJson({ text })
  assert.doesNotMatch(printed, /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
  assert.deepEqual(JSON.parse(printed), { text })
  assert.match(printed, /煎茶/)
})
