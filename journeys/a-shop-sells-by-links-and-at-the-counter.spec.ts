import type { Page } from '@playwright/test'
import { expectAccessibleInProof } from './harness/axe.ts'
import { payWithCard } from './harness/card-form.ts'
import { expectScreen, signIn } from './harness/console.ts'
import { expect, test } from './harness/fixtures.ts'

/** The address in the field of the share card. */
const sharedAddress = (page: Page): Promise<string> => page.getByLabel('Link', { exact: true }).inputValue()

/** A wrong amount is answered with 422, which the browser reports. */
test.use({ toleratedConsoleError: /status of 422/ })

test('a person makes a reusable link without a terminal, a shopper enters an amount and pays, and the link is full; the next one pays at the counter', async ({
  page,
  owner,
  context,
  kaikei,
}) => {
  await signIn(page, owner, '/shops/demo/test/new-link?kind=reusable')
  await expectScreen(page, 'New link')
  await page.getByRole('button', { name: 'Create the link' }).click()
  await expect(page.getByText('Enter an amount.')).toBeVisible()
  await page.getByLabel('The shopper enters it').check()
  await page.getByLabel('Smallest amount').fill('５００')
  await page.getByLabel('Largest amount').fill('5,000円')
  await page.getByLabel('Subject').fill('Donation')
  await page.getByLabel('Payments at most').fill('1')
  const preview = page.frameLocator('iframe[aria-hidden="false"]')
  await expect(preview.getByText('Donation')).toBeVisible()
  await expect(preview.getByRole('heading', { level: 1 })).toContainText('¥500')
  await expectAccessibleInProof(page)
  await page.getByRole('button', { name: 'Create the link' }).click()
  await expect(page.getByText('The reusable link is ready')).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await expectAccessibleInProof(page)

  const shopper = await context.newPage()
  const address = await sharedAddress(page)
  await shopper.goto(address)
  await expectAccessibleInProof(shopper)
  await shopper.getByLabel('Amount').fill('499')
  await shopper.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(shopper.getByText('Enter ¥500 JPY or more.')).toBeVisible()
  await expect(shopper.getByLabel('Amount')).toHaveValue('499')
  await shopper.getByLabel('Amount').fill('１，９８０円')
  await shopper.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(shopper.getByRole('heading', { level: 1 })).toContainText('¥1,980 JPY')
  await payWithCard(shopper)
  await expect(shopper.getByRole('heading', { name: 'Payment complete' })).toBeVisible()

  await page.getByRole('link', { name: 'Show the reusable link' }).click()
  await expectScreen(page, 'Donation')
  await expect(page.getByText('1 of 1')).toBeVisible()
  await expect(page.getByText('Full', { exact: true })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Paid' })).toContainText('¥1,980')
  await expectAccessibleInProof(page)

  await test.step('at the counter an amount is typed, its code is shown, and the payment within two seconds', async () => {
    await page.getByRole('link', { name: 'Counter', exact: true }).click()
    await expectScreen(page, 'Counter')
    for (const key of ['1', '2', '00', '3', 'Delete one digit'])
      await page.getByRole('button', { name: key, exact: true }).click()
    await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('1,200')
    await expectAccessibleInProof(page)
    const created = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByLabel('Amount', { exact: true }).press('Enter')
    const { url, id } = (await (await created).json()) as { url: string; id: string }
    await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
    await expect(page.getByText('Waiting for the payment')).toBeVisible()

    await shopper.goto(url)
    await payWithCard(shopper)
    await expect(shopper.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    await expect(page.getByText('Paid', { exact: true })).toBeVisible({ timeout: 2000 })
    expect((await kaikei.readCheckout(id)).status).toBe('paid')
    await page.getByRole('button', { name: 'Next customer' }).click()
    await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('')
  })
})
