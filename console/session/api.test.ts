import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorBody } from '#contract/errors.ts'
import { drawQrCode } from '#contract/merchant/checkouts.ts'
import { readMe } from '#contract/merchant/me.ts'
import { refundCheckout } from '#contract/merchant/refunds.ts'
import { changePerson, readSession } from '#contract/console/person.ts'
import { fakeServer, type FakeAnswer } from '../testing/fake-server.ts'
import { createApi, type Api } from './api.ts'

const PERSON = { id: 'p', email: 'a@example.com', name: 'A', locale: 'ja', isOperator: false }
const SHOP = { label: 'tea', mode: 'live' } as const
const NEEDS_PASSKEY: FakeAnswer = { status: 403, body: errorBody({ refused: 'passkey_needed' }) }

const open = (answers: readonly FakeAnswer[], isConfirmed = true) => {
  const { fetcher, sent } = fakeServer(answers)
  const seen = { confirmations: 0, signOuts: 0 }
  const api: Api = createApi({
    fetcher,
    confirm: async () => {
      seen.confirmations += 1
      return isConfirmed
    },
    onSignedOut: () => {
      seen.signOuts += 1
    },
  })
  return { api, sent, seen }
}

test('a call about a shop names the shop and the mode, one about the person names neither', async () => {
  const { api, sent } = open([{ body: PERSON }, { body: 'x' }])
  await api.send(changePerson, { body: { name: 'A' } })
  await api.send(drawQrCode, { params: { checkoutId: 'a/b' } }, SHOP)
  assert.deepEqual(sent, [
    {
      method: 'PATCH',
      address: '/console/v1/person',
      headers: { 'content-type': 'application/json' },
      body: { name: 'A' },
    },
    {
      method: 'GET',
      address: '/merchant/v1/checkouts/a%2Fb/qr.svg',
      headers: { merchant: 'tea', mode: 'live' },
      body: undefined,
    },
  ])
})

test('an answer that the contract does not know is no answer', async () => {
  const { api } = open([{ body: PERSON }, { body: { ...PERSON, locale: 'fr' } }, { body: '<html>' }, { body: null }])
  assert.equal((await api.send(changePerson, { body: {} })).ok, true)
  const codes = []
  for (let call = 0; call < 3; call += 1) {
    const result = await api.send(changePerson, { body: {} })
    codes.push(result.ok ? 'ok' : result.failure.code)
  }
  assert.deepEqual(codes, ['unreadable_answer', 'unreadable_answer', 'network_error'])
})

test('a refusal is told by its code, that of a proxy as a failed connection', async () => {
  const { api } = open([
    { status: 409, body: errorBody({ refused: 'last_owner' }) },
    { status: 502, body: 'Bad gateway' },
    { status: 404, body: { code: 'not_ours', message: '' } },
  ])
  const codes = []
  for (let call = 0; call < 3; call += 1) {
    const result = await api.send(readMe, {}, SHOP)
    codes.push(result.ok ? 'ok' : result.failure.code)
  }
  assert.deepEqual(codes, ['last_owner', 'network_error', 'network_error'])
})

test('a refund that needs the passkey is sent again, unchanged and once, after it was confirmed', async () => {
  const { api, sent, seen } = open([NEEDS_PASSKEY, NEEDS_PASSKEY])
  const body = { refundId: 'r1', amount: 100 }
  const result = await api.send(refundCheckout, { params: { checkoutId: 'c' }, body }, SHOP)
  assert.equal(result.ok ? 'ok' : result.failure.code, 'passkey_needed')
  assert.equal(sent.length, 2)
  assert.deepEqual(sent[0], sent[1])
  assert.equal(seen.confirmations, 1)
})

test('a refund that a person does not confirm is not sent again', async () => {
  const { api, sent } = open([NEEDS_PASSKEY], false)
  const result = await api.send(refundCheckout, { params: { checkoutId: 'c' }, body: { refundId: 'r1' } }, SHOP)
  assert.equal(result.ok, false)
  assert.equal(sent.length, 1)
})

test('whichever call learns that the session is over tells the whole console', async () => {
  const { api, seen } = open([{ status: 401, body: errorBody({ refused: 'signed_out' }) }])
  await api.send(readSession, {})
  assert.equal(seen.signOuts, 1)
})

test('a session that ends while the passkey is asked for is told as the end of the session', async () => {
  const { api, seen } = open([NEEDS_PASSKEY, { status: 401, body: errorBody({ refused: 'signed_out' }) }])
  await api.send(changePerson, { body: {} })
  assert.deepEqual(seen, { confirmations: 1, signOuts: 1 })
})
