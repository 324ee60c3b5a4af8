/** Test accounts: a merchant's account at an acquirer, sealed with a key of the tests. */
import type { AccountRef } from '#payment/references.ts'
import { createSealing } from '../../server/config/sealed.ts'
import type { Sql } from '../../server/store/engine/database.ts'
import { findAccount, saveAccount, saveCheck, type NewAccount } from '../../server/store/merchant/acquirer-accounts.ts'

export const TEST_SECRET_KEY = 'a'.repeat(64)

const TEST_SEALING = createSealing([TEST_SECRET_KEY])

/** Set, and not checked. */
export const saveTestAccount = (sql: Sql, ref: AccountRef, more: Partial<NewAccount> = {}): Promise<void> =>
  saveAccount(sql, TEST_SEALING, {
    ...ref,
    kind: 'stripe',
    apiBase: null,
    credentials: JSON.stringify({ kind: 'stripe', secretKey: `sk_${ref.mode}_canary0000000000` }),
    threeDSMerchantId: null,
    threeDSToken: null,
    setAt: 0,
    ...more,
  })

/** Live keys of this merchant work from then on. */
export const saveCheckedAccount = async (sql: Sql, ref: AccountRef, more: Partial<NewAccount> = {}): Promise<void> => {
  await saveTestAccount(sql, ref, more)
  const account = await findAccount(sql, ref)
  if (account === null) throw new Error('a saved account came back empty')
  await saveCheck(sql, account, { checkedAt: account.setAt })
}
