/** Acquirer's time: which times of its answers are believed, and the Date header, which tells what time it is elsewhere. */
import type { Instant } from '#contract/jst.ts'

const YEAR_2100 = 4_102_444_800_000

/** From 1970 to 2100: any other is no time of a payment, and the figures of its day would be counted all the same. */
export const isMoment = (at: Instant): boolean => Number.isInteger(at) && at >= 0 && at < YEAR_2100

const ASK_TIMEOUT_MS = 2000

/** A date as RFC 9110 has every server send it, such as Tue, 17 Nov 2026 09:00:00 GMT; null for anything else. */
export const readHttpDate = (header: string | null): Instant | null => {
  if (header === null || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) return null
  const instant = Date.parse(header)
  return Number.isNaN(instant) ? null : instant
}

/** Any answer of the acquirer has the header, whatever its status: no order and no key is needed. Null: no answer in time. */
export const askHttpDate = async (address: string): Promise<Instant | null> => {
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
    await response.body?.cancel()
    return readHttpDate(response.headers.get('date'))
  } catch {
    return null
  }
}
