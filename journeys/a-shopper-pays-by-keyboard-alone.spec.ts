import type { Page } from '@playwright/test'
import { CARDS, failPayCall, fieldOf, payButton, START_CALL } from './harness/card-form.ts'
import { expectVisibleFocus, pressTab } from './harness/focus.ts'
import { bankFrame } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { openHydrated } from './harness/hydration.ts'

const typeCard = async (page: Page, number: string): Promise<void> => {
  await pressTab(page)
  await expect(fieldOf(page, 'cardNumber')).toBeFocused()
  await page.keyboard.type(number)
  await pressTab(page)
  await page.keyboard.type('1234')
  await pressTab(page)
  await page.keyboard.type('123')
  await pressTab(page)
  await page.keyboard.type('TARO YAMADA')
  await pressTab(page)
  await page.keyboard.type('taro@example.com')
}

test('a shopper pays without a mouse and sees the focus at every step', async ({ page, kaikei }) => {
  const checkout = await kaikei.createCheckout({ links: { cancelUrl: 'https://shop.example.com/cart' } })
  await openHydrated(page, checkout.url)
  await typeCard(page, CARDS.good)
  await pressTab(page)
  await expect(payButton(page)).toBeFocused()
  await pressTab(page)
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await pressTab(page, 'Shift+Tab')
  await page.keyboard.press('Space')

  const heading = page.getByRole('heading', { name: 'Payment complete' })
  await expect(heading).toBeFocused()
  // Nobody can press it: a ring would say that one can. The links below it have theirs again.
  await expect(heading).toHaveCSS('outline-style', 'none')
  await expect(heading).toHaveCSS('box-shadow', 'none')
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('paid')
  for (const name of [/Aoyama Tea/, /03-0000-0000/, /shop@aoyama-tea/, 'Back to the shop']) {
    await pressTab(page)
    await expect(page.getByRole('link', { name })).toBeFocused()
  }
  await pressTab(page)
  await expect(page.getByRole('button', { name: 'Print or save this receipt' })).toBeFocused()
  for (const name of ['About this service', 'Privacy policy']) {
    await pressTab(page)
    await expect(page.getByRole('link', { name })).toBeFocused()
  }
  await pressTab(page)
  await expect(page.getByRole('combobox')).toBeFocused()
})

test(
  'a receipt that is opened by its link leaves the focus at its beginning',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    const checkout = await kaikei.createCheckout()
    await openHydrated(page, checkout.url)
    await typeCard(page, CARDS.good)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused()
    await page.reload()
    await pressTab(page)
    await expect(page.getByRole('link', { name: /Aoyama Tea/ })).toBeFocused()
  },
)

test('a shopper answers a challenge without a mouse, and the focus moves into the challenge and out of it', async ({
  page,
  kaikei,
}) => {
  const checkout = await kaikei.createCheckout()
  await openHydrated(page, checkout.url)
  const heading = page.getByRole('heading', { name: 'Confirm with your card issuer' })
  const back = page.getByRole('button', { name: 'Back to the card form' })
  await typeCard(page, CARDS.challenged)
  await page.keyboard.press('Enter')
  await expect(heading).toBeFocused()

  await pressTab(page, 'Shift+Tab')
  await expect(back).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Authentication was not completed.')).toBeFocused()
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('open')

  for (let fields = 0; fields < 5; fields += 1) await pressTab(page)
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
  // Not awaited: Chromium may not acknowledge a key whose frame goes away between its press and its release.
  void page.keyboard.press('Enter').catch(() => undefined)
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused()
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('paid')
})

/** What a screen reader reads of a field beside its label: the text that the field names as its description. */
const descriptionOf = async (page: Page, field: Parameters<typeof fieldOf>[1]) => {
  const id = (await fieldOf(page, field).getAttribute('aria-describedby')) ?? ''
  return page.locator(`[id="${id}"]`)
}

test('Enter in an unfinished form marks every wrong field, goes to the first and says what is wrong', async ({
  page,
  kaikei,
}) => {
  await openHydrated(page, (await kaikei.createCheckout()).url)
  const wrong = page.locator('[aria-invalid="true"]')
  for (let fields = 0; fields < 4; fields += 1) await pressTab(page)
  await expect(fieldOf(page, 'cardHolderName')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(wrong).toHaveCount(5)
  await expect(fieldOf(page, 'cardNumber')).toBeFocused()
  await expectVisibleFocus(page)
  for (const field of ['cardNumber', 'expiryDate', 'cvc', 'cardHolderName', 'email'] as const) {
    const description = await descriptionOf(page, field)
    await expect(description).toHaveText('This is a required field')
    await expect(description).toHaveAttribute('aria-live', 'polite')
  }

  await page.keyboard.type(CARDS.good)
  await page.keyboard.press('Enter')
  await expect(wrong).toHaveCount(4)
  await expect(fieldOf(page, 'expiryDate')).toBeFocused()
  await page.keyboard.type('1399')
  await expect(await descriptionOf(page, 'expiryDate')).toHaveText('Invalid format for expiration date')
})

test('the failure of a payment takes the focus, and gives it back to where it came from', async ({ page, kaikei }) => {
  await openHydrated(page, (await kaikei.createCheckout()).url)
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

  await pressTab(page)
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
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
  await page.route(START_CALL, async (route) => {
    await released
    await route.continue()
  })
  await openHydrated(page, (await kaikei.createCheckout()).url)
  const status = page.getByRole('status')
  await expect(status).toBeEmpty()
  await typeCard(page, CARDS.good)
  await page.keyboard.press('Enter')
  await expect(status).toHaveText('Checking your card…')
  release(undefined)
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused()
})

test(
  'the focus follows a payment in doubt to the confirming panel and back to the form',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    await failPayCall(page, 2)
    await openHydrated(page, (await kaikei.createCheckout()).url)
    await typeCard(page, CARDS.good)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'We are confirming your payment' })).toBeFocused()
    await expect(page.getByText('Nothing was charged.')).toBeFocused()
    await pressTab(page)
    await expect(fieldOf(page, 'cardNumber')).toBeFocused()
  },
)

test(
  'an invoice that expires while its form is open moves the focus to the reason',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    const checkout = await kaikei.createCheckout({ validUntil: new Date(Date.now() + 10_000).toISOString() })
    await openHydrated(page, checkout.url)
    await pressTab(page)
    await expect(fieldOf(page, 'cardNumber')).toBeFocused()
    await expect(page.getByRole('heading', { name: 'This invoice cannot be paid' })).toBeFocused({ timeout: 40_000 })
  },
)

/** The item that a screen reader reads, which is also the only one that is marked. */
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

test('a language is chosen by arrow keys and by its first letter, and Escape changes nothing', async ({
  page,
  kaikei,
}) => {
  await openHydrated(page, `${(await kaikei.createCheckout()).url}/creditcard?locale=ja`)
  const picker = page.getByRole('combobox')
  const list = page.getByRole('listbox')
  const html = page.locator('html')
  await picker.focus()
  await pressTab(page, 'Shift+Tab')
  await pressTab(page)
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
