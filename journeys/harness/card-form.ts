import type { Page, Route } from '@playwright/test'

export const CARDS = {
  good: '4242424242424242',
  declined: '4100000000750001',
  late: '4100000000753005',
  neverAnswered: '4100000000754003',
  dropped: '4100000000755000',
  /** Asks for the code 123456. */
  challenged: '4100000000005000',
  /** Approved in the bank's app a second later: only polling tells of it. */
  approvedInApp: '4100000000715004',
} as const

const TOKENS = {
  cardNumber: 'cc-number',
  expiryDate: 'cc-exp',
  cvc: 'cc-csc',
  cardHolderName: 'cc-name',
  email: 'email',
}

/** A field of the card form in whatever language the page is. */
export const fieldOf = (page: Page, name: keyof typeof TOKENS) => page.locator(`input[autocomplete="${TOKENS[name]}"]`)

export const fillIn = async (page: Page, values: Record<keyof typeof TOKENS, string>): Promise<void> => {
  await fieldOf(page, 'cardNumber').fill(values.cardNumber)
  await fieldOf(page, 'expiryDate').fill(values.expiryDate)
  await fieldOf(page, 'cvc').fill(values.cvc)
  await fieldOf(page, 'cardHolderName').fill(values.cardHolderName)
  await fieldOf(page, 'email').fill(values.email)
}

/** A card that is charged, and one that every field complains about. */
export const RIGHT = {
  cardNumber: CARDS.good,
  expiryDate: '1234',
  cvc: '123',
  cardHolderName: 'TARO YAMADA',
  email: 'taro@example.com',
}
export const WRONG = {
  cardNumber: '4242424242424241',
  expiryDate: '0101',
  cvc: '1',
  cardHolderName: '山田',
  email: 'taro',
}

/** Fills in the whole form with a card that only its number tells apart. */
export const fillCard = (page: Page, cardNumber: string): Promise<void> => fillIn(page, { ...RIGHT, cardNumber })

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay ¥/ })

export const pay = async (page: Page, cardNumber: string = CARDS.good): Promise<void> => {
  await fillCard(page, cardNumber)
  await page.locator('button[type="submit"]:enabled').click()
}

export const START_CALL = '**/api/v1/checkouts/*/3ds'
export const abort = (route: Route): Promise<void> => route.abort()

/** The start call is answered without a server, so that a payment that must not end leaves nothing behind. */
const startsAtOnce = async (page: Page): Promise<void> => {
  const answer = { orderCode: 'a'.repeat(32), threeDSRequired: false, collectUrl: '', monitoringUrl: '' }
  await page.route(START_CALL, (route) => route.fulfill({ json: answer }))
}

/** The network is lost while the card is charged; `readings` of the checkout fail after it. */
export const losesThePayCall = async (page: Page, readings: number): Promise<void> => {
  await startsAtOnce(page)
  await page.route('**/3ds/*/pay', abort)
  let read = 0
  await page.route(/\/api\/v1\/checkouts\/\w+$/, (route) => {
    read += 1
    return read <= readings ? route.abort() : route.continue()
  })
}

export const openLanguageMenu = async (page: Page): Promise<void> => {
  const opener = page.getByRole('combobox')
  const list = page.getByRole('listbox')
  // Before the page is alive a click opens nothing.
  for (let tries = 0; tries < 40 && !(await list.isVisible()); tries += 1) {
    await opener.click()
    await list.waitFor({ timeout: 250 }).catch(() => undefined)
  }
}
