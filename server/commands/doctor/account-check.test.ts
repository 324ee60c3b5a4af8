import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { saveCheckedAccount, saveTestAccount } from '../../../proof/harness/test-accounts.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { findAccount, saveCheck } from '../../store/merchant/acquirer-accounts.ts'
import { judgeAccounts, readLiveAccounts } from './account-check.ts'

const TEA = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
const BOOKS = { merchantId: BOOKS_MERCHANT.id, mode: 'live' } as const

describe('doctor says which live accounts cannot charge', () => {
  onBothDatabases(({ name, open }) => {
    test(`on ${name}: those that have not passed their check, then those whose last check found something`, async () => {
      const database = await open()
      await saveMerchant(database, TEA_MERCHANT, 0)
      await saveMerchant(database, BOOKS_MERCHANT, 0)
      const finding = async () => judgeAccounts(await readLiveAccounts(database))
      assert.deepEqual(await finding(), { state: 'ok', says: 'no shop takes real money' })
      await saveTestAccount(database, { ...TEA, mode: 'test' })
      assert.equal((await finding()).state, 'ok', 'tests need no check')
      await saveTestAccount(database, TEA)
      await saveCheckedAccount(database, BOOKS)
      const unchecked = await finding()
      assert.equal(unchecked.state, 'warn')
      assert.match(unchecked.says, /not passed their check, so that live keys are refused: tea$/)
      assert.match('mend' in unchecked ? unchecked.mend : '', / acquirer check --mode live --merchant /)
      await saveCheckedAccount(database, TEA)
      assert.deepEqual(await finding(), { state: 'ok', says: '2 live, and all have passed their check' })
      const account = (await findAccount(database, BOOKS)) ?? assert.fail()
      await saveCheck(database, account, { problems: 'no answer' })
      const failing = await finding()
      assert.deepEqual([failing.state, failing.says], ['warn', 'live accounts whose last check found something: books'])
    })
  })
})
