/** Card form: test cards, filling in and paying. */
import type { Page, Route } from '@playwright/test'

export const CARDS = {
  good: '4242424242424242',
  declined: '4100000000750001',
  late: '4100000000753005',
  neverAnswered: '4100000000754003',
  dropped: '4100000000755000',
  /** Charged, and answered with HTTP 500; the other is not charged. */
  answeredWith500: '4100000000756008',
  droppedWith500: '4100000000757006',
  /** Waits in a queue of the acquirer. */
  queued: '4100000000758004',
  /** Asks for the code 123456. */
  challenged: '4100000000005000',
  /** Approved in the bank's app a second later: only polling finds out. */
  approvedInApp: '4100000000715004',
  outsideThreeDS: '5105105105105100',
} as const

const AUTOCOMPLETE = {
  cardNumber: 'cc-number',
  expiryDate: 'cc-exp',
  cvc: 'cc-csc',
  cardHolderName: 'cc-name',
  email: 'email',
}

/** A field of the card form, whatever the language of the page. */
export const fieldOf = (page: Page, name: keyof typeof AUTOCOMPLETE) =>
  page.locator(`input[autocomplete="${AUTOCOMPLETE[name]}"]`)

export const fillForm = async (page: Page, values: Record<keyof typeof AUTOCOMPLETE, string>): Promise<void> => {
  await fieldOf(page, 'cardNumber').fill(values.cardNumber)
  await fieldOf(page, 'expiryDate').fill(values.expiryDate)
  await fieldOf(page, 'cvc').fill(values.cvc)
  await fieldOf(page, 'cardHolderName').fill(values.cardHolderName)
  await fieldOf(page, 'email').fill(values.email)
}

/** Values that can be paid with, and values of which every field shows an error. */
export const VALID_FORM = {
  cardNumber: CARDS.good,
  expiryDate: '1234',
  cvc: '123',
  cardHolderName: 'TARO YAMADA',
  email: 'taro@example.com',
}
export const INVALID_FORM = {
  cardNumber: '4242424242424241',
  expiryDate: '0101',
  cvc: '1',
  cardHolderName: '山田',
  email: 'taro',
}

/** Fills in the whole form with a valid card of this number. */
export const fillCard = (page: Page, cardNumber: string): Promise<void> => fillForm(page, { ...VALID_FORM, cardNumber })

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay ¥/ })

export const payWithCard = async (page: Page, cardNumber: string = CARDS.good): Promise<void> => {
  await fillCard(page, cardNumber)
  await page.locator('button[type="submit"]:enabled').click()
}

export const START_CALL = '**/api/v1/checkouts/*/3ds'
export const abortRoute = (route: Route): Promise<void> => route.abort()

/** The start call is answered without the server, so that a payment that must not end leaves nothing behind. */
const stubStartCall = async (page: Page): Promise<void> => {
  const response = { orderCode: 'a'.repeat(32), threeDSRequired: false, collectUrl: '', monitoringUrl: '' }
  await page.route(START_CALL, (route) => route.fulfill({ json: response }))
}

/** The network fails at the pay call and at the next `failedReads` reads of the checkout. */
export const failPayCall = async (page: Page, failedReads: number): Promise<void> => {
  await stubStartCall(page)
  await page.route('**/3ds/*/pay', abortRoute)
  let reads = 0
  await page.route(/\/api\/v1\/checkouts\/\w+$/, (route) => {
    reads += 1
    return reads <= failedReads ? route.abort() : route.continue()
  })
}

export const openLanguageMenu = async (page: Page): Promise<void> => {
  const opener = page.getByRole('combobox')
  const list = page.getByRole('listbox')
  // Before hydration a click opens nothing.
  for (let tries = 0; tries < 40 && !(await list.isVisible()); tries += 1) {
    await opener.click()
    await list.waitFor({ timeout: 250 }).catch(() => undefined)
  }
}
