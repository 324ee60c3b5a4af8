/** Entered person: address and name as somebody has typed them, checked before they are stored. */
import { refuseField, type Refusal } from '#contract/errors.ts'
import { holdsCardNumber } from '#payment/card-number-detector.ts'
import { refuseEmail } from '#payment/entered-card.ts'
import { comparableAddress } from '#payment/erasure.ts'
import { isMailAddress } from '../../config/mail.ts'

/** An address in the form in which it is stored, or why it cannot be one. */
export const readEmail = (given: string): string | Refusal => {
  const email = comparableAddress(given)
  const refusal = refuseEmail('email', email)
  if (refusal !== undefined) return refusal
  return isMailAddress(email) ? email : refuseField('email', 'is not an e-mail address.')
}

/** Characters that end a line, or turn the direction of what follows: with them a name could pretend to be a line of the audit list. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Whether a text can be shown in one line beside others as what it is. */
export const isOneLine = (text: string): boolean => !UNSEEN.test(text)

/** A name as it is stored, or why it cannot be one. */
export const readName = (given: string | undefined): string | Refusal => {
  const name = given?.trim() ?? ''
  if (name === '') return refuseField('name', 'is missing. Send the name of the person.')
  if (!isOneLine(name)) return refuseField('name', 'must be one line, without control characters.')
  // Stored and shown to others: a card number in this field would be stored too.
  return holdsCardNumber(name) ? refuseField('name', 'holds a card number. Send the name alone.') : name
}

/** What a person calls a passkey. */
export const readPasskeyName = (given: string): string | Refusal => {
  const name = given.trim()
  if (name === '') return refuseField('name', 'is empty. Send what the passkey is called.')
  if (!isOneLine(name)) return refuseField('name', 'must be one line, without control characters.')
  return holdsCardNumber(name) ? refuseField('name', 'holds a card number. Send another name.') : name
}
