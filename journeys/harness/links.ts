import type { Page } from '@playwright/test'
import { pay } from './card-form.ts'
import type { Kaikei } from './program.ts'
import { MERCHANT_TEXTS, type Links } from './screen.ts'

/** Makes the checkouts that the screens are looked at with. `page` is left where it was last. */
export const prepareLinks = async (kaikei: Kaikei, page: Page): Promise<Links> => {
  const { subject, remarks } = MERCHANT_TEXTS
  const links = { cancelUrl: 'https://shop.example.com/cart' }
  const [open, withRemarks, paid, expired] = await Promise.all([
    kaikei.create({ amount: 4980, subject, links }),
    kaikei.create({ amount: 4980, subject, remarks, links }),
    kaikei.create({ amount: 4980, subject }),
    kaikei.create({ amount: 4980, subject, validUntil: new Date(Date.now() + 3000).toISOString() }),
  ])
  const toChallenge = async () => (await kaikei.create({ amount: 4980, subject, links })).url
  const challenged = {
    ja: await toChallenge(),
    'en-US': await toChallenge(),
    ko: await toChallenge(),
    'zh-Hans': await toChallenge(),
    'zh-Hant': await toChallenge(),
    th: await toChallenge(),
  }
  await page.goto(paid.url)
  await pay(page)
  await page.waitForURL('**/complete')
  while ((await kaikei.read(expired.id)).status === 'open') await page.waitForTimeout(100)
  return {
    origin: new URL(open.url).origin,
    open: open.url,
    challenged,
    remarks: withRemarks.url,
    paid: paid.url,
    expired: expired.url,
  }
}
