import type { Page } from '@playwright/test'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { startChargeCheck, type ChargeCheck } from './harness/charge-check.ts'
import { watchForTexts } from './harness/seen-texts.ts'

const PANEL = 'We are confirming your payment'

const panel = (page: Page) => page.getByRole('heading', { name: PANEL })

const FAILED = 'Payment failed.'

/** The receipt is shown at the end, the panel was shown before, and the acquirer made one charge. */
const expectConfirmed = async (
  page: Page,
  chargeCheck: ChargeCheck,
  id: string,
  wasSeen: (text: string) => boolean,
): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect({ panel: wasSeen(PANEL), failed: wasSeen(FAILED) }).toEqual({ panel: true, failed: false })
  await chargeCheck.expectPaidOnce(id)
}

test('a charge that is never answered shows the confirming panel and ends on the receipt, charged once', async ({
  page,
  kaikei,
}) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const wasSeen = await watchForTexts(page, [PANEL, FAILED])
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.neverAnswered)
  await payButton(page).click()
  await expectConfirmed(page, chargeCheck, checkout.id, wasSeen)
})

test('a shopper whose charge is answered late and who reloads sees the panel again, then the receipt, charged once', async ({
  page,
  kaikei,
}) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const wasSeen = await watchForTexts(page, [PANEL, FAILED])
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.late)
  await payButton(page).click()
  await expect(panel(page)).toBeVisible()
  await page.reload()
  await expect(panel(page)).toBeVisible()
  await expectConfirmed(page, chargeCheck, checkout.id, wasSeen)
})

test('a charge lost on the way ends on the form, which says that nothing was charged', async ({ page, kaikei }) => {
  const wasSeen = await watchForTexts(page, [PANEL, FAILED])
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.dropped)
  await payButton(page).click()
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  expect(wasSeen(PANEL)).toBe(true)
  expect(wasSeen(FAILED)).toBe(false)
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('open')

  await fillCard(page, CARDS.good)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
})

test('two tabs that pay at once make one charge, and both end on the receipt', async ({ page, context, kaikei }) => {
  const checkout = await kaikei.createCheckout()
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
    // The tab whose order code was superseded before its pay call shows a failure; trying again shows the receipt.
    if (await ok.isVisible()) {
      await ok.click()
      await payButton(tab).click()
    }
    await expect(receipt).toBeVisible()
  }
  const charged = (await kaikei.acquirerOrders()).filter(({ transactionId }) => transactionId !== undefined)
  const paid = await kaikei.readCheckout(checkout.id)
  expect(charged.filter(({ transactionId }) => transactionId === paid.transactionId)).toHaveLength(1)
})
