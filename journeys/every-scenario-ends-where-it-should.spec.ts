import type { Page } from '@playwright/test'
import { answerChallenge, bankFrame, collectPatiently } from './harness/challenge.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import type { Kaikei } from './harness/program.ts'
import { SCENARIOS, type End, type InChallenge, type Scenario } from './harness/scenarios.ts'

const CALL = /\/api\/v1\/(?:checkouts\/\w+\/)?3ds(?:\/\w+\/([a-z-]+))?$/
const BANK = /^http:\/\/bank\.localhost:\d+\/challenge$/

/** The calls that move a payment, and the bank's page: of GETs there are as many as the waiting takes. */
const noteSteps = (page: Page): string[] => {
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
const challengeHeading = (page: Page) => page.getByRole('heading', { name: 'Confirm with your card company' })

const inChallenge: Record<InChallenge, (page: Page) => Promise<void>> = {
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
  // The bank's page may be gone again before anybody could look at it.
  'looks on': async () => {},
  'sees nothing': async (page) => {
    await expect(challengeHeading(page)).toBeVisible()
    await expect(bankFrame(page).getByText('Mihon Bank', { exact: true })).toHaveCount(0)
  },
}

const paidOnPage = (page: Page) => expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()

const onPage: Record<End, (page: Page) => Promise<void>> = {
  paid: paidOnPage,
  // The demo merchant takes cards outside 3-D Secure, and attempts.
  'by policy': paidOnPage,
  modal: (page) => expect(modal(page)).toContainText('Payment failed.'),
  init_start: async (page) => {
    await expect(page.getByText('Authentication was not completed. Nothing was charged.')).toBeVisible()
    await expect(page.getByLabel('Name on card')).toHaveValue('TARO YAMADA')
    await expect(payButton(page)).toBeEnabled()
  },
}

/** The acquirer's orders that came in since `before`: no other journey uses this acquirer meanwhile. */
const ordersSince = async (kaikei: Kaikei, before: readonly { orderId: string }[]) => {
  const known = new Set(before.map(({ orderId }) => orderId))
  return (await kaikei.charges()).filter(({ orderId }) => !known.has(orderId))
}

/** What the merchant and the acquirer say of the checkout, as two witnesses who have not seen the page. */
const expectMoney = async (kaikei: Kaikei, checkoutId: string, before: readonly { orderId: string }[], end: End) => {
  const { status, transactionId, paymentPending } = await kaikei.read(checkoutId)
  const orders = await ordersSince(kaikei, before)
  const charged = orders.filter((order) => order.status === 'charged')
  test.info().annotations.push({ type: 'charges', description: String(charged.length) })
  const isPaid = end === 'paid' || end === 'by policy'
  expect({ status, paymentPending, charged: charged.map((order) => order.transactionId) }).toEqual({
    status: isPaid ? 'paid' : 'open',
    paymentPending: false,
    charged: isPaid ? [transactionId] : [],
  })
}

/** Whatever a frame says is heard twice, the second time before the page has drawn what the first one changed. */
const hearTwice = (page: Page) =>
  page.addInitScript(() => {
    if (window !== window.top) return
    window.addEventListener('message', ({ isTrusted, data, origin, source }) => {
      if (isTrusted) window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
    })
  })

const prepare = async (page: Page, scenario: number): Promise<void> => {
  // A page that soon goes on without its hidden frames would not notice that their message never came.
  if (scenario !== 22) await collectPatiently(page)
  if (scenario === 17 || scenario === 20) await hearTwice(page)
}

/** What the browser itself says of a page that may not be framed where it is. */
const unavoidable: Readonly<Record<number, RegExp>> = {
  15: /^Framing 'http:\/\/bank\.localhost:\d+\/' violates .* "frame-ancestors 'none'"/,
  17: /^Framing 'http:\/\/3ds\.localhost:\d+\/' violates .* "frame-ancestors 'self' /,
}

const tell = (scenario: Scenario, card: string): void => {
  const { number, title, cards, shopper, steps, ends, usual } = scenario
  const which = cards.length === 1 ? '' : ` (${card})`
  const tag = usual && card === cards[0] ? [] : ['@proof']
  test(`scenario ${number}: ${title}${which}`, { tag }, async ({ page, kaikei }) => {
    const before = await kaikei.charges()
    const taken = noteSteps(page)
    const checkout = await kaikei.create()
    await prepare(page, number)
    await page.goto(checkout.url)
    await fillCard(page, card)
    await payButton(page).click()
    await inChallenge[shopper](page)
    await onPage[ends](page)
    await expectMoney(kaikei, checkout.id, before, ends)
    expect(taken.join(' ')).toBe(steps)
  })
}

for (const scenario of SCENARIOS) {
  test.describe(() => {
    test.use({ tolerated: unavoidable[scenario.number] ?? null })
    for (const card of scenario.cards) tell(scenario, card)
  })
}

test('scenario 11: a rejected card is refused at once when it is tried again, and another card pays', async ({
  page,
  kaikei,
}) => {
  const before = await kaikei.charges()
  const checkout = await kaikei.create()
  await page.goto(checkout.url)
  await fillCard(page, '4100000000500000')
  await payButton(page).click()
  await expect(modal(page)).toContainText('Payment failed.')
  await modal(page).getByRole('button', { name: 'OK' }).click()

  const taken = noteSteps(page)
  const [refusal] = await Promise.all([page.waitForResponse('**/3ds'), payButton(page).click()])
  expect(refusal.status()).toBe(402)
  await expect(modal(page)).toContainText('Payment failed.')
  expect(taken).toEqual(['start'])
  expect(await ordersSince(kaikei, before)).toEqual([])
  await modal(page).getByRole('button', { name: 'OK' }).click()

  await page.getByLabel('Card number').fill(CARDS.good)
  await payButton(page).click()
  await paidOnPage(page)
  await expectMoney(kaikei, checkout.id, before, 'paid')
})
