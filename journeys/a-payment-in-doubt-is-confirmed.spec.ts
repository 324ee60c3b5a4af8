import type { Page } from '@playwright/test'
import { answerTo, CARDS, expect, fillCard, payButton, test } from './kaikei.ts'

const PANEL = 'We are confirming your payment'

const panel = (page: Page) => page.getByRole('heading', { name: PANEL })

/** Remembers whether a text ever stood on the page, however briefly. */
const watchFor = async (page: Page): Promise<(text: string) => Promise<boolean>> => {
  await page.addInitScript(
    (texts) => {
      const seen = new Set<string>()
      new MutationObserver(() => {
        const shown = document.querySelector('body')?.innerText ?? ''
        for (const text of texts) if (shown.includes(text)) seen.add(text)
      }).observe(document, { childList: true, subtree: true, characterData: true })
      Object.defineProperty(window, 'saw', { value: (text: string) => seen.has(text) })
    },
    ['Payment failed.', PANEL],
  )
  return (text) => page.evaluate(`window.saw(${JSON.stringify(text)})`)
}

for (const [what, number] of [
  ['is answered late', CARDS.late],
  ['is never answered', CARDS.neverAnswered],
] as const) {
  test(`a charge that ${what} shows the confirming panel and ends on the receipt, charged once`, async ({
    page,
    kaikei,
  }) => {
    const saw = await watchFor(page)
    const checkout = await kaikei.create()
    await page.goto(checkout.url)
    await fillCard(page, number)
    await payButton(page).click()
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    expect(await saw(PANEL)).toBe(true)
    expect(await saw('Payment failed.')).toBe(false)
    const paid = await kaikei.read(checkout.id)
    const charges = (await kaikei.charges()).filter(({ transactionId }) => transactionId === paid.transactionId)
    expect(charges).toHaveLength(1)
  })
}

test('a charge lost on the way ends on the form, which says that nothing was charged', async ({ page, kaikei }) => {
  const saw = await watchFor(page)
  const checkout = await kaikei.create()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.dropped)
  await payButton(page).click()
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  expect(await saw(PANEL)).toBe(true)
  expect(await saw('Payment failed.')).toBe(false)
  expect((await kaikei.read(checkout.id)).status).toBe('open')

  await fillCard(page, CARDS.good)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
})

test('a shopper who reloads while the payment is in doubt sees the panel again, then the receipt', async ({
  page,
  kaikei,
}) => {
  const checkout = await kaikei.create()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.late)
  await payButton(page).click()
  await expect(panel(page)).toBeVisible()
  await page.reload()
  await expect(panel(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
})

test('a pay answer that gets lost in the network still ends on the receipt', async ({ page, kaikei }) => {
  const saw = await watchFor(page)
  const checkout = await kaikei.create()
  await page.route('**/pay', async (route) => {
    await answerTo(route)
    await route.abort()
  })
  await page.goto(checkout.url)
  await fillCard(page, CARDS.good)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect(await saw('Payment failed.')).toBe(false)
})

test('two tabs that pay at once make one charge, and both end on the receipt', async ({ page, context, kaikei }) => {
  const checkout = await kaikei.create()
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(checkout.url)
    await fillCard(tab, CARDS.good)
  }
  await Promise.all([payButton(page).click(), payButton(other).click()])
  for (const tab of [page, other]) {
    const ok = tab.getByRole('button', { name: 'OK' })
    const receipt = tab.getByRole('heading', { name: 'Payment complete' })
    await expect(ok.or(receipt)).toBeVisible()
    // The tab whose order code was superseded before its pay call is told so; trying again shows the truth.
    if (await ok.isVisible()) {
      await ok.click()
      await payButton(tab).click()
    }
    await expect(receipt).toBeVisible()
  }
  const charged = (await kaikei.charges()).filter(({ transactionId }) => transactionId !== undefined)
  const paid = await kaikei.read(checkout.id)
  expect(charged.filter(({ transactionId }) => transactionId === paid.transactionId)).toHaveLength(1)
})
