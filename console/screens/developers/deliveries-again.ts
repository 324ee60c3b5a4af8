/** Deliveries again: how soon the list of deliveries is read again while one of them is still to be sent. */
import type { DeliveryAnswer } from '#contract/merchant/webhooks.ts'

type Sent = Pick<DeliveryAnswer, 'status' | 'nextTryAt'> & { readonly tries: readonly unknown[] }

const MINUTE_MS = 60_000
/** The outcome of a try that was asked for comes a moment later. */
const SOON_MS = 3000

/** False: nothing of it changes by itself. The next try may be hours away: it is not asked for every few seconds until then. */
export const deliveriesAgain = (deliveries: readonly Sent[], now: number): number | false => {
  const waiting = deliveries.filter(({ status }) => status === 'pending')
  if (waiting.length === 0) return false
  const isSoon = ({ tries, nextTryAt }: Sent): boolean =>
    tries.length === 0 || nextTryAt === undefined || Date.parse(nextTryAt) - now < MINUTE_MS
  return waiting.some(isSoon) ? SOON_MS : MINUTE_MS
}
