import type { ChallengeKind } from '../cards/scenarios.ts'
import type { ChallengeEnd } from '../three-ds/verdicts.ts'

/** What the bank has to say about what was typed. */
export type Remark =
  | { about: 'nothing' }
  | { about: 'empty' }
  | { about: 'wrong'; triesLeft: number }
  | { about: 'not_accepted' }
  | { about: 'still_checking' }

export type Judged =
  | { next: 'end'; end: ChallengeEnd }
  | { next: 'ask_again'; remark: Remark; triesLeft: number }
  /** The page leaves as if all were well, but nobody has noted the answer. */
  | { next: 'leave_unnoted' }

export const tries = 3
const rightCode = '123456'

const taken = (challenge: 'code' | 'announced_twice' | 'unknown_event'): Judged =>
  challenge === 'unknown_event' ? { next: 'leave_unnoted' } : { next: 'end', end: 'right_code' }

const wrong = (triesLeft: number): Judged =>
  triesLeft > 1
    ? { next: 'ask_again', remark: { about: 'wrong', triesLeft: triesLeft - 1 }, triesLeft: triesLeft - 1 }
    : { next: 'end', end: 'wrong_codes' }

/** What becomes of a challenge when its card holder presses a button. */
export const judgeAnswer = (challenge: ChallengeKind, triesLeft: number, action: string, typed: string): Judged => {
  if (action === 'cancel') return { next: 'end', end: 'cancelled' }
  // A Japanese input method writes digits at full width.
  const code = typed.normalize('NFKC').replaceAll(/[\s-]/g, '')
  if (code === '') return { next: 'ask_again', remark: { about: 'empty' }, triesLeft }
  switch (challenge) {
    case 'code':
    case 'announced_twice':
    case 'unknown_event':
      return code === rightCode ? taken(challenge) : wrong(triesLeft)
    case 'every_code_wrong':
      return wrong(triesLeft)
    case 'never_finishes':
      return { next: 'ask_again', remark: { about: 'still_checking' }, triesLeft }
    case 'cancel_only':
    case 'out_of_band':
    case 'not_frameable':
      return { next: 'ask_again', remark: { about: 'not_accepted' }, triesLeft }
  }
}
