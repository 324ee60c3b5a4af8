import type { Page } from '@playwright/test'
import { answerTo, CARDS, expect, fillCard, payButton, test } from './kaikei.ts'

const panel = (page: Page) => page.getByRole('heading', { name: 'We are confirming your payment' })

/** Remembers every word of failure that ever stood on the page, however briefly. */
const watchForFailure = async (page: Page): Promise<() => Promise<boolean>> => {
  await page.addInitScript(() => {
    let seen = false
    new MutationObserver(() => {
      seen ||= document.querySelector('body')?.innerText.includes('Payment failed.') ?? false
    }).observe(document, { childList: true, subtree: true, characterData: true })
    Object.defineProperty(window, 'sawFailure', { get: () => seen })
  })
  return () => page.evaluate(() => Reflect.get(window, 'sawFailure') === true)
}

for (const [what, number] of [
  ['is answered late', CARDS.late],
  ['is never answered', CARDS.neverAnswered],
] as const) {
  test(`a charge that ${what} shows the confirming panel and ends on the receipt, charged once`, async ({
    page,
    kaikei,
  }) => {
    const sawFailure = await watchForFailure(page)
    const checkout = await kaikei.create()
    await page.goto(checkout.url)
    await fillCard(page, number)
    await payButton(page).click()
    await expect(panel(page)).toBeVisible()
    await expect(page.getByLabel('Card number')).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    expect(await sawFailure()).toBe(false)
    const paid = await kaikei.read(checkout.id)
    const charges = (await kaikei.charges()).filter(({ transactionId }) => transactionId === paid.transactionId)
    expect(charges).toHaveLength(1)
  })
}

test('a charge lost on the way ends on the form, which says that nothing was charged', async ({ page, kaikei }) => {
  const sawFailure = await watchForFailure(page)
  const checkout = await kaikei.create()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.dropped)
  await payButton(page).click()
  await expect(panel(page)).toBeVisible()
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  expect(await sawFailure()).toBe(false)
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
  const sawFailure = await watchForFailure(page)
  const checkout = await kaikei.create()
  await page.route('**/pay', async (route) => {
    await answerTo(route)
    await route.abort()
  })
  await page.goto(checkout.url)
  await fillCard(page, CARDS.good)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect(await sawFailure()).toBe(false)
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
