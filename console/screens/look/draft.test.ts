import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_NOTIFICATIONS } from '#contract/notification-settings.ts'
import type { SettingsAnswer } from '#contract/merchant/settings.ts'
import { SETTINGS } from '../../testing/settings.ts'
import {
  decided,
  draftedSettings,
  isChanged,
  newDraft,
  rebased,
  withEditsSince,
  withChange,
  withPicture,
  type NewPicture,
} from './draft.ts'

const READ = { settings: SETTINGS, etag: '"1"' }
const changedElsewhere = (more: Partial<SettingsAnswer>) => ({ settings: { ...SETTINGS, ...more }, etag: '"2"' })
const PICTURE: NewPicture = {
  file: new Blob(['x']),
  width: 2,
  height: 1,
  thumbnail: 'data:image/png;base64,AA',
  plate: 'dark',
}

test('a draft holds what differs from the settings, and nothing that was put back', () => {
  const draft = withChange(newDraft(READ), 'shopName', 'Tea & Co')
  assert.deepEqual([draft.changes, isChanged(draft)], [{ shopName: 'Tea & Co' }, true])
  assert.equal(isChanged(withChange(draft, 'shopName', 'Tea')), false)
  assert.equal(isChanged(withChange(newDraft(READ), 'notifications', { ...DEFAULT_NOTIFICATIONS })), false)
})

test('a new logo and a cover that is taken away are seen in the drafted settings, and a picture that is none is not removed', () => {
  const both = withPicture(withPicture(newDraft(READ), 'logo', PICTURE), 'cover', 'removed')
  const { logo, logoPlate, cover } = draftedSettings(both)
  assert.deepEqual([logo, logoPlate, cover], [{ url: PICTURE.thumbnail }, 'dark', null])
  assert.equal(isChanged(withPicture(newDraft(READ), 'logo', 'removed')), false)
  assert.equal(isChanged(withPicture(withPicture(both, 'logo', undefined), 'cover', undefined)), false)
})

test('what somebody else has changed is taken over, and what both have changed differently waits for a decision', () => {
  const mine = withChange(withChange(newDraft(READ), 'shopName', 'Mine'), 'colorCode', '#000000')
  const draft = rebased(mine, changedElsewhere({ shopName: 'Theirs', fontType: 'serif' }))
  assert.deepEqual(draft.disputed, ['shopName'])
  assert.deepEqual(draft.changes, { shopName: 'Mine', colorCode: '#000000' })
  assert.equal(draftedSettings(draft).fontType, 'serif')

  const kept = decided(draft, 'shopName', 'mine')
  assert.deepEqual([kept.disputed, kept.changes.shopName], [[], 'Mine'])
  const given = decided(draft, 'shopName', 'theirs')
  assert.deepEqual([given.disputed, draftedSettings(given).shopName], [[], 'Theirs'])
  assert.deepEqual(given.changes, { colorCode: '#000000' })
})

test('where both have made the same change there is nothing left to save', () => {
  const draft = rebased(withChange(newDraft(READ), 'fontType', 'serif'), changedElsewhere({ fontType: 'serif' }))
  assert.deepEqual([draft.changes, draft.disputed, isChanged(draft)], [{}, [], false])
})

test('what is changed while a draft is saved is kept over what was saved', () => {
  const sent = withPicture(
    withChange(withChange(newDraft(READ), 'shopName', 'Mine'), 'colorCode', '#000000'),
    'cover',
    'removed',
  )
  const now = withPicture(withChange(withChange(sent, 'shopName', 'Tea'), 'fontType', 'serif'), 'logo', PICTURE)
  const saved = newDraft(changedElsewhere({ shopName: 'Mine', colorCode: '#000000', cover: null }))
  const kept = withEditsSince(saved, sent, now)
  assert.deepEqual([kept.base.etag, kept.changes], ['"2"', { shopName: 'Tea', fontType: 'serif' }])
  assert.deepEqual(kept.pictures, { logo: PICTURE })
  assert.deepEqual(withEditsSince(saved, sent, sent), saved)
})

test('of a draft that was refused, what was changed meanwhile has its new value and what was undone is no longer disputed', () => {
  const sent = withChange(withChange(newDraft(READ), 'shopName', 'Mine'), 'colorCode', '#000000')
  const left = rebased(sent, changedElsewhere({ shopName: 'Theirs' }))
  const edited = withEditsSince(left, sent, withChange(sent, 'shopName', 'Mine 2'))
  assert.deepEqual([edited.disputed, edited.changes], [['shopName'], { shopName: 'Mine 2', colorCode: '#000000' }])
  const agreed = withEditsSince(left, sent, withChange(sent, 'shopName', 'Theirs'))
  assert.deepEqual([agreed.disputed, agreed.changes], [[], { colorCode: '#000000' }])
})
