/** Caller of the merchant API with a session: what `GET /me` answers a person. Not in the reference, which is for programs. */
import { Type, type Static } from 'typebox'
import { KEY_ACCESSES } from '../access.ts'
import { MeAnswer } from '../merchant/me.ts'
import { closed, RoleField } from './fields.ts'

const { merchant, mode } = MeAnswer.properties

export const PersonMeAnswer = Type.Object(
  {
    merchant,
    mode,
    person: Type.Object({ name: Type.String(), role: RoleField, access: Type.Enum([...KEY_ACCESSES]) }, closed),
  },
  { ...closed, title: 'PersonMe' },
)
export type PersonMeAnswer = Static<typeof PersonMeAnswer>
