/** Shops: opened, closed and reopened by an operator, on the command line and in the console. */
import type { ReceiptFacts } from '#contract/checkout.ts'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notification-settings.ts'
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
import type { Person } from '../store/people/people.ts'
import { registerMailAddress } from './mail-addresses.ts'
import { changePeople, noteAtShop } from './people/change-people.ts'
import { readEmail } from './people/entered-person.ts'
import { inviteBeside, type MadeInvitation, type NewInvitation } from './people/people-of-shop.ts'

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

/** Writes in the transaction that changes a shop: where a person changes it, the audit line. */
export type BesideShopChange = (sql: Sql, merchantId: string, now: Instant) => Promise<void>

const nothingBeside: BesideShopChange = async () => undefined

type ShopDependencies = Pick<Dependencies, 'database' | 'clock'>

/** Null, and nothing is changed, where the label is taken. */
const insertShop = (
  sql: Sql,
  { clock, random }: Pick<Dependencies, 'clock' | 'random'>,
  label: string,
  facts: Partial<ReceiptFacts>,
): Promise<ListedMerchant | null> => {
  const [id, createdAt] = [random.id(), clock.now()]
  const settings = newSettings({ ...NO_FACTS, ...facts })
  return insertMerchant(sql, { id, label, settings }, createdAt).then((made) => made && { ...made, createdAt })
}

/** The shop's own address is registered for mails. */
const registerOwnAddress = async (deps: ShopDependencies, { id, settings }: ListedMerchant): Promise<void> => {
  const address = settings.receipt.shopEmail
  if (isMailAddress(address)) await registerMailAddress(deps, { merchantId: id, address })
}

type OpeningDependencies = ShopDependencies & Pick<Dependencies, 'random'>

/** Null, and nothing is changed, where the label is taken. */
export const openShop = async (
  deps: OpeningDependencies,
  label: string,
  facts: Partial<ReceiptFacts>,
): Promise<ListedMerchant | null> => {
  const opened = await insertShop(deps.database, deps, label, facts)
  if (opened !== null) await registerOwnAddress(deps, opened)
  return opened
}

interface OpenedByPerson {
  readonly shop: ListedMerchant
  readonly invitation: MadeInvitation
}

/** Opens a shop and invites its first owner, or does neither: a shop without an owner would be nobody's. */
export const openShopWithOwner = async (
  deps: OpeningDependencies,
  {
    label,
    facts,
    owner,
    by,
  }: {
    readonly label: string
    readonly facts: Partial<ReceiptFacts>
    readonly owner: Pick<NewInvitation, 'email' | 'locale' | 'sendsMail'>
    readonly by: Person
  },
): Promise<OpenedByPerson | Refusal> => {
  const email = readEmail(owner.email)
  if (typeof email !== 'string') return email
  const opened = await changePeople(deps, async (sql): Promise<OpenedByPerson | Refusal> => {
    const shop = await insertShop(sql, deps, label, facts)
    if (shop === null) return refuse('label_taken')
    const noted = { by, action: 'shop_opened', subject: label, at: shop.createdAt } as const
    await noteAtShop(sql, deps.random, shop.id, noted)
    const to = { merchantId: shop.id, role: 'owner' } as const
    const invitation = await inviteBeside(sql, deps, { ...owner, shop: to, by, invitedBy: by.id })
    if (isRefusal(invitation)) throw new Error('the first owner of a shop cannot be invited')
    return { shop, invitation }
  })
  if (!isRefusal(opened)) await registerOwnAddress(deps, opened.shop)
  return opened
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
