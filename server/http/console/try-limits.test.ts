import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '#contract/errors.ts'
import { createTryLimits } from './try-limits.ts'

const FAILED = { what: 'assertions', caller: '192.0.2.1 phone' } as const

test('what a network has asked for, and a passkey that was tried in vain, take nothing from another kind of try or another passkey', async () => {
  const { count, countFailed } = createTryLimits(() => 0)
  const fail = (caller: string) => countFailed({ ...FAILED, caller }, async () => refuse('passkey_refused'))
  for (let links = 0; links < 20; links += 1) assert.equal(count('links', '192.0.2.1'), null)
  assert.deepEqual(count('links', '192.0.2.1'), { refused: 'too_many_tries', params: { retryAfterSeconds: 100 } })
  for (let tries = 0; tries < 60; tries += 1) assert.deepEqual(await fail(FAILED.caller), refuse('passkey_refused'))
  assert.deepEqual(await fail(FAILED.caller), { refused: 'too_many_tries', params: { retryAfterSeconds: 10 } })
  assert.deepEqual(await fail('192.0.2.1 key'), refuse('passkey_refused'))
  assert.deepEqual(await fail('192.0.2.2 phone'), refuse('passkey_refused'))
  assert.equal(count('changes', '192.0.2.1'), null)
  const use = () =>
    countFailed({ what: 'uses', caller: FAILED.caller, free: 'link_not_usable' }, async () => refuse('signed_out'))
  for (let uses = 0; uses < 60; uses += 1) assert.deepEqual(await use(), refuse('signed_out'))
  assert.deepEqual(await use(), { refused: 'too_many_tries', params: { retryAfterSeconds: 10 } })
  for (const what of ['signIns', 'changes'] as const) {
    for (let tries = 0; tries < 100; tries += 1) assert.equal(count(what, 'phone'), null)
    assert.deepEqual(count(what, 'phone'), { refused: 'too_many_tries', params: { retryAfterSeconds: 1 } })
  }
})

test('a thousand sign-ins that succeed are not counted, nor what is refused at the cost of a reading or fails by a fault', async () => {
  const { countFailed } = createTryLimits(() => 0)
  for (let signedIn = 0; signedIn < 1000; signedIn += 1)
    assert.deepEqual(await countFailed(FAILED, async () => ({})), {})
  for (let refused = 0; refused < 100; refused += 1)
    assert.deepEqual(
      await countFailed({ ...FAILED, free: 'link_not_usable' }, async () => refuse('link_not_usable')),
      refuse('link_not_usable'),
    )
  const fault = () => countFailed(FAILED, async () => assert.fail('the database is away'))
  for (let faults = 0; faults < 100; faults += 1) await assert.rejects(fault, /away/)
})

test('of a hundred tries in vain at the same time sixty are let in', async () => {
  const { countFailed } = createTryLimits(() => 0)
  const tried = await Promise.all(
    Array.from({ length: 100 }, () =>
      countFailed(FAILED, async () => {
        await Promise.resolve()
        return refuse('passkey_refused')
      }),
    ),
  )
  assert.equal(tried.filter(({ refused }) => refused === 'passkey_refused').length, 60)
})
