/** Time cells of CSV exports. */
import { jstMoment, type Instant } from '#contract/jst.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** The time in Japan, such as 09:05. */
export const timeCell = (instant: Instant): string => {
  const { hour, minute } = jstMoment(instant)
  return `${two(hour)}:${two(minute)}`
}
