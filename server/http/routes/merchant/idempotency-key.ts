/** Idempotency-Key: the header of a creation that its caller may repeat, and the hashes that it is known by. */
import { createHash } from 'node:crypto'
import { refuseField, type Refusal } from '#contract/errors.ts'
import { holdsCardNumber } from '#payment/card-number-detector.ts'
import type { CallingKey, CallingPerson } from '../../../operations/caller.ts'
import type { IdempotentRequest } from '../../../store/checkout/idempotency-keys.ts'

const KEY_MAX_LENGTH = 255

const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/
/** As in the IETF draft: a string of structured fields. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/

/** Bare and in quotes it is the same key. */
const keyIn = (header: string): string | undefined => {
  const quoted = QUOTED.exec(header)?.[1]?.replaceAll(/\\(["\\])/g, '$1')
  const key = quoted ?? (BARE.test(header) ? header : '')
  return key.length >= 1 && key.length <= KEY_MAX_LENGTH ? key : undefined
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The same for two bodies that say the same: a client may write fields in another order when it tries again. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => [name, canonical(each)])
}

/** Who has sent the header. */
type KeyOwner =
  | Pick<CallingKey, 'kind'>
  | { readonly kind: CallingPerson['kind']; readonly person: Pick<CallingPerson['person'], 'id'> }

/**
 * Undefined where the caller has sent no key. A person's key is that person's alone: what it finds again was made by the same
 * person, so that the audit line of a creation that is sent again has the right name.
 */
export const readIdempotencyKey = (
  header: string | readonly string[] | undefined,
  body: object,
  by: KeyOwner,
): IdempotentRequest | Refusal | undefined => {
  if (header === undefined) return undefined
  const key = typeof header === 'string' ? keyIn(header) : undefined
  if (key === undefined)
    return refuseField(
      'Idempotency-Key',
      `must be 1 to ${KEY_MAX_LENGTH} printable characters without spaces, or such a text in double quotes.`,
    )
  // A hash does not hide a card number: there are few enough to try them all.
  if (/^[\d -]+$/.test(key) && holdsCardNumber(key))
    return refuseField('Idempotency-Key', 'is a card number. Send a name of your own, such as the number of the order.')
  const ofWhom = by.kind === 'person' ? `${by.person.id}\0` : ''
  return { keyHash: sha256(ofWhom + key), bodyHash: sha256(JSON.stringify(canonical(body))) }
}
