import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY_MS, endOfJstDay, jstMoment, jstText, parseDeadline } from './jst.ts'
import { PAGE_LOCALES, type PageLocale } from './locale.ts'

const at = (text: string): number => {
  const instant = Date.parse(text)
  assert.ok(!Number.isNaN(instant), text)
  return instant
}

interface Reference {
  readonly tag: string
  readonly month: 'numeric' | 'short'
  readonly write: (year: string, month: string, day: string) => string
  readonly zone: string
}

const references: Record<PageLocale, Reference> = {
  ja: { tag: 'ja', month: 'numeric', write: (y, m, d) => `${y}年${m}月${d}日`, zone: '' },
  'en-US': { tag: 'en-US', month: 'short', write: (y, m, d) => `${m} ${d}, ${y},`, zone: ' (JST)' },
  ko: { tag: 'ko', month: 'numeric', write: (y, m, d) => `${y}년 ${m}월 ${d}일`, zone: ' (JST)' },
  'zh-Hans': { tag: 'zh-Hans', month: 'numeric', write: (y, m, d) => `${y}年${m}月${d}日`, zone: ' (JST)' },
  'zh-Hant': { tag: 'zh-Hant', month: 'numeric', write: (y, m, d) => `${y}年${m}月${d}日`, zone: ' (JST)' },
  th: { tag: 'th-u-ca-iso8601', month: 'short', write: (y, m, d) => `${d} ${m} ${y}`, zone: ' (JST)' },
}

const readerOf = ({ tag, month, write, zone }: Reference): ((instant: number) => string) => {
  const format = new Intl.DateTimeFormat(tag, {
    timeZone: 'Asia/Tokyo',
    year: 'numeric',
    month,
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (instant) => {
    const parts = format.formatToParts(instant)
    const value = (type: Intl.DateTimeFormatPartTypes): string => {
      const found = parts.find((part) => part.type === type)
      assert.ok(found !== undefined, type)
      // Some ICU data put the counter into the month ("11월"); the pattern of the test adds its own.
      return type === 'month' && month === 'numeric' ? found.value.replace(/\D/g, '') : found.value
    }
    const date = write(value('year'), value('month'), value('day'))
    return `${date} ${value('hour')}:${value('minute')}${zone}`
  }
}

/** Midnights in Japan and in UTC at month ends, year ends and leap days, with 2100, which has none. */
const days = ['2024-02-28', '2024-02-29', '2024-03-01', '2025-02-28', '2025-03-01', '2025-12-31', '2026-01-01'].concat(
  ['2026-04-30', '2026-05-01', '2026-11-22', '2026-12-31', '2027-01-01', '2028-02-29', '2100-02-28', '2100-03-01'],
  Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-09`),
)
const midnights = days.flatMap((day) => [at(`${day}T00:00:00+09:00`), at(`${day}T00:00:00Z`)])
const edges = midnights.flatMap((midnight) => [-60_000, -1, 0, 1, 59_999, 60_000].map((ms) => midnight + ms))
const anyInstant = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2100-12-31T23:59:59Z') })

for (const locale of PAGE_LOCALES) {
  test(`the moment of a payment reads in ${locale} as Intl writes it for Tokyo`, () => {
    const reference = readerOf(references[locale])
    for (const instant of edges) assert.equal(jstText(instant, locale), reference(instant))
    fc.assert(fc.property(anyInstant, (instant) => assert.equal(jstText(instant, locale), reference(instant))))
  })
}

test('a receipt is dated by the day in Japan, on the 24-hour clock', () => {
  assert.equal(jstText(at('2026-12-31T14:59:59.999Z'), 'ja'), '2026年12月31日 23:59')
  assert.equal(jstText(at('2026-12-31T15:00:00Z'), 'ja'), '2027年1月1日 00:00')
  assert.equal(jstText(at('2026-12-31T15:00:00Z'), 'en-US'), 'Jan 1, 2027, 00:00 (JST)')
  assert.equal(jstText(at('2024-02-28T15:00:00Z'), 'ko'), '2024년 2월 29일 00:00 (JST)')
  assert.equal(jstText(at('2026-11-22T04:05:00Z'), 'th'), '22 พ.ย. 2026 13:05 (JST)')
  assert.deepEqual(jstMoment(at('2024-02-29T15:07:00Z')), { year: 2024, month: 3, day: 1, hour: 0, minute: 7 })
})

test('every moment of a day in Japan has the same end of day, its last millisecond', () => {
  const end = at('2026-11-22T23:59:59.999+09:00')
  for (const moment of ['00:00:00.000', '00:00:00.001', '08:59:59.999', '09:00:00.000', '23:59:59.998', '23:59:59.999'])
    assert.equal(endOfJstDay(at(`2026-11-22T${moment}+09:00`)), end, moment)
  assert.equal(endOfJstDay(end + 1), end + DAY_MS)
  assert.equal(endOfJstDay(at('2026-11-21T23:59:59.999+09:00')), end - DAY_MS)
})

test('the end of the 7th day counts days of the calendar, over month ends, year ends and leap days', () => {
  const sevenLater: readonly (readonly [string, string])[] = [
    ['2026-11-22T00:00:00+09:00', '2026-11-29'],
    ['2026-11-22T23:59:59.999+09:00', '2026-11-29'],
    ['2026-12-31T12:00:00+09:00', '2027-01-07'],
    ['2024-02-25T00:00:00+09:00', '2024-03-03'],
    ['2025-02-25T00:00:00+09:00', '2025-03-04'],
  ]
  for (const [from, day] of sevenLater) assert.equal(endOfJstDay(at(from), 7), at(`${day}T23:59:59.999+09:00`), from)
})

test('one millisecond after the end of a day it is midnight in Tokyo', () => {
  const reference = readerOf(references['en-US'])
  const dateOf = (instant: number): string => reference(instant).slice(0, -' 00:00 (JST)'.length)
  fc.assert(
    fc.property(anyInstant, (instant) => {
      const end = endOfJstDay(instant)
      assert.equal(dateOf(end), dateOf(instant))
      assert.match(reference(end + 1), / 00:00 \(JST\)$/)
      assert.notEqual(dateOf(end + 1), dateOf(instant))
    }),
  )
})

test('a deadline given as a date is the end of that day in Japan', () => {
  for (const day of ['2026-11-22', '2026-12-31', '2027-01-01', '2024-02-29', '2025-02-28', '2026-04-30'])
    assert.equal(parseDeadline(day), at(`${day}T23:59:59.999+09:00`), day)
})

test('a deadline given as an instant with its zone is that instant', () => {
  const instants: readonly (readonly [string, string])[] = [
    ['2026-11-22T10:00:00+09:00', '2026-11-22T01:00:00.000Z'],
    ['2026-11-22T10:00+09:00', '2026-11-22T01:00:00.000Z'],
    ['2026-11-22T10:00:00Z', '2026-11-22T10:00:00.000Z'],
    ['2026-11-22T10:00:00.25Z', '2026-11-22T10:00:00.250Z'],
    ['2026-11-22T10:00:00.123456789Z', '2026-11-22T10:00:00.123Z'],
    ['2026-11-22T23:59:59-10:00', '2026-11-23T09:59:59.000Z'],
    ['2024-02-29T00:00:00+14:00', '2024-02-28T10:00:00.000Z'],
    ['2026-12-31T23:30:00-09:00', '2027-01-01T08:30:00.000Z'],
  ]
  for (const [text, instant] of instants) assert.equal(parseDeadline(text), at(instant), text)
})

test('a deadline on a day that does not exist is refused, not moved', () => {
  const noSuchDays = ['2026-02-29', '2026-02-30', '2100-02-29', '2026-04-31', '2026-06-31', '2026-11-31']
  for (const day of [...noSuchDays, '2026-01-32', '2026-01-00', '2026-00-10', '2026-13-01']) {
    for (const text of [day, `${day}T10:00:00+09:00`, `${day}T23:00:00Z`, `${day}T00:30-10:00`])
      assert.equal(parseDeadline(text), undefined, text)
  }
})

test('a deadline that could mean several instants, or none, is refused', () => {
  const wrong = ['', 'tomorrow', '2026', '2026-11', '2026-1-2', '20261122', '2026/11/22', '22-11-2026', ' 2026-11-22']
  const noZone = ['2026-11-22T10:00:00', '2026-11-22T10:00', '2026-11-22 10:00:00+09:00', '2026-11-22T10:00:00 JST']
  const badTime = ['2026-11-22T25:00:00Z', '2026-11-22T10:60:00Z', '2026-11-22T10:00:60Z', '2026-11-22T10:00:00+24:00']
  const badShape = [
    '2026-11-22T10:00:00+0900',
    '2026-11-22T10Z',
    '2026-11-22T10:00:00.Z',
    '2026-11-22\n',
    '+002026-11-22',
  ]
  for (const text of [...wrong, ...noZone, ...badTime, ...badShape])
    assert.equal(parseDeadline(text), undefined, JSON.stringify(text))
})
