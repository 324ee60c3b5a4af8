/** Next reading: after how long something is read again by itself. */
import type { CallFailure } from './api.ts'

/** What does not exist does not come by asking again. */
export const isMissing = ({ code }: CallFailure): boolean => code.endsWith('_not_found')

/** Milliseconds, or what was read says how many. False: it is not read again by itself. */
export type ReadAgain<T> = number | false | ((data: T) => number | false)

/** The one rule of all screens for it. */
export const nextReading = <T>(
  again: ReadAgain<T>,
  data: T | undefined,
  failure: CallFailure | null,
): number | false => {
  if (failure !== null && isMissing(failure)) return false
  if (typeof again !== 'function') return again
  return data === undefined ? false : again(data)
}
