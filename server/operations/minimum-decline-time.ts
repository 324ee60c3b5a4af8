/** Minimum time of a decline: no decline is answered sooner, so that its time does not tell who declined. */
import { isRefusal, type Refusal } from '#contract/errors.ts'
import type { Dependencies } from '../dependencies.ts'

/** Longer than most acquirers take. A refusal of the issuer is known at once, and without this its time would show that. */
export const MINIMUM_DECLINE_MS = 2000

export const withMinimumDeclineTime = async <T extends object>(
  { clock, elapsed, minimumDeclineMs }: Pick<Dependencies, 'clock' | 'elapsed' | 'minimumDeclineMs'>,
  call: () => Promise<T | Refusal>,
): Promise<T | Refusal> => {
  const began = elapsed()
  const answer = await call()
  const remainingMs = minimumDeclineMs - (elapsed() - began)
  if (isRefusal(answer) && answer.refused === 'card_declined' && remainingMs > 0) await clock.sleep(remainingMs)
  return answer
}
