import type { Page } from '@playwright/test'
import { fieldOf, losesThePayCall, CARDS, payButton } from './harness/card-form.ts'
import { expectVisibleFocus, tab } from './harness/focus.ts'
import { bankFrame } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { openLive } from './harness/live-page.ts'

const typeCard = async (page: Page, number: string): Promise<void> => {
  await tab(page)
  await expect(fieldOf(page, 'cardNumber')).toBeFocused()
  await page.keyboard.type(number)
  await tab(page)
  await page.keyboard.type('1234')
  await tab(page)
  await page.keyboard.type('123')
  await tab(page)
  await page.keyboard.type('TARO YAMADA')
  await tab(page)
  await page.keyboard.type('taro@example.com')
}

test('a shopper pays without a mouse and sees at every stop where they are', async ({ page, kaikei }) => {
  const checkout = await kaikei.create({ links: { cancelUrl: 'https://shop.example.com/cart' } })
  await openLive(page, checkout.url)
  await typeCard(page, CARDS.good)
  await tab(page)
  await expect(payButton(page)).toBeFocused()
  await tab(page)
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await tab(page, 'Shift+Tab')
  await page.keyboard.press('Space')

  const heading = page.getByRole('heading', { name: 'Payment complete' })
  await expect(heading).toBeFocused()
  expect((await kaikei.read(checkout.id)).status).toBe('paid')
  for (const name of [/Aoyama Tea/, /03-0000-0000/, /shop@aoyama-tea/]) {
    await tab(page)
    await expect(page.getByRole('link', { name })).toBeFocused()
  }
  await tab(page)
  await expect(page.getByRole('button', { name: 'Print or save this receipt' })).toBeFocused()
  for (const name of ['About this service', 'Privacy policy']) {
    await tab(page)
    await expect(page.getByRole('link', { name })).toBeFocused()
  }
  await tab(page)
  await expect(page.getByRole('combobox')).toBeFocused()
})

test('a receipt that is opened by its link leaves the focus at its beginning', async ({ page, kaikei }) => {
  const checkout = await kaikei.create()
  await openLive(page, checkout.url)
  await typeCard(page, CARDS.good)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused()
  await page.reload()
  await tab(page)
  await expect(page.getByRole('link', { name: /Aoyama Tea/ })).toBeFocused()
})

test('a shopper answers a challenge without a mouse, and the focus goes in and out of it with them', async ({
  page,
  kaikei,
}) => {
  const checkout = await kaikei.create()
  await openLive(page, checkout.url)
  const heading = page.getByRole('heading', { name: 'Confirm with your card company' })
  const back = page.getByRole('button', { name: 'Back to the card form' })
  await typeCard(page, CARDS.challenged)
  await page.keyboard.press('Enter')
  await expect(heading).toBeFocused()

  await tab(page, 'Shift+Tab')
  await expect(back).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Authentication was not completed.')).toBeFocused()
  expect((await kaikei.read(checkout.id)).status).toBe('open')

  for (let stop = 0; stop < 5; stop += 1) await tab(page)
  await expect(fieldOf(page, 'email')).toBeFocused()
  await expect(fieldOf(page, 'email')).toHaveValue('taro@example.com')
  await page.keyboard.press('Enter')
  await expect(heading).toBeFocused()
  const code = bankFrame(page).getByLabel('Confirmation code')
  await expect(code).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(code).toBeFocused()
  const bank = page.frames().find((frame) => frame.url().startsWith('http://bank.'))
  await expectVisibleFocus(bank ?? page)
  await page.keyboard.type('111111')
  await page.keyboard.press('Enter')
  await expect(bankFrame(page).getByRole('alert')).toContainText('2 tries left')
  await expect(page.locator('section iframe')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(code).toBeFocused()
  await page.keyboard.type('123456')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused()
  expect((await kaikei.read(checkout.id)).status).toBe('paid')
})

/** What a screen reader says of a field beside its label: the text that the field names as its description. */
const describedBy = async (page: Page, field: Parameters<typeof fieldOf>[1]) => {
  const id = (await fieldOf(page, field).getAttribute('aria-describedby')) ?? ''
  return page.locator(`[id="${id}"]`)
}

test('Enter in an unfinished form marks every wrong field, goes to the first and says what is wrong', async ({
  page,
  kaikei,
}) => {
  await openLive(page, (await kaikei.create()).url)
  const wrong = page.locator('[aria-invalid="true"]')
  for (let stop = 0; stop < 4; stop += 1) await tab(page)
  await expect(fieldOf(page, 'cardHolderName')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(wrong).toHaveCount(5)
  await expect(fieldOf(page, 'cardNumber')).toBeFocused()
  await expectVisibleFocus(page)
  for (const field of ['cardNumber', 'expiryDate', 'cvc', 'cardHolderName', 'email'] as const) {
    const words = await describedBy(page, field)
    await expect(words).toHaveText('This is a required field')
    await expect(words).toHaveAttribute('aria-live', 'polite')
  }

  await page.keyboard.type(CARDS.good)
  await page.keyboard.press('Enter')
  await expect(wrong).toHaveCount(4)
  await expect(fieldOf(page, 'expiryDate')).toBeFocused()
  await page.keyboard.type('1399')
  await expect(await describedBy(page, 'expiryDate')).toHaveText('Invalid format for expiration date')
})

test('the failure of a payment takes the focus, and gives it back to where it came from', async ({ page, kaikei }) => {
  await openLive(page, (await kaikei.create()).url)
  const modal = page.getByRole('alertdialog')
  const ok = modal.getByRole('button', { name: 'OK' })

  await typeCard(page, CARDS.declined)
  await page.keyboard.press('Enter')
  await expect(ok).toBeFocused()
  await expect(modal).toHaveAccessibleName('Payment failed.')
  await expectVisibleFocus(page)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.querySelector('main :focus')?.closest('dialog') !== null)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  await expect(fieldOf(page, 'email')).toBeFocused()
  await expectVisibleFocus(page)

  await tab(page)
  await expect(payButton(page)).toBeFocused()
  for (const key of ['Space', 'Enter']) {
    await page.keyboard.press(key)
    await expect(ok).toBeFocused()
    await page.keyboard.press(key)
    await expect(modal).toBeHidden()
    await expect(payButton(page)).toBeFocused()
    await expectVisibleFocus(page)
  }
})

test('a screen reader hears each step of the payment', async ({ page, kaikei }) => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>()
  await page.route('**/api/v1/checkouts/*/3ds', async (route) => {
    await held
    await route.continue()
  })
  await openLive(page, (await kaikei.create()).url)
  const said = page.getByRole('status')
  await expect(said).toBeEmpty()
  await typeCard(page, CARDS.good)
  await page.keyboard.press('Enter')
  await expect(said).toHaveText('Checking your card…')
  letGo(undefined)
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused()
})

test('the focus follows the payment into doubt and out of it', async ({ page, kaikei }) => {
  await losesThePayCall(page, 2)
  await openLive(page, (await kaikei.create()).url)
  await typeCard(page, CARDS.good)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'We are confirming your payment' })).toBeFocused()
  await expect(page.getByText('Nothing was charged.')).toBeFocused()
  await tab(page)
  await expect(fieldOf(page, 'cardNumber')).toBeFocused()
})

test('an invoice that expires under the shopper’s hands puts the focus on the reason', async ({ page, kaikei }) => {
  const checkout = await kaikei.create({ validUntil: new Date(Date.now() + 4000).toISOString() })
  await openLive(page, checkout.url)
  await tab(page)
  await expect(fieldOf(page, 'cardNumber')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'This invoice cannot be paid' })).toBeFocused()
})

/** The item that a screen reader is told, which is also the only one that is seen to be marked. */
const expectActive = async (page: Page, label: string): Promise<void> => {
  const id = (await page.getByRole('combobox').getAttribute('aria-activedescendant')) ?? ''
  await expect(page.locator(`[id="${id}"]`)).toHaveText(label)
  const marked = (): Promise<string[]> =>
    page
      .getByRole('option')
      .evaluateAll((items) =>
        items.filter((item) => getComputedStyle(item).boxShadow !== 'none').map((item) => item.id),
      )
  // The mark fades from one to the other.
  await expect.poll(marked).toEqual([id])
}

test('a language is chosen by arrows, by its first letter, and by nothing at all', async ({ page, kaikei }) => {
  await openLive(page, `${(await kaikei.create()).url}/creditcard?locale=ja`)
  const picker = page.getByRole('combobox')
  const list = page.getByRole('listbox')
  const html = page.locator('html')
  await picker.focus()
  await tab(page, 'Shift+Tab')
  await tab(page)
  await expect(picker).toBeFocused()

  await page.keyboard.press('ArrowDown')
  await expect(list).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(html).toHaveAttribute('lang', 'ja')

  await page.keyboard.press('Enter')
  await page.keyboard.press('e')
  await expectActive(page, 'English (US)')
  await page.keyboard.press('Enter')
  await expect(list).toBeHidden()
  await expect(html).toHaveAttribute('lang', 'en-US')
  await expect(picker).toHaveAccessibleName('Language: English (US)')
  await expect(picker).toBeFocused()

  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expectActive(page, '한국어')
  await page.keyboard.press('End')
  await expectActive(page, 'ภาษาไทย')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await expectActive(page, '日本語')
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await expect(html).toHaveAttribute('lang', 'th')
  await expect(page).toHaveURL(/locale=th$/)
  await expect(picker).toBeFocused()
  await expectVisibleFocus(page)
})
