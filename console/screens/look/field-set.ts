/** Field set: the drafted settings as the fields of the screen show and change them. */
import type { SettingsAnswer, SettingsFields } from '#contract/merchant/settings.ts'
import type { SettingName } from './draft.ts'

export interface FieldSet {
  /** With what was changed. */
  readonly values: SettingsAnswer
  set<K extends SettingName>(name: K, value: SettingsFields[K]): void
  /** What to enter instead; undefined: nothing is wrong with it. */
  problemOf(name: SettingName): string | undefined
  readonly isReadOnly: boolean
}
