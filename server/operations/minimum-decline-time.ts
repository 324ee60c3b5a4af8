/** Decline floor: no decline is answered sooner than this, so that its time does not tell who declined. */
import { isRefusal, type Refusal } from '#contract/errors.ts'
import type { Dependencies } from '../dependencies.ts'

/** Longer than most acquirers take. A card that its issuer refused is known at once, and would be told apart by that. */
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
