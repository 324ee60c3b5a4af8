/** Challenge submission: what follows when the card holder presses a button of the bank's page. */
import type { ChallengeKind } from '../cards/scenarios.ts'
import type { ChallengeOutcome } from '../three-ds/verdicts.ts'

/** What the bank's page shows about the last submission. */
export type ChallengeMessage =
  | { readonly about: 'nothing' }
  | { readonly about: 'empty' }
  | { readonly about: 'wrong'; readonly attemptsLeft: number }
  | { readonly about: 'not_accepted' }
  | { readonly about: 'still_checking' }

export type SubmissionResult =
  | { readonly next: 'end'; readonly outcome: ChallengeOutcome }
  | { readonly next: 'ask_again'; readonly message: ChallengeMessage; readonly attemptsLeft: number }
  /** The browser returns as after a right code, but no result is recorded. */
  | { readonly next: 'return_without_result' }

export const CODE_ATTEMPTS_MAX = 3
const RIGHT_CODE = '123456'

const rejectCode = (attemptsLeft: number): SubmissionResult => {
  const left = attemptsLeft - 1
  return left > 0
    ? { next: 'ask_again', message: { about: 'wrong', attemptsLeft: left }, attemptsLeft: left }
    : { next: 'end', outcome: 'wrong_codes' }
}

export const judgeSubmission = (
  challenge: ChallengeKind,
  attemptsLeft: number,
  action: string,
  typed: string,
): SubmissionResult => {
  if (action === 'cancel') return { next: 'end', outcome: 'cancelled' }
  // A Japanese input method writes digits at full width.
  const code = typed.normalize('NFKC').replaceAll(/[\s-]/g, '')
  if (code === '') return { next: 'ask_again', message: { about: 'empty' }, attemptsLeft }
  switch (challenge) {
    case 'code':
    case 'event_sent_twice':
      return code === RIGHT_CODE ? { next: 'end', outcome: 'right_code' } : rejectCode(attemptsLeft)
    case 'unknown_event':
      return code === RIGHT_CODE ? { next: 'return_without_result' } : rejectCode(attemptsLeft)
    case 'every_code_wrong':
      return rejectCode(attemptsLeft)
    case 'never_finishes':
      return { next: 'ask_again', message: { about: 'still_checking' }, attemptsLeft }
    case 'cancel_only':
    case 'out_of_band':
    case 'not_frameable':
      return { next: 'ask_again', message: { about: 'not_accepted' }, attemptsLeft }
  }
}
