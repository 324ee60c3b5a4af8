import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SettingsFields } from '#contract/merchant/settings.ts'
import { SETTINGS } from '../../testing/settings.ts'
import { newDraft, withPicture } from './draft.ts'
import { fieldProblems, refusalAfter } from './field-problems.ts'

const draftWith = (changes: Partial<SettingsFields>) => ({
  ...newDraft({ etag: '"1"', settings: SETTINGS }),
  changes,
})
const refusal = (field: string) => ({ part: 'fields', failure: { code: 'invalid_field', params: { field } } }) as const

test('what the contract refuses is a problem before anything is sent', () => {
  const wrong = draftWith({
    shopName: '',
    colorCode: '#12',
    registrationNumber: 'T1',
    acceptedCardBrands: [],
    shopAddress: 'Tokyo',
  })
  assert.deepEqual([...fieldProblems(wrong, null)].toSorted(), [
    'acceptedCardBrands',
    'colorCode',
    'registrationNumber',
    'shopName',
  ])
})

test('what the server has refused is a problem of the field that it names, or of which it names a part', () => {
  const draft = draftWith({ shopUrl: 'ftp://x', linkHosts: ['a', 'https://b'] })
  assert.deepEqual([...fieldProblems(draft, refusal('shopUrl'))], ['shopUrl'])
  assert.deepEqual([...fieldProblems(draft, refusal('linkHosts.1'))], ['linkHosts'])
  assert.deepEqual([...fieldProblems(draft, null)], [])
})

test('a field that the server has refused can be saved again as soon as it holds another value', () => {
  const sent = draftWith({ shopUrl: 'https://x', shopName: 'Tea & Co' })
  const refused = refusal('shopUrl')
  assert.equal(refusalAfter(refused, sent, draftWith({ ...sent.changes, shopName: 'Tea 2' })), refused)
  assert.equal(refusalAfter(refused, sent, draftWith({ ...sent.changes, shopUrl: 'https://y' })), null)
  assert.equal(refusalAfter(refused, sent, draftWith({ shopName: 'Tea & Co' })), null)
})

test('a refused picture is forgotten with another one, and a conflict once nothing is left to save', () => {
  const sent = withPicture(draftWith({ shopName: 'Tea & Co' }), 'cover', 'removed')
  const failure = { code: 'image_refused', params: {} } as const
  const ofCover = { part: 'cover', failure } as const
  assert.equal(refusalAfter(ofCover, sent, draftWith({ shopName: 'Tea 2' })), null)
  const ofLogo = { part: 'logo', failure } as const
  assert.equal(refusalAfter(ofLogo, sent, draftWith({ shopName: 'Tea 2' })), ofLogo)

  const conflict = { part: 'fields', failure: { code: 'settings_changed', params: {} } } as const
  assert.equal(refusalAfter(conflict, sent, draftWith({ shopName: 'Tea 2' })), conflict)
  assert.equal(refusalAfter(conflict, sent, draftWith({})), null)
})
