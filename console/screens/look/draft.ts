/** Draft of the settings: what a person has changed and not saved yet, over the settings as they were read. */
import type { LogoPlate } from '#contract/logo-plate.ts'
import { PICTURE_PLACES, type PicturePlace } from '#contract/merchant/pictures.ts'
import type { SettingsAnswer, SettingsFields } from '#contract/merchant/settings.ts'
import type { ReadSettings } from '../../session/settings.ts'

export type SettingName = keyof SettingsFields

/** A picture that was chosen and is not sent yet. */
export interface NewPicture {
  readonly file: Blob
  readonly width: number
  readonly height: number
  /** A small copy as an address that holds the picture (data:): the preview shows it. */
  readonly thumbnail: string
  /** The ground that it is shown on as a logo. */
  readonly plate: LogoPlate
}

export type PictureChange = NewPicture | 'removed'
export type PictureChanges = Readonly<Partial<Record<PicturePlace, PictureChange>>>

export interface Draft {
  readonly base: ReadSettings
  /** Only what differs from the base. */
  readonly changes: Readonly<Partial<SettingsFields>>
  readonly pictures: PictureChanges
  /** Changed here and, since the base was read, by somebody else too: each waits for a decision. */
  readonly disputed: readonly SettingName[]
}

export const newDraft = (base: ReadSettings): Draft => ({ base, changes: {}, pictures: {}, disputed: [] })

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const without = <T extends object, K extends keyof T>(fields: T, name: K): Omit<T, K> => {
  const { [name]: _left, ...others } = fields
  return others
}

export const namesOf = (changes: Draft['changes']): SettingName[] =>
  // Keys of a type that has no others.
  Object.keys(changes).filter((name): name is SettingName => name in changes)

export const withChange = <K extends SettingName>(draft: Draft, name: K, value: SettingsFields[K]): Draft => ({
  ...draft,
  changes: isSame(value, draft.base.settings[name])
    ? without(draft.changes, name)
    : { ...draft.changes, [name]: value },
})

/** Undefined: the picture stays as it was read. */
export const withPicture = (draft: Draft, place: PicturePlace, change: PictureChange | undefined): Draft => {
  const others = without(draft.pictures, place)
  const isNothing = change === undefined || (change === 'removed' && draft.base.settings[place] === null)
  return { ...draft, pictures: isNothing ? others : { ...others, [place]: change } }
}

export const isChanged = ({ changes, pictures }: Draft): boolean =>
  Object.keys(changes).length + Object.keys(pictures).length > 0

/**
 * The same changes over settings that somebody else has changed meanwhile. What only they have changed is taken over; what both
 * have changed differently is disputed.
 */
export const rebased = (draft: Draft, fresh: ReadSettings): Draft => {
  const { changes, base } = draft
  const differing = namesOf(changes).filter((name) => !isSame(changes[name], fresh.settings[name]))
  const disputed = differing.filter((name) => !isSame(base.settings[name], fresh.settings[name]))
  const kept = namesOf(changes).reduce<Draft['changes']>(
    (all, name) => (differing.includes(name) ? all : without(all, name)),
    changes,
  )
  return { ...draft, base: fresh, changes: kept, disputed }
}

/** Takes a value over from elsewhere. */
const withValueOf = <K extends SettingName>(draft: Draft, name: K, values: Pick<SettingsFields, K>): Draft =>
  withChange(draft, name, values[name])

/** What is left of a draft that was sent, with what the person has changed since then. */
export const withEditsSince = (left: Draft, sent: Draft, now: Draft): Draft => {
  const [before, values] = [draftedSettings(sent), draftedSettings(now)]
  const names = new Set([...namesOf(sent.changes), ...namesOf(now.changes)])
  const fields = [...names]
    .filter((name) => !isSame(before[name], values[name]))
    .reduce<Draft>((draft, name) => withValueOf(draft, name, values), left)
  return PICTURE_PLACES.filter((place) => sent.pictures[place] !== now.pictures[place]).reduce<Draft>(
    (draft, place) => withPicture(draft, place, now.pictures[place]),
    { ...fields, disputed: fields.disputed.filter((name) => name in fields.changes) },
  )
}

/** Ends a dispute: with the own value, which is then saved over theirs, or with theirs. */
export const decided = (draft: Draft, name: SettingName, whose: 'mine' | 'theirs'): Draft => ({
  ...draft,
  disputed: draft.disputed.filter((each) => each !== name),
  changes: whose === 'mine' ? draft.changes : without(draft.changes, name),
})

/** The settings as they would be when all was saved. */
export const draftedSettings = ({ base: { settings }, changes, pictures }: Draft): SettingsAnswer => {
  const urlOf = (place: PicturePlace): SettingsAnswer['logo'] => {
    const change = pictures[place]
    if (change === undefined) return settings[place]
    return change === 'removed' ? null : { url: change.thumbnail }
  }
  const { logo: newLogo } = pictures
  const logoPlate = newLogo === undefined ? settings.logoPlate : newLogo === 'removed' ? null : newLogo.plate
  return { ...settings, ...changes, logo: urlOf('logo'), cover: urlOf('cover'), logoPlate }
}
