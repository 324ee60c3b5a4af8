/** Screen links: creates the checkouts that the screens are opened with. `page` stays at the last address. */
import type { Page } from '@playwright/test'
import { payWithCard } from './card-form.ts'
import type { Kaikei } from './program.ts'
import { MERCHANT_TEXTS, type ScreenLinks } from './screen.ts'

/** Every rate there is: the longest invoice. */
const TAXES = [
  { rate: 10, amount: 1000 },
  { rate: 8, amount: 3900 },
  { rate: 0, amount: 80 },
]

export const createScreenLinks = async (kaikei: Kaikei, page: Page): Promise<ScreenLinks> => {
  const { subject, remarks } = MERCHANT_TEXTS
  const links = { cancelUrl: 'https://shop.example.com/cart' }
  const [open, withRemarks, paid, invoiced, expired] = await Promise.all([
    kaikei.createCheckout({ amount: 4980, subject, links }),
    kaikei.createCheckout({ amount: 4980, subject, remarks, links }),
    kaikei.createCheckout({ amount: 4980, subject }),
    kaikei.createCheckout({ amount: 4980, subject, taxes: TAXES }),
    kaikei.createCheckout({ amount: 4980, subject, validUntil: new Date(Date.now() + 3000).toISOString() }),
  ])
  const createLink = async () => (await kaikei.createCheckout({ amount: 4980, subject, links })).url
  const challenged = {
    ja: await createLink(),
    'en-US': await createLink(),
    ko: await createLink(),
    'zh-Hans': await createLink(),
    'zh-Hant': await createLink(),
    th: await createLink(),
  }
  for (const { url } of [paid, invoiced]) {
    await page.goto(url)
    await payWithCard(page)
    await page.waitForURL(`${url}/complete`)
  }
  while ((await kaikei.readCheckout(expired.id)).status === 'open') await page.waitForTimeout(100)
  return {
    origin: new URL(open.url).origin,
    open: open.url,
    challenged,
    remarks: withRemarks.url,
    paid: paid.url,
    invoiced: invoiced.url,
    expired: expired.url,
  }
}
