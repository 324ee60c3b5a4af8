/** Demo merchants: settings, API key and one open checkout. */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MerchantMode } from '#contract/access.ts'
import { isRefusal } from '#contract/errors.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notification-settings.ts'
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import { createCheckout } from '../operations/create-checkout.ts'
import type { Dependencies } from '../dependencies.ts'
import { insertKey } from '../store/merchant/keys.ts'
import { findMerchant, insertMerchant, type Merchant, type MerchantSettings } from '../store/merchant/merchants.ts'

export const DEMO_LABEL = 'demo'

export const SHOP_HOST = 'aoyama-tea.example'

const settings: MerchantSettings = {
  setting: {
    logoUrl: '/demo/logo.png',
    coverImageUrl: '/demo/cover.jpg',
    colorCode: '#2f6b4f',
    fontType: 'sans-serif',
  },
  receipt: {
    shopName: '青山茶舗 Aoyama Tea',
    shopAddress: '〒107-0062 東京都港区南青山0-0-0',
    shopPhoneNumber: '03-0000-0000',
    shopEmail: `shop@${SHOP_HOST}`,
    shopUrl: `https://${SHOP_HOST}`,
  },
  allowExemption: true,
  requireFullAuthentication: false,
  // No company's number begins with 0, and nobody's is all zeros.
  registrationNumber: 'T0000000000000',
  locale: null,
  acceptedCardBrands: null,
  linkHosts: [],
  notifications: DEFAULT_NOTIFICATIONS,
}

const KEPT_KEYS: Readonly<Record<MerchantMode, { readonly file: string; readonly pattern: RegExp }>> = {
  test: { file: 'demo-merchant-key', pattern: /^sk_test_[0-9a-f]{40}\n$/ },
  live: { file: 'demo-live-merchant-key', pattern: /^sk_live_[0-9a-f]{40}\n$/ },
}

/** The same key after a restart, so that scripts written against the demo go on working. */
const keptKey = async (dataDir: string, mode: MerchantMode): Promise<string> => {
  const { file, pattern } = KEPT_KEYS[mode]
  const path = join(dataDir, file)
  const kept = await readFile(path, 'utf8').catch(() => '')
  // A kill between creating the file and filling it leaves half a key, which opens nothing.
  if (pattern.test(kept)) return kept.trim()
  const key = `sk_${mode}_${randomBytes(20).toString('hex')}`
  await writeFile(path, `${key}\n`, { mode: 0o600 })
  return key
}

/** One that stands keeps the settings it has been given meanwhile. */
export const demoMerchant = async (
  { database, random, clock }: Dependencies,
  label: string,
  linkHosts: readonly string[],
): Promise<Merchant> => {
  const facts = { id: random.id(), label, settings: { ...settings, linkHosts: [...linkHosts] } }
  const merchant = (await insertMerchant(database, facts, clock.now())) ?? (await findMerchant(database, label))
  if (merchant === null) throw new Error('the demo merchant could not be stored')
  return merchant
}

export interface Demo {
  readonly checkoutId: string
  readonly merchantKey: string
}

interface DemoAccess {
  readonly mode: MerchantMode
  /** Null: the sandbox's. */
  readonly acquirer: AcquirerKind | null
  readonly dataDir: string
  readonly fixedKey: string | null
}

/** Gives a demo merchant its key, and one fresh open checkout to try the page with. */
export const openForPayment = async (
  deps: Dependencies,
  { id: merchantId, settings: ofShop }: Merchant,
  { mode, acquirer, dataDir, fixedKey }: DemoAccess,
): Promise<Demo> => {
  const merchantKey = fixedKey ?? (await keptKey(dataDir, mode))
  const facts = { merchantId, mode, access: 'full', name: 'demo', expiresAt: null } as const
  await insertKey(deps.database, { key: merchantKey, ...facts }, deps.clock.now())
  const created = await createCheckout(
    deps,
    { merchantId, mode, settings: ofShop, acquirer },
    {
      amount: 4980,
      subject: '煎茶「山霧」詰め合わせ / Sencha gift box',
      remarks: 'ご注文番号 A-1024\nギフト包装を承りました。',
      links: { cancelUrl: `https://${SHOP_HOST}/cart` },
    },
  )
  if (isRefusal(created)) throw new Error('the demo checkout breaks its own rules')
  return { checkoutId: created.checkout.id, merchantKey }
}

/** A merchant with a face, a key, and one fresh open checkout. */
export const openDemo = async (deps: Dependencies, dataDir: string, fixedKey: string | null): Promise<Demo> => {
  const merchant = await demoMerchant(deps, DEMO_LABEL, [])
  return openForPayment(deps, merchant, { mode: 'test', acquirer: null, dataDir, fixedKey })
}
