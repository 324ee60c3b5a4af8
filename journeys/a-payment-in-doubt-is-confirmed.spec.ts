import type { Page } from '@playwright/test'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { watchMoney, type Money } from './harness/money.ts'
import { watchFor } from './harness/seen.ts'

const PANEL = 'We are confirming your payment'

const panel = (page: Page) => page.getByRole('heading', { name: PANEL })

const FAILED = 'Payment failed.'

/** The receipt stands there at last, the panel stood there before, and the acquirer made one charge. */
const expectConfirmed = async (page: Page, money: Money, id: string, saw: (text: string) => boolean): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect({ panel: saw(PANEL), failed: saw(FAILED) }).toEqual({ panel: true, failed: false })
  await money.expectPaidOnce(id)
}

test('a charge that is never answered shows the confirming panel and ends on the receipt, charged once', async ({
  page,
  kaikei,
}) => {
  const money = await watchMoney(kaikei)
  const saw = await watchFor(page, [PANEL, FAILED])
  const checkout = await kaikei.create()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.neverAnswered)
  await payButton(page).click()
  await expectConfirmed(page, money, checkout.id, saw)
})

test('a shopper whose charge is answered late and who reloads sees the panel again, then the receipt, charged once', async ({
  page,
  kaikei,
}) => {
  const money = await watchMoney(kaikei)
  const saw = await watchFor(page, [PANEL, FAILED])
  const checkout = await kaikei.create()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.late)
  await payButton(page).click()
  await expect(panel(page)).toBeVisible()
  await page.reload()
  await expect(panel(page)).toBeVisible()
  await expectConfirmed(page, money, checkout.id, saw)
})

test('a charge lost on the way ends on the form, which says that nothing was charged', async ({ page, kaikei }) => {
  const saw = await watchFor(page, [PANEL, FAILED])
  const checkout = await kaikei.create()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.dropped)
  await payButton(page).click()
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  expect(saw(PANEL)).toBe(true)
  expect(saw(FAILED)).toBe(false)
  expect((await kaikei.read(checkout.id)).status).toBe('open')

  await fillCard(page, CARDS.good)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
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
