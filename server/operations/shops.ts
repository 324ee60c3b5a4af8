/** Shops: opened, closed and reopened by an operator, on the command line and in the console. */
import type { ReceiptFacts } from '#contract/checkout.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notifications.ts'
import type { Instant } from '#contract/jst.ts'
import { isMailAddress } from '../config/mail.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Sql } from '../store/engine/database.ts'
import {
  closeMerchant,
  insertMerchant,
  reopenMerchant,
  type ListedMerchant,
  type MerchantSettings,
} from '../store/merchant/merchants.ts'
import { registerMailAddress } from './mail-addresses.ts'

const NO_FACTS: ReceiptFacts = { shopName: '', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' }

/** Careful until somebody decides otherwise: a card outside 3-D Secure is not charged. */
const newSettings = (receipt: ReceiptFacts): MerchantSettings => ({
  setting: { colorCode: '#29abe9', fontType: 'sans-serif' },
  receipt,
  allowExemption: false,
  requireFullAuthentication: false,
  registrationNumber: null,
  locale: null,
  acceptedCardBrands: null,
  linkHosts: [],
  notifications: DEFAULT_NOTIFICATIONS,
})

/** Written in the transaction that changes a shop: the audit line, where a person changes it. */
export type BesideShopChange = (sql: Sql, merchantId: string, now: Instant) => Promise<void>

const nothingBeside: BesideShopChange = async () => undefined

type ShopDependencies = Pick<Dependencies, 'database' | 'clock'>

/** Null, and nothing is changed, where the label is taken. The shop's own address is registered for mails. */
export const openShop = async (
  deps: ShopDependencies & Pick<Dependencies, 'random'>,
  label: string,
  facts: Partial<ReceiptFacts>,
  beside: BesideShopChange = nothingBeside,
): Promise<ListedMerchant | null> => {
  const [id, createdAt] = [deps.random.id(), deps.clock.now()]
  const settings = newSettings({ ...NO_FACTS, ...facts })
  const created = await deps.database.transact(async (sql) => {
    const inserted = await insertMerchant(sql, { id, label, settings }, createdAt)
    if (inserted !== null) await beside(sql, id, createdAt)
    return inserted
  })
  if (created === null) return null
  const address = created.settings.receipt.shopEmail
  if (isMailAddress(address)) await registerMailAddress(deps, { merchantId: id, address })
  return { ...created, createdAt }
}

/** A shop that was closed before keeps that time. Returns it as it is then. */
export const closeShop = async (
  { database, clock }: ShopDependencies,
  merchant: ListedMerchant,
  beside: BesideShopChange = nothingBeside,
): Promise<ListedMerchant> => {
  const now = clock.now()
  await database.transact(async (sql) => {
    await closeMerchant(sql, merchant.id, now)
    await beside(sql, merchant.id, now)
  })
  return { ...merchant, closedAt: merchant.closedAt ?? now }
}

/** Its keys work again, unless they have expired or were revoked. */
export const reopenShop = async (
  { database, clock }: ShopDependencies,
  merchant: ListedMerchant,
  beside: BesideShopChange = nothingBeside,
): Promise<ListedMerchant> => {
  await database.transact(async (sql) => {
    await reopenMerchant(sql, merchant.id)
    await beside(sql, merchant.id, clock.now())
  })
  return { ...merchant, closedAt: null }
}
