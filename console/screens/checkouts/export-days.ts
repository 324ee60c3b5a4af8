/** Export days: the days of creation that the CSV of checkouts has, which may be fewer than the list shows. */
import { DAY_MS, jstDate } from '#contract/jst.ts'
import { EXPORT_DAYS_MAX } from '#contract/merchant/checkout-lists.ts'
import type { DateRange } from '../../forms/date-range.ts'

/** As the server chooses them: without a range the last days up to now. Null: more days than one file may have. */
export const exportDays = (created: DateRange | null, now: number): DateRange | null => {
  const today = jstDate(now)
  if (created === null) return { from: jstDate(now - (EXPORT_DAYS_MAX - 1) * DAY_MS), to: today }
  const to = created.to < today ? created.to : today
  const days = (Date.parse(to) - Date.parse(created.from)) / DAY_MS + 1
  return days > EXPORT_DAYS_MAX ? null : { from: created.from, to }
}
