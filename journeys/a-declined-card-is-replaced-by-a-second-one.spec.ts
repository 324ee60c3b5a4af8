import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'

test('a declined card shows the modal, keeps the form, and a second card pays', async ({ page, kaikei }) => {
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.declined)
  await payButton(page).click()

  const modal = page.getByRole('alertdialog')
  await expect(modal).toContainText('Payment failed.')
  await expect(modal.getByRole('button', { name: 'OK' })).toBeFocused()
  await modal.getByRole('button', { name: 'OK' }).click()
  await expect(modal).toBeHidden()
  await expect(page.getByText('This card cannot be used. Please use another card')).toBeInViewport()
  await expect(page.getByLabel('Name on card')).toHaveValue('TARO YAMADA')

  await page.getByLabel('Card number').fill(CARDS.good)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('paid')
})
