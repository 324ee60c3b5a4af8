import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SettingsFields } from '#contract/merchant/settings.ts'
import { SETTINGS } from '../../testing/settings.ts'
import { newDraft } from './draft.ts'
import { fieldProblems } from './field-problems.ts'

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
