import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Readiness } from '#payment/ports.ts'
import { readConfig } from '../../config/config.ts'
import { systemClock } from '../../dependencies.ts'
import { onBothDatabases, openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { saveCheckedAccount, saveTestAccount, TEST_SECRET_KEY } from '../../../proof/harness/test-accounts.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { findAccount, saveCheck } from '../../store/merchant/acquirer-accounts.ts'
import { judgeAccounts, openAccountOutside, readAccounts } from './account-check.ts'

const TEA = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
const BOOKS = { merchantId: BOOKS_MERCHANT.id, mode: 'live' } as const

describe('doctor looks at every account: its acquirer, mode, address, last check, and whether it answers', () => {
  onBothDatabases(({ name, open }) => {
    test(`on ${name}: what is wrong is named first, and alone`, async () => {
      const database = await open()
      await saveMerchant(database, TEA_MERCHANT, 0)
      await saveMerchant(database, BOOKS_MERCHANT, 0)
      let readiness: Readiness | null = 'ready'
      const finding = async () => {
        const gatewayOf = () => (readiness === null ? null : { ready: async () => readiness ?? 'ready' })
        const { accounts, unreadable } = await readAccounts(database, { gatewayOf })
        return judgeAccounts(accounts, unreadable)
      }
      assert.deepEqual(await finding(), { state: 'ok', says: 'none: no shop takes real money' })
      await saveTestAccount(database, { ...TEA, mode: 'test' }, { apiBase: 'http://127.0.0.1:3001/stripe' })
      assert.deepEqual(await finding(), {
        state: 'ok',
        says: 'tea test, Stripe at 127.0.0.1:3001: not checked; answers',
      })
      await saveTestAccount(database, TEA)
      await saveCheckedAccount(database, BOOKS, { kind: 'adyen' })
      const unchecked = await finding()
      assert.deepEqual(
        [unchecked.state, unchecked.says],
        ['warn', 'tea live, Stripe: has not passed its check, so that live keys are refused; answers'],
      )
      assert.match('mend' in unchecked ? unchecked.mend : '', / acquirer check --merchant /)
      await saveCheckedAccount(database, TEA)
      const all = await finding()
      assert.equal(all.state, 'ok')
      assert.match(
        all.says,
        /^books live, Adyen: passed its check 1970-01-01 09:00.*; not asked\. tea live, Stripe: passed/,
      )
      const account = (await findAccount(database, BOOKS)) ?? assert.fail()
      await saveCheck(database, account, { problems: 'no answer' })
      assert.deepEqual(await finding(), {
        ...(await finding()),
        state: 'warn',
        says: 'books live, Adyen: its last check found something; not asked',
      })
      for (const [answer, words] of [
        ['forbidden', /tea live, Stripe: .*; does not take the key/],
        ['refused', /nobody answers at its address/],
        [null, /does not open with this secret key/],
      ] as const) {
        readiness = answer
        const { state, says } = await finding()
        assert.equal(state, 'fail')
        assert.match(says, words)
      }
      readiness = 'silent'
      assert.equal((await finding()).state, 'warn')
    })
  })
})

test('an account opens for doctor as it does for the server, and without its secret key it does not', async () => {
  const database = await openSqliteInMemory()
  await saveMerchant(database, TEA_MERCHANT, 0)
  await saveTestAccount(database, TEA)
  const row = (await findAccount(database, TEA)) ?? assert.fail()
  const opens = async (secretKey: string): Promise<boolean> => {
    const reading = readConfig({ SECRET_KEY: '0123456789abcdef'.repeat(4), SECRET_KEY_PREVIOUS: secretKey })
    if (!reading.ok) assert.fail(reading.problem)
    return (await openAccountOutside(reading.config, database, systemClock)).gatewayOf(row) !== null
  }
  assert.deepEqual([await opens(TEST_SECRET_KEY), await opens('b'.repeat(64))], [true, false])
})
