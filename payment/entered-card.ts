/** Entered card: the card fields of the start call, checked one by one before anybody outside is called. */
import { checkEmail, checkHolder, isExpiryAhead } from '#contract/card.ts'
import { refuse, refuseField, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import type { CardPayload } from '#contract/three-ds.ts'
import { holdsCardNumber } from './card-number-detector.ts'
import { CardNumber } from './card-number.ts'
import type { Card } from './ports.ts'

/** The address is stored, so a card number in this field would be stored too. */
export const refuseEmail = (field: string, text: string): Refusal | undefined => {
  if (checkEmail(text).is !== 'ok') return refuseField(field, 'is not an e-mail address.')
  return holdsCardNumber(text) ? refuseField(field, 'holds a card number. Send another address.') : undefined
}

/** The name is sent to others beside the card. */
const refuseHolder = (field: string, text: string): Refusal | undefined => {
  if (checkHolder(text).is !== 'ok') return refuseField(field, 'takes letters a-z, digits and spaces.')
  return holdsCardNumber(text) ? refuseField(field, 'holds a card number. Send the name alone.') : undefined
}

/** The page has checked all this already. A caller without the page learns which field is wrong, never its value. */
export const parseEnteredCard = (payload: CardPayload, now: Instant): Card | Refusal => {
  const { expiryMonth, expiryYear, name, email } = payload
  if (!isExpiryAhead({ month: expiryMonth, year: expiryYear }, now))
    return refuseField('card.expiryYear', 'is in the past.')
  const wrong = refuseHolder('card.name', name) ?? refuseEmail('card.email', email)
  if (wrong !== undefined) return wrong
  const number = CardNumber.parse(payload.number)
  if (number === undefined) return refuse('card_declined')
  return { number, expiryMonth, expiryYear, holderName: name, email }
}
