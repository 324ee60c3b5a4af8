/**
 * Reference dates: what a shopper should read for an instant, from the platform's calendar. Temporal gives the parts for
 * Tokyo and Intl the names of months; nothing of the product's own arithmetic is used.
 */
import type { PageLocale } from '../locale.ts'

const TOKYO = 'Asia/Tokyo'

/**
 * Zones of shoppers: west and east of Japan, at the edge of the date line, and one that is half an hour off. With each the
 * minutes that UTC is ahead of it in July: proof that a process or a browser really runs in it.
 */
export const ZONES: readonly (readonly [zone: string, minutesInJuly: number])[] = [
  ['UTC', 0],
  [TOKYO, -540],
  ['America/Los_Angeles', 420],
  ['Pacific/Kiritimati', -840],
  ['Asia/Kolkata', -330],
]

/** Every first of a month over six years, and the days around leap days that are there, or (2100) are not. */
const DAYS = Array.from({ length: 72 }, (_, month) =>
  Temporal.PlainDate.from('2024-01-01').add({ months: month }).toString(),
).concat(
  ['2024-02-28', '2024-02-29', '2026-02-28', '2026-11-22', '2028-02-28', '2028-02-29', '2096-02-29', '2096-03-01'],
  ['2099-12-31', '2100-02-28', '2100-03-01', '2101-01-01'],
)

const midnight = (day: string, timeZone: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime({ timeZone }).epochMilliseconds

/** Both sides of every midnight: Tokyo's to the minute, and those of the shoppers, which are no midnights in Tokyo. */
export const INSTANTS: readonly number[] = DAYS.flatMap((day) => [
  ...[-60_000, -1, 0, 59_999].map((ms) => midnight(day, TOKYO) + ms),
  ...ZONES.flatMap(([zone]) => (zone === TOKYO ? [] : [midnight(day, zone) - 1, midnight(day, zone)])),
])

const monthNames = (tag: string): readonly string[] => {
  const format = new Intl.DateTimeFormat(tag, { month: 'short', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => {
    const name = format.formatToParts(Date.UTC(2001, month, 15)).find(({ type }) => type === 'month')?.value
    if (name === undefined) throw new Error(`Intl names no month ${month + 1} in ${tag}`)
    return name
  })
}
const ENGLISH = monthNames('en-US')
const THAI = monthNames('th-u-ca-iso8601')

const dates: Record<PageLocale, (at: Temporal.ZonedDateTime) => string> = {
  ja: (at) => `${at.year}年${at.month}月${at.day}日`,
  'en-US': (at) => `${ENGLISH[at.month - 1]} ${at.day}, ${at.year},`,
  ko: (at) => `${at.year}년 ${at.month}월 ${at.day}일`,
  'zh-Hans': (at) => `${at.year}年${at.month}月${at.day}日`,
  'zh-Hant': (at) => `${at.year}年${at.month}月${at.day}日`,
  th: (at) => `${at.day} ${THAI[at.month - 1]} ${at.year}`,
}

export const referenceText = (instant: number, locale: PageLocale): string => {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(TOKYO)
  const clock = at.toPlainTime().toString({ smallestUnit: 'minute' })
  return `${dates[locale](at)} ${clock}${locale === 'ja' ? '' : ' (JST)'}`
}
