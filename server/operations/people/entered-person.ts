/** Entered address: as somebody has typed it, checked before it is stored. */
import { refuseField, type Refusal } from '#contract/errors.ts'
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
