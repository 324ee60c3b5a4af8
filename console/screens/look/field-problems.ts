/** Problems of the drafted fields: what the contract refuses is said before it is sent. */
import { Check } from 'typebox/value'
import { ChangeSettingsBody } from '#contract/merchant/settings.ts'
import { isChanged, isSame, namesOf, type Draft, type SettingName } from './draft.ts'
import type { Saved } from './save-draft.ts'

/** The changed field that the server has refused: `linkHosts.2` and `notifications.address` are parts of one. */
const refusedField = ({ changes }: Draft, refused: Saved['refused']): SettingName | undefined => {
  if (refused?.failure.code !== 'invalid_field') return undefined
  const { field } = refused.failure.params
  return typeof field === 'string' ? namesOf(changes).find((name) => name === field.split('.')[0]) : undefined
}

/** What is left of a refusal after a change: none where what was refused is another value now, or nothing is left to save. */
export const refusalAfter = (refused: Saved['refused'], before: Draft, after: Draft): Saved['refused'] => {
  if (refused === null || !isChanged(after)) return null
  const { part } = refused
  if (part !== 'fields') return before.pictures[part] === after.pictures[part] ? refused : null
  const name = refusedField(before, refused)
  return name === undefined || isSame(before.changes[name], after.changes[name]) ? refused : null
}

/** The changed fields that the contract refuses, and the one that the server has refused. */
export const fieldProblems = (draft: Draft, refused: Saved['refused']): ReadonlySet<SettingName> => {
  const { changes } = draft
  const named = refusedField(draft, refused)
  return new Set(
    namesOf(changes).filter((name) => name === named || !Check(ChangeSettingsBody, { [name]: changes[name] })),
  )
}
