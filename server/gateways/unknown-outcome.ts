/** Unknown outcome: what an adapter answers when an acquirer has decided nothing. */
import type { Unknown } from '#payment/ports.ts'

export const unknown = (why: string): Unknown => ({ outcome: 'unknown', why })

/** An answer whose status decides nothing. A fault on the acquirer's side says no more than silence does. */
export const undecided = ({ status }: { readonly status: number }): Unknown => {
  const isForbidden = status === 401 || status === 403
  const doubt = unknown(
    `HTTP ${status}${isForbidden ? ': the acquirer does not take the key of this account, or not for this; "acquirer check" says how to mend it' : ''}`,
  )
  return status >= 500 ? { ...doubt, isSilence: true } : doubt
}

/** Never the error's own words: they may repeat a header, and so a credential. */
export const connectionLost = (error: unknown): Unknown => ({
  outcome: 'unknown',
  why: error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'connection lost',
  isSilence: true,
})
