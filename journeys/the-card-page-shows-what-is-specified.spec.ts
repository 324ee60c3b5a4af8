import type { Locator, Page, Route } from '@playwright/test'
import { TEST_CARD_NUMBERS } from '#contract/test-cards.ts'
import {
  CARDS,
  fieldOf,
  fillCard,
  fillForm,
  openLanguageMenu,
  payButton,
  START_CALL,
  VALID_FORM,
} from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openHydrated } from './harness/hydration.ts'
import { runsAllJourneys } from './harness/runs-all-journeys.ts'

const CART = 'https://shop.example.com/cart'

const cancelButton = (page: Page) => page.getByRole('button', { name: /^Cancel/ })
const wrongFields = (page: Page) => page.locator('[aria-invalid="true"]')

/** Holds a call back; the returned function releases it, and then it is answered. */
const holdCall = async (page: Page, call: string, answer: (route: Route) => Promise<void>): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await page.route(call, async (route) => {
    await promise
    await answer(route)
  })
  return () => resolve(undefined)
}

const brandShown = (page: Page) => fieldOf(page, 'cardNumber').locator('xpath=..').locator('svg')

const boxOf = async (place: Locator) => {
  const box = await place.boundingBox()
  if (box === null) throw new Error('it is not on the page')
  return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width }
}

test('the fields of a card while they are typed', async ({ page, kaikei }) => {
  await openHydrated(page, (await kaikei.createCheckout()).url)
  await test.step('the brand of a card shows in its field while the number is typed', async () => {
    const typed = {
      '': '',
      '4': 'Visa',
      '5': '',
      '51': 'Mastercard',
      '352': '',
      '3528': 'JCB',
      '42424': 'Visa',
      '9': '',
    }
    for (const [digits, brand] of Object.entries(typed)) {
      await fieldOf(page, 'cardNumber').fill(digits)
      if (brand === '') await expect(brandShown(page).locator('use'), digits).toHaveAttribute('href', /#unknown-brand$/)
      else await expect(brandShown(page), digits).toHaveAccessibleName(brand)
    }
  })
  await test.step('a wrong field shows its error when it is left, and from then on after every key', async () => {
    const number = fieldOf(page, 'cardNumber')
    await number.fill('')
    await number.pressSequentially('4242')
    await expect(wrongFields(page)).toHaveCount(0)
    await number.blur()
    await expect(page.getByText('Invalid format for credit card number')).toBeVisible()
    await expect(wrongFields(page)).toHaveCount(1)
    await number.pressSequentially('424242424241')
    await expect(page.getByText('The credit card number entered is incorrect')).toBeVisible()
    await number.press('Backspace')
    await number.press('2')
    await expect(wrongFields(page)).toHaveCount(0)
    await number.fill('')
    await expect(page.getByText('This is a required field')).toHaveCount(1)
  })
  await test.step('errors of expiry and security code are shown below the row of both, all others below their field', async () => {
    await fieldOf(page, 'expiryDate').fill('1399')
    await fieldOf(page, 'cvc').fill('1')
    await fieldOf(page, 'cardHolderName').fill('山田')
    await fieldOf(page, 'email').fill('taro')
    await fieldOf(page, 'email').blur()
    const [expiry, cvc, holder, email, submit] = await Promise.all([
      boxOf(fieldOf(page, 'expiryDate')),
      boxOf(fieldOf(page, 'cvc')),
      boxOf(fieldOf(page, 'cardHolderName')),
      boxOf(fieldOf(page, 'email')),
      boxOf(payButton(page)),
    ])
    expect(expiry.top).toBe(cvc.top)
    const expectBetween = async (text: string, above: typeof expiry, below: { top: number }): Promise<void> => {
      const { top, bottom, left, right } = await boxOf(page.getByText(text))
      expect(top, text).toBeGreaterThanOrEqual(above.bottom)
      expect(bottom, text).toBeLessThanOrEqual(below.top)
      expect(left, text).toBeGreaterThanOrEqual(above.left)
      expect(right, text).toBeLessThanOrEqual(above.right)
    }
    await expectBetween('Invalid format for expiration date', expiry, holder)
    await expectBetween('Invalid format for security code', cvc, holder)
    await expectBetween('Invalid format for card holder name', holder, email)
    await expectBetween('Invalid format for email address', email, submit)
  })
})

test('the server decides which brand a number begins like, in upper or lower case', async ({ page, kaikei }) => {
  await page.route('**/api/v1/bincodes', (route) => route.fulfill({ json: [{ prefix: '9', brand: 'JCB' }] }))
  await openHydrated(page, (await kaikei.createCheckout()).url)
  await fieldOf(page, 'cardNumber').fill('9')
  await expect(brandShown(page)).toHaveAccessibleName('JCB')
  await fieldOf(page, 'cardNumber').fill('4')
  await expect(brandShown(page)).toHaveAttribute('aria-hidden', 'true')
})

test('mode=test accepts its four test cards and refuses every other card; any other mode is live', async ({
  page,
  kaikei,
}) => {
  const { url } = await kaikei.createCheckout()
  const refusal = page.getByText('Only test cards are accepted.', { exact: true })
  await openHydrated(page, `${url}?mode=test`)
  await expect(page.getByText('Test mode: only test cards are accepted and no money moves.')).toBeVisible()
  await fillCard(page, CARDS.declined)
  await fieldOf(page, 'cardNumber').blur()
  await expect(refusal).toBeVisible()
  await expect(payButton(page)).toBeDisabled()
  expect(TEST_CARD_NUMBERS).toHaveLength(4)
  for (const number of TEST_CARD_NUMBERS) {
    await fieldOf(page, 'cardNumber').fill(number)
    await expect(payButton(page)).toBeEnabled()
    await expect(refusal).toHaveCount(0)
  }
  // Without any mode other journeys pay with other cards.
  await openHydrated(page, `${url}?mode=demo`)
  await fillCard(page, CARDS.declined)
  await expect(payButton(page)).toBeEnabled()
})

test('Pay and Cancel wait for a whole form, and from the first call on nobody can press either', async ({
  page,
  kaikei,
}) => {
  const checkout = await kaikei.createCheckout({ links: { cancelUrl: CART } })
  const releaseStart = await holdCall(page, START_CALL, (route) =>
    route.fulfill({ json: { orderCode: 'a'.repeat(32), threeDSRequired: false } }),
  )
  const releasePay = await holdCall(page, '**/3ds/*/pay', (route) => route.fulfill({ status: 402, json: {} }))
  await openHydrated(page, checkout.url)
  const submit = page.locator('button[type="submit"]')
  const expectButtons = async (state: 'enabled' | 'disabled'): Promise<void> => {
    for (const button of [submit, cancelButton(page)])
      await (state === 'enabled' ? expect(button).toBeEnabled() : expect(button).toBeDisabled())
  }
  await expectButtons('disabled')
  await fillCard(page, CARDS.good)
  await expectButtons('enabled')
  await fieldOf(page, 'cvc').fill('12')
  await expectButtons('disabled')
  await fieldOf(page, 'cvc').fill('123')
  await expectButtons('enabled')

  await submit.click()
  await expect(submit).toHaveText('Checking your card…')
  await expect(submit).toHaveAttribute('aria-busy', 'true')
  await expectButtons('disabled')
  releaseStart()
  await expect(submit).toHaveText('Paying… keep this page open')
  await expectButtons('disabled')
  releasePay()
  await page.getByRole('button', { name: 'OK' }).click()
  await expectButtons('enabled')

  await page.route(CART, (route) => route.fulfill({ body: 'cart' }))
  const releaseCancel = await holdCall(page, `**/api/v1/checkouts/${checkout.id}`, (route) => route.continue())
  await cancelButton(page).click()
  await expect(cancelButton(page)).toHaveText('Canceling…')
  await expect(cancelButton(page)).toHaveAttribute('aria-busy', 'true')
  await expectButtons('disabled')
  releaseCancel()
  await expect(page).toHaveURL(CART)
})

const NOTHING_CHARGED = 'The payment did not go through. Nothing was charged. You can try again.'
const NOTICES: Readonly<Record<number | 'network', string | RegExp>> = {
  402: 'This card cannot be used. Please use another card or contact your card issuer. Nothing was charged.',
  429: /^There have been too many payment attempts/,
  400: NOTHING_CHARGED,
  409: NOTHING_CHARGED,
  500: NOTHING_CHARGED,
  503: NOTHING_CHARGED,
  network: NOTHING_CHARGED,
}

test('whatever the reason a call fails for, the modal says that the payment failed, and OK leads back to the form', async ({
  page,
  kaikei,
}) => {
  await openHydrated(page, (await kaikei.createCheckout()).url)
  await fillCard(page, CARDS.good)
  const modal = page.getByRole('alertdialog')
  const others = runsAllJourneys() ? ([400, 409, 503] as const) : []
  for (const status of [402, 429, 500, 'network', ...others] as const) {
    await page.route(START_CALL, (route) =>
      status === 'network'
        ? route.abort()
        : route.fulfill({ status, json: { type: 'card', code: 'invalid_card', message: 'Nobody reads this.' } }),
    )
    await payButton(page).click()
    await expect(modal).toHaveText('Payment failed.OK')
    await modal.getByRole('button', { name: 'OK' }).click()
    await expect(modal).toBeHidden()
    await expect(payButton(page)).toBeEnabled()
    await expect(page.getByRole('status').filter({ hasText: NOTICES[status] ?? '' })).toBeInViewport()
    await expect(fieldOf(page, 'cardNumber')).toHaveValue('4242 4242 4242 4242')
    await page.unroute(START_CALL)
  }
})

test('a card for a checkout that was closed meanwhile ends on the error page, not in the modal', async ({
  page,
  kaikei,
  context,
}) => {
  const checkout = await kaikei.createCheckout()
  await openHydrated(page, checkout.url)
  await fillCard(page, CARDS.good)
  const address = `${new URL(checkout.url).origin.replace('demo.', '')}/api/v1/checkouts/${checkout.id}`
  expect((await context.request.delete(address, { headers: { merchant: 'demo' } })).status()).toBe(200)
  await payButton(page).click()
  await expect(page).toHaveURL(`${checkout.url}/error`)
  await expect(page.getByText('Cancelled invoice.')).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('the pay call carries the security code, the language of the page and the address for the receipt', async ({
  page,
  kaikei,
}) => {
  await openHydrated(page, `${(await kaikei.createCheckout()).url}?locale=th`)
  await fillForm(page, { ...VALID_FORM, email: 'a@b.jp' })
  const [pay] = await Promise.all([
    page.waitForRequest('**/3ds/*/pay'),
    page.locator('button[type="submit"]:enabled').click(),
  ])
  expect(pay.postDataJSON()).toEqual({ cvc: '123', locale: 'th_TH', receiptEmail: 'a@b.jp' })
  expect(pay.headers()['merchant']).toBe('demo')
  await expect(page).toHaveURL(/\/complete\?locale=th$/)
})

test('a cancel without a network says that it is not confirmed; with one it leaves the history, and Back does not return to the form', async ({
  page,
  kaikei,
  context,
}) => {
  await page.route(CART, (route) => route.fulfill({ body: 'cart' }))
  const checkout = await kaikei.createCheckout({ links: { cancelUrl: CART } })
  const before = `${new URL(checkout.url).origin}/404`
  await page.goto(before)
  await openHydrated(page, checkout.url)
  await fillCard(page, CARDS.good)
  await context.setOffline(true)
  await cancelButton(page).click()
  const modal = page.getByRole('alertdialog')
  await expect(modal).toHaveText('Payment failed.OK')
  await modal.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'We could not confirm the cancellation.' })).toBeVisible()
  await context.setOffline(false)
  await cancelButton(page).click()
  await expect(page).toHaveURL(CART)
  await page.goBack()
  await expect(page).toHaveURL(before)
})

test('the shopper chooses a language', async ({ page, kaikei, context }) => {
  const checkout = await kaikei.createCheckout({ locale: 'th_TH' })
  await openHydrated(page, `${checkout.url}?mode=test`)
  const html = page.locator('html')
  await expect(html).toHaveAttribute('lang', 'th')
  await test.step('the language menu has six items of 36 px and opens upward where there is no room below', async () => {
    const picker = page.getByRole('combobox')
    const list = page.getByRole('listbox')
    await openLanguageMenu(page)
    const items = page.getByRole('option')
    await expect(items).toHaveText(['日本語', 'English (US)', '한국어', '中文 (简体)', '中文 (繁體)', 'ภาษาไทย'])
    for (const item of await items.all()) expect((await item.boundingBox())?.height).toBe(36)
    expect((await boxOf(list)).bottom).toBeLessThanOrEqual((await boxOf(picker)).top)
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()

    await page.evaluate(() => {
      document.body.style.paddingBottom = '600px'
    })
    await expect(async () => {
      await picker.evaluate((button) => button.scrollIntoView({ block: 'center' }))
      expect((await boxOf(picker)).bottom).toBeLessThan(500)
    }).toPass()
    await picker.click()
    await expect(list).toBeVisible()
    expect((await boxOf(list)).top).toBeGreaterThanOrEqual((await boxOf(picker)).bottom)
  })
  await test.step('a chosen language is written into the address and outlives a new reading and a reload', async () => {
    await page.getByRole('option', { name: '한국어' }).click()
    await expect(html).toHaveAttribute('lang', 'ko')
    await expect(page).toHaveURL(`${checkout.url}/creditcard?mode=test&locale=ko`)

    await context.setOffline(true)
    const reading = page.waitForResponse(`**/api/v1/checkouts/${checkout.id}`)
    await context.setOffline(false)
    await reading
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await expect(html).toHaveAttribute('lang', 'ko')
    await page.reload()
    await expect(html).toHaveAttribute('lang', 'ko')
  })
})

test('a shop’s type is serif where it says so, remarks keep their lines, and the footer names the release', async ({
  page,
  kaikei,
}) => {
  const checkout = await kaikei.createCheckout({ remarks: 'Order A-1024\nGift wrapped' })
  await page.goto(checkout.url)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveCSS('font-family', /sans-serif$/)
  const remarks = page.getByText('Order A-1024')
  // Below the window its lines are laid out once the page is alive (`content-visibility`): before that it has none.
  await remarks.scrollIntoViewIfNeeded()
  await expect(remarks).toHaveText('Order A-1024\nGift wrapped', { useInnerText: true })
  await expect(page.locator('footer')).toContainText('v1.51.0')

  const { origin } = new URL(checkout.url)
  for (const screen of ['creditcard', 'complete', 'error']) {
    await page.goto(`${origin}/preview?fontType=serif&screen=${screen}`)
    await expect(heading).toHaveCSS('font-family', /Georgia, serif$/)
  }
})
