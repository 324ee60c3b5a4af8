import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallResult } from '../../session/api.ts'
import { SETTINGS } from '../../testing/settings.ts'
import { isChanged, newDraft, withChange, withPicture, type Draft, type NewPicture } from './draft.ts'
import { saveDraft, type SaveCalls } from './save-draft.ts'

const LOGO: NewPicture = { file: new Blob(['x']), width: 1, height: 1, thumbnail: 'data:,', plate: 'light' }
const FRESH = { settings: { ...SETTINGS, shopName: 'Theirs' }, etag: '"2"' }
const done: CallResult<unknown> = { ok: true, value: null, headers: new Headers() }
const refusedWith = (code: 'settings_changed' | 'image_refused' | 'network_error'): CallResult<never> => ({
  ok: false,
  failure: { code, params: {} },
})

const draft = withPicture(
  withPicture(withChange(newDraft({ settings: SETTINGS, etag: '"1"' }), 'shopName', 'Mine'), 'logo', LOGO),
  'cover',
  'removed',
)

const save = async (given: Draft, answers: Readonly<Record<string, CallResult<unknown>>> = {}) => {
  const sent: string[] = []
  const answer = (call: string): CallResult<unknown> => {
    sent.push(call)
    return answers[call] ?? done
  }
  const calls: SaveCalls = {
    read: async () => {
      const read = answer('read')
      return read.ok ? { ...read, value: FRESH } : read
    },
    change: async (body, etag) => answer(`change ${Object.keys(body).join()} of ${etag}`),
    changePicture: async (place, change) => answer(`${place} ${change === 'removed' ? 'removed' : 'sent'}`),
  }
  return { ...(await saveDraft(given, calls)), sent }
}

test('fields are saved under their ETag before the pictures change it, and nothing is left', async () => {
  const { sent, left, refused } = await save(draft)
  assert.deepEqual(sent, ['change shopName of "1"', 'logo sent', 'cover removed', 'read'])
  assert.deepEqual([isChanged(left), left.base, refused], [false, FRESH, null])
})

test('a picture alone is sent without a change of the fields', async () => {
  assert.deepEqual((await save(withChange(draft, 'shopName', 'Tea'))).sent, ['logo sent', 'cover removed', 'read'])
})

test('settings that somebody else has changed are read, and no picture is sent before the person has decided', async () => {
  const { sent, left, refused } = await save(draft, { 'change shopName of "1"': refusedWith('settings_changed') })
  assert.deepEqual(sent, ['change shopName of "1"', 'read'])
  assert.deepEqual([left.disputed, left.base.etag, refused?.part], [['shopName'], '"2"', 'fields'])
  assert.deepEqual(left.pictures, draft.pictures)
})

test('a picture that is refused stays unsaved, and the rest is saved', async () => {
  const { left, refused } = await save(draft, { 'logo sent': refusedWith('image_refused') })
  assert.deepEqual([left.changes, left.pictures], [{}, { logo: LOGO }])
  assert.deepEqual(refused, { part: 'logo', failure: { code: 'image_refused', params: {} } })
})

test('without a connection nothing of the draft is lost', async () => {
  const failed = refusedWith('network_error')
  const { left, refused } = await save(draft, { 'change shopName of "1"': failed })
  assert.deepEqual([left, refused?.failure.code], [draft, 'network_error'])
  const unread = await save(draft, { read: failed })
  assert.deepEqual([isChanged(unread.left), unread.left.base.etag], [false, '"1"'])
})
