/** Time in Japan (JST): deadlines and dates by fixed arithmetic, because `Intl` data differ between server and browser. */
import type { PageLocale } from './locale.ts'

/** An instant, in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const JST_OFFSET_MS = 9 * HOUR_MS

export interface JstMoment {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

/** Japan has had no daylight saving time since 1951, so a fixed offset is exact for every date a checkout can carry. */
export const jstMoment = (instant: Instant): JstMoment => {
  const shifted = new Date(instant + JST_OFFSET_MS)
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
  }
}

/** The last millisecond of the day in Japan that begins `daysLater` days after the day of `instant`. */
export const endOfJstDay = (instant: Instant, daysLater = 0): Instant => {
  const startOfDay = Math.floor((instant + JST_OFFSET_MS) / DAY_MS) * DAY_MS - JST_OFFSET_MS
  return startOfDay + (daysLater + 1) * DAY_MS - 1
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** Date.parse turns 30 February into 2 March: a deadline on a day that does not exist must be refused, not moved. */
const dayExists = (date: string): boolean => new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(-2))

/** "2026-11-22" is the end of that day in Japan; "2026-11-22T10:00:00+09:00" is that instant; anything else is undefined. */
export const parseDeadline = (text: string): Instant | undefined => {
  const isDate = ISO_DATE.test(text)
  if ((!isDate && !ISO_INSTANT.test(text)) || !dayExists(text.slice(0, 10))) return undefined
  const instant = Date.parse(isDate ? `${text}T00:00:00+09:00` : text)
  if (Number.isNaN(instant)) return undefined
  return isDate ? endOfJstDay(instant) : instant
}

/** The first millisecond of the day in Japan of this instant. */
export const startOfJstDay = (instant: Instant): Instant => endOfJstDay(instant) - DAY_MS + 1

/** The same words as a deadline, for the beginning of a range: "2026-11-22" is the beginning of that day in Japan. */
export const parseBeginning = (text: string): Instant | undefined => {
  const instant = parseDeadline(text)
  return instant === undefined || !ISO_DATE.test(text) ? instant : startOfJstDay(instant)
}

/** The day in Japan of an instant, such as 2026-11-22. */
export const jstDate = (instant: Instant): string => new Date(instant + JST_OFFSET_MS).toISOString().slice(0, 10)

/** 2026-11-05 as a Japanese invoice writes it. */
export const japaneseDate = (date: string): string => date.replace(/^(\d+)-0?(\d+)-0?(\d+)$/, '$1年$2月$3日')

const ENGLISH_MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const THAI_MONTHS = [
  'ม.ค.',
  'ก.พ.',
  'มี.ค.',
  'เม.ย.',
  'พ.ค.',
  'มิ.ย.',
  'ก.ค.',
  'ส.ค.',
  'ก.ย.',
  'ต.ค.',
  'พ.ย.',
  'ธ.ค.',
] as const

const two = (value: number): string => String(value).padStart(2, '0')
const kanjiDate = (at: JstMoment): string => `${at.year}年${at.month}月${at.day}日`

const dateText: Record<PageLocale, (at: JstMoment) => string> = {
  ja: kanjiDate,
  'en-US': (at) => `${ENGLISH_MONTHS[at.month - 1]} ${at.day}, ${at.year},`,
  ko: (at) => `${at.year}년 ${at.month}월 ${at.day}일`,
  'zh-Hans': kanjiDate,
  'zh-Hant': kanjiDate,
  th: (at) => `${at.day} ${THAI_MONTHS[at.month - 1]} ${at.year}`,
}

/** Date and 24-hour time in Japan; outside Japanese the zone is named, because the reader may live in another one. */
export const jstText = (instant: Instant, locale: PageLocale): string => {
  const at = jstMoment(instant)
  const text = `${dateText[locale](at)} ${two(at.hour)}:${two(at.minute)}`
  return locale === 'ja' ? text : `${text} (JST)`
}
