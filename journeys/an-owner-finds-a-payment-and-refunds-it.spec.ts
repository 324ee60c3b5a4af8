import { axeViolations } from './harness/axe.ts'
import { payWithCard } from './harness/card-form.ts'
import { expectScreen, signIn } from './harness/console.ts'
import { expect, test } from './harness/fixtures.ts'

test('an owner finds a payment by its link, gives a part of it back by tax rate, and reads what happened', async ({
  page,
  kaikei,
  owner,
  browser,
}) => {
  const taxes = [
    { rate: 10, amount: 1000 },
    { rate: 8, amount: 980 },
  ]
  const { url } = await kaikei.createCheckout({ amount: 1980, subject: '茶 & tea', taxes })
  const shopper = await browser.newPage()
  await shopper.goto(url)
  await payWithCard(shopper)
  await shopper.waitForURL(/\/complete$/)
  await shopper.context().close()

  await page.setViewportSize({ width: 320, height: 700 })
  await signIn(page, owner, '/shops/demo/test/checkouts')
  await expectScreen(page, 'Checkouts')
  await page.getByRole('searchbox', { name: 'Search' }).fill(url)
  await page.getByRole('searchbox', { name: 'Search' }).press('Enter')
  await expect(page.getByText('1 shown.')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('row', { name: /茶 & tea/ }).click()

  await expectScreen(page, 'Checkout')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByRole('button', { name: /All that is left/ }).click()
  await page.getByRole('option', { name: 'A part' }).click()
  await page.getByLabel('At 8 % (reduced), ¥980 JPY left').fill('９８')
  await page.getByRole('button', { name: 'Refund ¥98 JPY' }).click()
  await expect(page.getByText('Refunded.')).toBeVisible()
  await expect(page.getByText('Refunded in part')).toBeVisible()
  await expect(page.getByText('A refund was made')).toBeVisible()
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  await page.goBack()
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue(url)
})
