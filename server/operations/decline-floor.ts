/** Decline floor: no decline is answered sooner than this, so that its time does not tell who declined. */
import { isRefusal, type Refusal } from '#contract/errors.ts'
import type { Dependencies } from '../dependencies.ts'

/** Longer than most acquirers take. A card that its issuer refused is known at once, and would be told apart by that. */
export const DECLINE_FLOOR_MS = 2000

export const withDeclineFloor = async <T extends object>(
  { clock, elapsed, declineFloorMs }: Pick<Dependencies, 'clock' | 'elapsed' | 'declineFloorMs'>,
  call: () => Promise<T | Refusal>,
): Promise<T | Refusal> => {
  const began = elapsed()
  const answer = await call()
  const remainingMs = declineFloorMs - (elapsed() - began)
  if (isRefusal(answer) && answer.refused === 'card_declined' && remainingMs > 0) await clock.sleep(remainingMs)
  return answer
}
