import type { Page } from '@playwright/test'
import { openBeforeHydration } from './harness/hydration.ts'
import { expect, test } from './harness/fixtures.ts'

const numberField = (page: Page) => page.getByLabel('Card number')

test('a number is typed while the page comes alive, and corrected', async ({ page, kaikei }) => {
  await test.step('digits typed before the page is alive are grouped at once and kept through hydration and a later re-render', async () => {
    const checkout = await kaikei.createCheckout()
    const hydrate = await openBeforeHydration(page, checkout.url)
    await numberField(page).pressSequentially('４２４２4242 424')
    await expect(numberField(page)).toHaveValue('4242 4242 424')
    await hydrate()
    await expect(numberField(page)).toHaveValue('4242 4242 424')
    await numberField(page).pressSequentially('24242')
    await page.getByLabel('Name on card').fill('T')
    await page.getByLabel('Security code').focus()
    await expect(page.getByText('Invalid format for card holder name')).toBeVisible()
    await expect(numberField(page)).toHaveValue('4242 4242 4242 4242')
  })
  await test.step('the caret stays behind the digit it was behind while a number is corrected in the middle', async () => {
    await numberField(page).fill('424242424242')
    await numberField(page).evaluate((input: HTMLInputElement) => input.setSelectionRange(6, 6))
    await page.keyboard.press('Backspace')
    await expect(numberField(page)).toHaveValue('4242 2424 242')
    expect(await numberField(page).evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(4)
    await page.keyboard.type('5')
    await expect(numberField(page)).toHaveValue('4242 5242 4242')
    expect(await numberField(page).evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(6)
  })
  await test.step('Delete and Backspace beside a space take away a digit, not the space', async () => {
    const field = numberField(page)
    await field.fill('424212345678')
    await expect(field).toHaveValue('4242 1234 5678')
    const caretAt = (place: number) =>
      field.evaluate((input: HTMLInputElement, at) => input.setSelectionRange(at, at), place)
    await caretAt(4)
    await page.keyboard.press('Delete')
    await expect(field).toHaveValue('4242 2345 678')
    await caretAt(5)
    await page.keyboard.press('Backspace')
    await expect(field).toHaveValue('4242 3456 78')
  })
})
