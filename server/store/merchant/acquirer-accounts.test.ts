import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { secretKeyId } from '../../config/secret-key-id.ts'
import { createSealing } from '../../config/sealed.ts'
import type { Database } from '../engine/database.ts'
import { text } from '../engine/columns.ts'
import {
  findAccount,
  listAccounts,
  openSealed,
  saveAccount,
  saveCheck,
  sealAccountsAnew,
  type NewAccount,
} from './acquirer-accounts.ts'

const [FIRST, SECOND] = ['1'.repeat(64), '2'.repeat(64)]
const sealing = createSealing([FIRST])

const LIVE: NewAccount = {
  merchantId: TEA_MERCHANT.id,
  mode: 'live',
  kind: 'stripe',
  apiBase: null,
  credentials: '{"secretKey":"sk_live_canary"}',
  threeDSMerchantId: 'tea-3ds',
  threeDSToken: 'token-canary',
  setAt: 1000,
}
const REF = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
const PLAIN = { credentials: LIVE.credentials, threeDSToken: LIVE.threeDSToken }

describe('an account at an acquirer', () => {
  onBothDatabases(({ name, open }) => {
    let database: Database
    beforeEach(async () => {
      database = await open()
      await saveMerchant(database, TEA_MERCHANT, 0)
      await saveMerchant(database, BOOKS_MERCHANT, 0)
    })
    const found = async (ref: Parameters<typeof findAccount>[1] = REF) =>
      (await findAccount(database, ref)) ?? assert.fail('there is no account')

    test(`on ${name} is one for each merchant and mode, and none of its credentials is stored in the clear`, async () => {
      await saveAccount(database, sealing, LIVE)
      await saveAccount(database, sealing, { ...LIVE, mode: 'test', kind: 'adyen', apiBase: 'http://127.0.0.1:9' })
      assert.equal(await findAccount(database, { ...REF, merchantId: BOOKS_MERCHANT.id }), null)
      const { credentials, threeDSToken, ...facts } = await found()
      assert.deepEqual(facts, {
        ...REF,
        label: 'tea',
        kind: 'stripe',
        apiBase: null,
        secretKeyId: secretKeyId(FIRST),
        threeDSMerchantId: 'tea-3ds',
        setAt: 1000,
        checkedAt: null,
        checkProblems: null,
      })
      assert.deepEqual(openSealed(sealing, await found()), PLAIN)
      assert.notEqual(credentials, threeDSToken)
      assert.doesNotMatch(JSON.stringify(await database.rows('SELECT * FROM acquirer_accounts')), /canary/)
      assert.deepEqual(
        (await listAccounts(database)).accounts.map(({ label, mode, kind }) => [label, mode, kind]),
        [
          ['tea', 'live', 'stripe'],
          ['tea', 'test', 'adyen'],
        ],
      )
    })

    test(`on ${name} whose row was copied to another merchant or mode, or was given another address or kind, does not open`, async () => {
      await saveAccount(database, sealing, LIVE)
      const copy = async (merchantId: string, mode: string): Promise<void> => {
        await database.rows(
          `INSERT INTO acquirer_accounts SELECT $1, $2, kind, api_base, credentials, secret_key_id, three_ds_merchant_id, three_ds_token, set_at, checked_at, check_problems
           FROM acquirer_accounts WHERE merchant_id = 'tea-id' AND mode = 'live'`,
          merchantId,
          mode,
        )
      }
      await copy(BOOKS_MERCHANT.id, 'live')
      await copy(TEA_MERCHANT.id, 'test')
      assert.equal(openSealed(sealing, await found({ merchantId: BOOKS_MERCHANT.id, mode: 'live' })), null)
      assert.equal(openSealed(sealing, await found({ ...REF, mode: 'test' })), null)
      const account = await found()
      assert.equal(openSealed(sealing, { ...account, kind: 'adyen' }), null)
      assert.equal(openSealed(sealing, { ...account, apiBase: 'https://collector.example.com' }), null)
      const swapped = { ...account, credentials: account.threeDSToken ?? '', threeDSToken: null }
      assert.equal(openSealed(sealing, swapped), null, 'a token is no key')
      const damaged = { ...account, threeDSToken: `${account.threeDSToken}AAAA` }
      assert.equal(openSealed(sealing, damaged), null, 'nor does half of it open')
    })

    test(`on ${name} that is set again is unchecked, and is later than before though the clock was set back`, async () => {
      await saveAccount(database, sealing, LIVE)
      assert.equal(await saveCheck(database, await found(), { checkedAt: 2000 }), true)
      assert.deepEqual([(await found()).checkedAt, (await found()).checkProblems], [2000, null])
      await saveAccount(database, sealing, { ...LIVE, kind: 'adyen', threeDSToken: null, setAt: 500 })
      const { checkedAt, setAt, kind, threeDSToken } = await found()
      assert.deepEqual([checkedAt, setAt, kind, threeDSToken], [null, 1001, 'adyen', null])
    })

    test(`on ${name} that fails a later check keeps its live keys, and a check of credentials that were replaced counts for nothing`, async () => {
      await saveAccount(database, sealing, LIVE)
      const before = await found()
      await saveCheck(database, before, { checkedAt: 2000 })
      assert.equal(await saveCheck(database, before, { problems: 'no answer' }), true)
      assert.deepEqual([(await found()).checkedAt, (await found()).checkProblems], [2000, 'no answer'])
      await saveCheck(database, before, { checkedAt: 3000 })
      assert.deepEqual([(await found()).checkedAt, (await found()).checkProblems], [3000, null])
      await saveAccount(database, sealing, { ...LIVE, setAt: 4000 })
      assert.equal(await saveCheck(database, before, { checkedAt: 5000 }), false)
      assert.equal((await found()).checkedAt, null)
    })

    test(`on ${name} is sealed with a new secret key by the next start, and what does not open stays as it is`, async () => {
      await saveAccount(database, sealing, LIVE)
      await saveAccount(database, createSealing(['0'.repeat(64)]), { ...LIVE, merchantId: BOOKS_MERCHANT.id })
      await saveCheck(database, await found(), { checkedAt: 2000 })
      await sealAccountsAnew(database, createSealing([SECOND, FIRST]))
      const sealedAnew = await found()
      assert.equal(sealedAnew.secretKeyId, secretKeyId(SECOND))
      assert.deepEqual([sealedAnew.setAt, sealedAnew.checkedAt], [1000, 2000], 'a rotation is no new account')
      assert.deepEqual(openSealed(createSealing([SECOND]), sealedAnew), PLAIN)
      assert.equal(openSealed(sealing, sealedAnew), null)
      const lost = await found({ merchantId: BOOKS_MERCHANT.id, mode: 'live' })
      assert.equal(lost.secretKeyId, secretKeyId('0'.repeat(64)))
      await sealAccountsAnew(database, createSealing([SECOND]))
      await sealAccountsAnew(database, createSealing([]))
      assert.deepEqual(await found(), sealedAnew, 'nothing is sealed twice')
      assert.equal((await listAccounts(database)).accounts.length, 2)
      assert.match(
        text((await database.rows('SELECT credentials FROM acquirer_accounts'))[0] ?? {}, 'credentials'),
        /^v1\./,
      )
    })
  })
})
