/** Caller: who makes a call of the merchant API, a program by its API key or a person by a session, and what the call may do. */
import type { KeyAccess } from '#contract/access.ts'
import type { Role } from '#contract/console/roles.ts'
import type { ApiKey } from '../store/merchant/keys.ts'
import type { CalledShop } from '../store/merchant/callers.ts'
import type { Person } from '../store/people/people.ts'
import type { PersonSession } from '../store/people/sessions.ts'

/** A person of a shop. */
export interface CallingPerson {
  readonly kind: 'person'
  readonly person: Person
  readonly session: PersonSession
  readonly role: Role
}

export interface CallingKey {
  readonly kind: 'key'
  readonly key: ApiKey
}

export interface Caller extends CalledShop {
  readonly access: KeyAccess
  readonly by: CallingKey | CallingPerson
}
