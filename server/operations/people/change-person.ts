/** A person changes the own name or language. */
import type { ConsoleLocale } from '#contract/console/locale.ts'
import { refuse, type Refusal } from '#contract/errors.ts'
import { readName } from '#payment/entered-name.ts'
import { findPerson, savePerson, type Person } from '../../store/people/people.ts'
import { changePeople, noteAtShopsOf, type PeopleDependencies } from './change-people.ts'

export const changePerson = (
  deps: PeopleDependencies,
  person: Person,
  { name: given, locale = person.locale }: { readonly name?: string; readonly locale?: ConsoleLocale },
): Promise<Person | Refusal> => {
  const name = given === undefined ? person.name : readName(given)
  if (typeof name !== 'string') return Promise.resolve(name)
  return changePeople(deps, async (sql) => {
    // Read again: an invitation may have made the person an operator since.
    const before = await findPerson(sql, person.id)
    if (before === null) return refuse('signed_out')
    const changed = { ...before, name, locale }
    await savePerson(sql, changed)
    const noted = { by: changed, action: 'person_changed', subject: person.email, at: deps.clock.now() } as const
    // Others are shown the name; the language is nobody else's matter.
    if (name !== person.name)
      await noteAtShopsOf(sql, deps.random, person, { ...noted, details: `${person.name} → ${name}` })
    return changed
  })
}
