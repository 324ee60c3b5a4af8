import type { Page } from '@playwright/test'
import {
  CARDS,
  failPayCall,
  fieldOf,
  fillForm,
  INVALID_FORM,
  payButton,
  payWithCard,
  VALID_FORM,
} from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openBeforeHydration, openHydrated } from './harness/hydration.ts'

/** Card form: what it does so that nobody has to guess, type twice or press the wrong button. */

const cancelButton = (page: Page) => page.getByRole('button', { name: 'Cancel' })

test('the form says where the security code stands and what is missing', async ({ page, links }) => {
  await openHydrated(page, links.open)
  await test.step('a picture shows where the security code stands: on the back, on the front of American Express', async () => {
    const picture = fieldOf(page, 'cvc').locator('xpath=..').locator('svg')
    await expect(picture).toHaveAccessibleName('3 digits on the back of the card')
    await expect(fieldOf(page, 'cvc')).toHaveAttribute('placeholder', '3 digits')
    await fieldOf(page, 'cardNumber').fill('34')
    await expect(picture).toHaveAccessibleName('4 digits on the front of the card')
    await expect(fieldOf(page, 'cvc')).toHaveAttribute('placeholder', '4 digits')
    await fieldOf(page, 'cardNumber').fill('')
  })
  await test.step('the line below Pay names what is missing until nothing is', async () => {
    const submit = payButton(page)
    await expect(submit).toBeDisabled()
    await expect(submit).toHaveAccessibleDescription('Please complete all fields correctly.')
    await fieldOf(page, 'cardNumber').fill(CARDS.good)
    await fieldOf(page, 'email').fill('taro@example.com')
    await expect(submit).toHaveAccessibleDescription('Still needed: Expiration date, Security code (CVC), Name on card')
    await fillForm(page, { ...VALID_FORM, cvc: '12' })
    await expect(submit).toHaveAccessibleDescription('Still needed: Security code (CVC)')
    await expect(page.getByText('Still needed: Security code (CVC)')).toBeVisible()
    await fieldOf(page, 'cvc').fill('123')
    await expect(submit).toHaveAccessibleDescription('')
    await expect(submit).toBeEnabled()
  })
})

test('5/30, typed or pasted, before or after the page has come alive, becomes 05 / 30', async ({ page, links }) => {
  const hydrate = await openBeforeHydration(page, links.open)
  const expiry = fieldOf(page, 'expiryDate')
  await expiry.pressSequentially('5/30')
  await expect(expiry).toHaveValue('05 / 30')
  await hydrate()
  await expect(page.getByText('Still needed: Card number, Security code (CVC)')).toBeVisible()
  await expect(expiry).toHaveValue('05 / 30')
  await expiry.fill('')
  await expiry.pressSequentially('7/31')
  await expect(expiry).toHaveValue('07 / 31')
  await expiry.fill('９／２０３２')
  await expect(expiry).toHaveValue('09 / 2032')
})

test('after a payment that charged nothing the card is gone, and name and e-mail are still there', async ({
  page,
  links,
}) => {
  await failPayCall(page, 1)
  await openHydrated(page, links.open)
  await payWithCard(page)
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  await expect(fieldOf(page, 'cardHolderName')).toHaveValue('TARO YAMADA')
  await expect(fieldOf(page, 'email')).toHaveValue('taro@example.com')
  for (const field of ['cardNumber', 'expiryDate', 'cvc'] as const) await expect(fieldOf(page, field)).toHaveValue('')
  await expect(payButton(page)).toHaveAccessibleDescription(
    'Still needed: Card number, Expiration date, Security code (CVC)',
  )
})

test('nothing moves when every field has an error of one line, one line more pushes by itself, and Cancel stands apart and looks disabled while it is', async ({
  page,
  links,
}) => {
  // The English texts, which the specification quotes, take two lines below half a row.
  for (const [locale, pushed] of [
    ['ja', 0],
    ['en-US', 20],
  ] as const) {
    await openHydrated(page, `${links.open}/creditcard?locale=${locale}`)
    const submit = page.locator('button[type="submit"]')
    const before = await submit.boundingBox()
    await fillForm(page, INVALID_FORM)
    await fieldOf(page, 'email').press('Enter')
    await expect(page.locator('[aria-invalid="true"]')).toHaveCount(5)
    expect(await submit.boundingBox(), locale).toEqual({ ...before, y: (before?.y ?? 0) + pushed })
  }
  const [pay, cancel] = [await payButton(page).boundingBox(), await cancelButton(page).boundingBox()]
  expect((cancel?.y ?? 0) - (pay?.y ?? 0) - (pay?.height ?? 0)).toBeGreaterThanOrEqual(40)
  const look = () =>
    cancelButton(page).evaluate((button) => [getComputedStyle(button).color, getComputedStyle(button).borderColor])
  const disabled = await look()
  await fillForm(page, VALID_FORM)
  await expect(cancelButton(page)).toBeEnabled()
  const enabled = await look()
  expect(enabled[0]).not.toBe(disabled[0])
  expect(enabled[1]).not.toBe(disabled[1])
})
