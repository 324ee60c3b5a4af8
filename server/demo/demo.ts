/** Demo merchant: settings, API key and one open checkout. */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRefusal } from '#contract/errors.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notifications.ts'
import { createCheckout } from '../operations/create-checkout.ts'
import type { Dependencies } from '../dependencies.ts'
import { insertKey } from '../store/merchant/keys.ts'
import { findMerchant, insertMerchant, type Merchant, type MerchantSettings } from '../store/merchant/merchants.ts'

export const DEMO_LABEL = 'demo'

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
    shopEmail: 'shop@aoyama-tea.example',
    shopUrl: 'https://aoyama-tea.example',
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

const KEPT_KEY = /^sk_test_[0-9a-f]{40}\n$/

/** The same key after a restart, so that scripts written against the demo go on working. */
const keptKey = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, 'demo-merchant-key')
  const kept = await readFile(path, 'utf8').catch(() => '')
  // A kill between creating the file and filling it leaves half a key, which opens nothing.
  if (KEPT_KEY.test(kept)) return kept.trim()
  const key = `sk_test_${randomBytes(20).toString('hex')}`
  await writeFile(path, `${key}\n`, { mode: 0o600 })
  return key
}

/** One that stands keeps the settings it has been given meanwhile. */
const demoMerchant = async ({ database, random, clock }: Dependencies): Promise<Merchant> => {
  const created = await insertMerchant(database, { id: random.id(), label: DEMO_LABEL, settings }, clock.now())
  const merchant = created ?? (await findMerchant(database, DEMO_LABEL))
  if (merchant === null) throw new Error('the demo merchant could not be stored')
  return merchant
}

export interface Demo {
  readonly checkoutId: string
  readonly merchantKey: string
}

/** A merchant with a face, a key, and one fresh open checkout to try the page with. */
export const openDemo = async (deps: Dependencies, dataDir: string, fixedKey: string | null): Promise<Demo> => {
  const merchantKey = fixedKey ?? (await keptKey(dataDir))
  const merchant = await demoMerchant(deps)
  const facts = { merchantId: merchant.id, mode: 'test', access: 'full', name: 'demo', expiresAt: null } as const
  await insertKey(deps.database, { key: merchantKey, ...facts }, deps.clock.now())
  const created = await createCheckout(
    deps,
    { merchantId: merchant.id, mode: 'test', settings: merchant.settings, acquirer: null },
    {
      amount: 4980,
      subject: '煎茶「山霧」詰め合わせ / Sencha gift box',
      remarks: 'ご注文番号 A-1024\nギフト包装を承りました。',
      links: { cancelUrl: 'https://aoyama-tea.example/cart' },
    },
  )
  if (isRefusal(created)) throw new Error('the demo checkout breaks its own rules')
  return { checkoutId: created.checkout.id, merchantKey }
}
