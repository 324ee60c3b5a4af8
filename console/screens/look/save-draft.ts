/** Saving of a draft: the fields under their ETag first, then the pictures, and what is left of it where a call is refused. */
import { PICTURE_PLACES, type PicturePlace } from '#contract/merchant/pictures.ts'
import type { ChangeSettingsBody } from '#contract/merchant/settings.ts'
import type { CallFailure, CallResult } from '../../session/api.ts'
import type { ReadSettings } from '../../session/settings.ts'
import { newDraft, rebased, withPicture, type Draft, type PictureChange } from './draft.ts'

export interface SaveCalls {
  read(): Promise<CallResult<ReadSettings>>
  change(body: ChangeSettingsBody, etag: string): Promise<CallResult<unknown>>
  changePicture(place: PicturePlace, change: PictureChange): Promise<CallResult<unknown>>
}

export interface Saved {
  /** Without changes where all of it was saved. */
  readonly left: Draft
  /** Which part was refused. */
  readonly refused: { readonly part: 'fields' | PicturePlace; readonly failure: CallFailure } | null
}

const saveFields = async (draft: Draft, calls: SaveCalls): Promise<Saved> => {
  if (Object.keys(draft.changes).length === 0) return { left: draft, refused: null }
  const changed = await calls.change(draft.changes, draft.base.etag)
  if (changed.ok) return { left: { ...draft, changes: {} }, refused: null }
  const { failure } = changed
  const fresh = failure.code === 'settings_changed' ? await calls.read() : changed
  return { left: fresh.ok ? rebased(draft, fresh.value) : draft, refused: { part: 'fields', failure } }
}

export const saveDraft = async (draft: Draft, calls: SaveCalls): Promise<Saved> => {
  // An upload changes the ETag, so that the fields come first.
  const fields = await saveFields(draft, calls)
  if (fields.refused !== null) return fields
  let { left } = fields
  let refused: Saved['refused'] = null
  for (const place of PICTURE_PLACES) {
    const change = left.pictures[place]
    if (change === undefined) continue
    const sent = await calls.changePicture(place, change)
    if (sent.ok) left = withPicture(left, place, undefined)
    else refused ??= { part: place, failure: sent.failure }
  }
  const fresh = await calls.read()
  // Without it the next change is told that its ETag is an old one, and reads then.
  return { left: fresh.ok ? { ...newDraft(fresh.value), pictures: left.pictures } : left, refused }
}
