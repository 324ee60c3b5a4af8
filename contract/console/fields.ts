/** Fields that many calls of the console share: a person, an address, an instant, an answer that says nothing. */
import { Type, type Static } from 'typebox'
import { InstantText } from '../checkout.ts'
import { TEXT_RULES } from '../text-rules.ts'
import { CONSOLE_LOCALES } from './locale.ts'
import { ROLES } from './roles.ts'

export const closed = { additionalProperties: false }

export const EMAIL_MAX_LENGTH = 254
export const PERSON_NAME_MAX_LENGTH = 100
export const PASSKEY_NAME_MAX_LENGTH = 60

export const Email = Type.String({
  minLength: 3,
  maxLength: EMAIL_MAX_LENGTH,
  pattern: TEXT_RULES.someWithoutNul.pattern,
})
export const PersonName = Type.String({
  minLength: 1,
  maxLength: PERSON_NAME_MAX_LENGTH,
  pattern: TEXT_RULES.someWithoutNul.pattern,
})
export const PasskeyName = Type.String({
  minLength: 1,
  maxLength: PASSKEY_NAME_MAX_LENGTH,
  pattern: TEXT_RULES.someWithoutNul.pattern,
})
/** A part of a path that the database is asked for. */
export const PathText = (maxLength: number) => Type.String({ maxLength, pattern: TEXT_RULES.withoutNul.pattern })
export const LocaleField = Type.Enum([...CONSOLE_LOCALES])
export const RoleField = Type.Enum([...ROLES])
export const Instant = InstantText

/** An answer to a change that has nothing to tell. */
export const Done = Type.Object({}, { ...closed, title: 'Done' })

export const PersonAnswer = Type.Object(
  { id: Type.String(), email: Type.String(), name: Type.String(), locale: LocaleField, isOperator: Type.Boolean() },
  { ...closed, title: 'Person' },
)
export type PersonAnswer = Static<typeof PersonAnswer>
