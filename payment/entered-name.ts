/** Entered name: what somebody calls themselves, a passkey or an API key. It is shown to others, in one line of a list. */
import { refuseField, type Refusal } from '#contract/errors.ts'
import { drawsNothing } from '#contract/shown-text.ts'
import { holdsCardNumber } from './card-number-detector.ts'

/**
 * Characters that end a line, turn the direction of what follows or are not drawn: with them a name could pretend to be a line
 * of the audit list, or somebody else's name. A variation selector is drawn with the kanji or the emoji before it: 辻󠄀.
 */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|(?<![\p{Script=Han}\p{Extended_Pictographic}])\p{Variation_Selector}/u

/** Why a text can be no name: continues the sentence that begins with what was entered. */
export const nameProblem = (text: string): string | undefined => {
  if (drawsNothing(text)) return 'is empty.'
  if (UNSEEN.test(text.trim())) return 'must be one line, without control characters and others that are not seen.'
  return holdsCardNumber(text) ? 'holds a card number. Leave it out.' : undefined
}

/** A name as it is stored, or why it cannot be one. */
export const readName = (text: string): string | Refusal => {
  const problem = nameProblem(text)
  return problem === undefined ? text.trim() : refuseField('name', problem)
}
