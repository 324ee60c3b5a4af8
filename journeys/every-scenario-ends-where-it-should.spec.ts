import type { Page } from '@playwright/test'
import { answerChallenge, bankFrame, lengthenCollectTimeout } from './harness/challenge.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { startChargeCheck, type ChargeCheck } from './harness/charge-check.ts'
import { expect, test } from './harness/fixtures.ts'
import { SCENARIOS, type ScenarioEnd, type ChallengeAction, type Scenario } from './harness/scenarios.ts'

const CALL = /\/api\/v1\/(?:checkouts\/\w+\/)?3ds(?:\/\w+\/([a-z-]+))?$/
const BANK = /^http:\/\/bank\.localhost:\d+\/challenge$/

/** Records the calls that move a payment, and the bank's page; GETs are left out, because their number depends on timing. */
const recordSteps = (page: Page): string[] => {
  const steps: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET') return
    const call = CALL.exec(request.url())
    if (call !== null) steps.push(call[1] ?? 'start')
    if (BANK.test(request.url())) steps.push('bank')
  })
  return steps
}

const modal = (page: Page) => page.getByRole('alertdialog')
const challengeHeading = (page: Page) => page.getByRole('heading', { name: 'Confirm with your card issuer' })

const actInChallenge: Record<ChallengeAction, (page: Page) => Promise<void>> = {
  'is not asked': async () => {},
  'types the code': (page) => answerChallenge(page, '123456'),
  'types the code after a while': async (page) => {
    // By then a message that came late would have ended the challenge.
    await expect(page.getByRole('status').filter({ hasText: 'Nothing happening?' })).toBeVisible()
    await answerChallenge(page, '123456')
  },
  'types three wrong codes': async (page) => {
    await answerChallenge(page, '111111')
    await expect(bankFrame(page).getByRole('alert')).toContainText('2 tries left')
    await answerChallenge(page, '222222')
    await expect(bankFrame(page).getByRole('alert')).toContainText('1 try left')
    await answerChallenge(page, '333333')
  },
  cancels: (page) => bankFrame(page).getByRole('button', { name: 'Cancel' }).click(),
  // The bank's page may be gone again before a locator finds it.
  'does nothing': async () => {},
  'sees nothing': async (page) => {
    await expect(challengeHeading(page)).toBeVisible()
    await expect(bankFrame(page).getByText('Mihon Bank', { exact: true })).toHaveCount(0)
  },
}

const expectReceipt = (page: Page) => expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()

const expectEnd: Record<ScenarioEnd, (page: Page) => Promise<void>> = {
  paid: expectReceipt,
  // The demo merchant takes cards outside 3-D Secure, and attempts.
  'by policy': expectReceipt,
  modal: (page) => expect(modal(page)).toContainText('Payment failed.'),
  'modal, not authenticated': async (page) => {
    await expect(modal(page)).toContainText('Payment failed.')
    await modal(page).getByRole('button', { name: 'OK' }).click()
    await expect(page.getByText('Authentication was not completed. Nothing was charged.')).toBeVisible()
  },
  init_start: async (page) => {
    await expect(page.getByText('Authentication was not completed. Nothing was charged.')).toBeVisible()
    await expect(page.getByLabel('Name on card')).toHaveValue('TARO YAMADA')
    await expect(payButton(page)).toBeEnabled()
  },
}

/** Compares both records, and annotates the number of charges for the proof. */
const expectRecords = async (chargeCheck: ChargeCheck, checkoutId: string, end: ScenarioEnd): Promise<void> => {
  test.info().annotations.push({ type: 'charges', description: String(await chargeCheck.countCharges()) })
  if (end === 'paid' || end === 'by policy') await chargeCheck.expectPaidOnce(checkoutId)
  else await chargeCheck.expectNothingCharged(checkoutId)
}

/** Every message of a frame arrives twice, the second time before the page has drawn what the first one changed. */
const duplicateMessages = (page: Page) =>
  page.addInitScript(() => {
    if (window !== window.top) return
    window.addEventListener('message', ({ isTrusted, data, origin, source }) => {
      if (isTrusted) window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
    })
  })

const prepare = async (page: Page, scenario: number): Promise<void> => {
  // A page that goes on early without its hidden frames would not notice that their message never came.
  if (scenario !== 22) await lengthenCollectTimeout(page)
  if (scenario === 17 || scenario === 20) await duplicateMessages(page)
}

/** The console error of the browser itself for a page that may not be framed where it is. */
const toleratedConsoleErrors: Readonly<Record<number, RegExp>> = {
  15: /^Framing 'http:\/\/bank\.localhost:\d+\/' violates .* "frame-ancestors 'none'"/,
  17: /^Framing 'http:\/\/3ds\.localhost:\d+\/' violates .* "frame-ancestors 'self' /,
}

const addJourney = (scenario: Scenario, card: string): void => {
  const { number, title, cards, inChallenge, steps, ends, everyRun } = scenario
  const which = cards.length === 1 ? '' : ` (${card})`
  const tag = everyRun && card === cards[0] ? [] : ['@proof']
  test(`scenario ${number}: ${title}${which}`, { tag }, async ({ page, kaikei }) => {
    const chargeCheck = await startChargeCheck(kaikei)
    const taken = recordSteps(page)
    const checkout = await kaikei.createCheckout()
    await prepare(page, number)
    await page.goto(checkout.url)
    await fillCard(page, card)
    await payButton(page).click()
    await actInChallenge[inChallenge](page)
    await expectEnd[ends](page)
    await expectRecords(chargeCheck, checkout.id, ends)
    expect(taken.join(' ')).toBe(steps)
  })
}

for (const scenario of SCENARIOS) {
  test.describe(() => {
    test.use({ toleratedConsoleError: toleratedConsoleErrors[scenario.number] ?? null })
    for (const card of scenario.cards) addJourney(scenario, card)
  })
}

const REJECTED_AGAIN = 'scenario 11: a rejected card is refused at once when it is tried again, and another card pays'
test(REJECTED_AGAIN, { tag: '@proof' }, async ({ page, kaikei }) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await fillCard(page, '4100000000500000')
  await payButton(page).click()
  await expect(modal(page)).toContainText('Payment failed.')
  await modal(page).getByRole('button', { name: 'OK' }).click()

  const taken = recordSteps(page)
  const [refusal] = await Promise.all([page.waitForResponse('**/3ds'), payButton(page).click()])
  expect(refusal.status()).toBe(402)
  await expect(modal(page)).toContainText('Payment failed.')
  expect(taken).toEqual(['start'])
  expect(await chargeCheck.newOrders()).toEqual([])
  await modal(page).getByRole('button', { name: 'OK' }).click()

  await page.getByLabel('Card number').fill(CARDS.good)
  await payButton(page).click()
  await expectReceipt(page)
  await expectRecords(chargeCheck, checkout.id, 'paid')
})
