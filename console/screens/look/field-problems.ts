/** Problems of the drafted fields: what the contract refuses is said before it is sent. */
import { Check } from 'typebox/value'
import { ChangeSettingsBody } from '#contract/merchant/settings.ts'
import { namesOf, type Draft, type SettingName } from './draft.ts'
import type { Saved } from './save-draft.ts'

/** The field that the server has refused: `linkHosts.2` and `notifications.address` are parts of one. */
const refusedField = (refused: Saved['refused']): string | undefined => {
  if (refused?.failure.code !== 'invalid_field') return undefined
  const { field } = refused.failure.params
  return typeof field === 'string' ? field.split('.')[0] : undefined
}

/** The changed fields that the contract refuses, and the one that the server has refused. */
export const fieldProblems = ({ changes }: Draft, refused: Saved['refused']): ReadonlySet<SettingName> => {
  const named = refusedField(refused)
  return new Set(
    namesOf(changes).filter((name) => name === named || !Check(ChangeSettingsBody, { [name]: changes[name] })),
  )
}
