import type { Page, Response } from '@playwright/test'
import { bankFrame } from './harness/challenge.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openHydrated } from './harness/hydration.ts'
import type { Kaikei } from './harness/program.ts'
import { startChargeCheck } from './harness/charge-check.ts'
import { watchForTexts } from './harness/seen-texts.ts'

const EXPIRED = 'This invoice has expired.'
const PANEL = 'We are confirming your payment'
const FAILED = 'Payment failed.'

/** A tab reads half a second after the deadline (page/checkout/deadline.test.ts); an answer may take a busy machine long. */
const AFTER_DEADLINE_MS = 40_000

const receipt = (page: Page) => page.getByRole('heading', { name: 'Payment complete' })

/**
 * A deadline that is soon, but not too soon for a slow machine: it allows for each step of the shopper the time that it
 * takes now to open the tabs and fill in a form.
 */
const deadlineAfter = async (
  steps: number,
  kaikei: Kaikei,
  tabs: readonly Page[],
): Promise<{ readonly at: number; readonly validUntil: string }> => {
  const { url } = await kaikei.createCheckout()
  const started = Date.now()
  for (const tab of tabs) {
    await openHydrated(tab, url)
    await fillCard(tab, CARDS.good)
  }
  const now = Date.now()
  const at = now + 1000 + steps * (now - started)
  return { at, validUntil: new Date(at).toISOString() }
}

const waitUntilTime = async (page: Page, at: number): Promise<void> => {
  if (at > Date.now()) await page.waitForTimeout(at - Date.now())
}

/** Records when a tab reads its checkout, and the answer. */
const recordReads = (page: Page, checkoutId: string): { readonly at: number; readonly answer: Promise<Response> }[] => {
  const reads: { at: number; answer: Promise<Response> }[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || !request.url().endsWith(`/api/v1/checkouts/${checkoutId}`)) return
    const at = Date.now()
    const answer = page.waitForResponse((response) => response.request() === request)
    answer.catch(() => undefined)
    reads.push({ at, answer })
  })
  return reads
}

/** The events of a tab that the shopper comes back to. */
const returnToTab = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    window.dispatchEvent(new Event('focus'))
  })

test('an open tab shows that its checkout has expired, by one reading, and reads none on focus', async ({
  page,
  kaikei,
}) => {
  const { at, validUntil } = await deadlineAfter(4, kaikei, [page])
  const { id, url } = await kaikei.createCheckout({ validUntil })
  const reads = recordReads(page, id)
  await openHydrated(page, url)
  await fillCard(page, CARDS.good)
  await returnToTab(page)
  await expect(payButton(page)).toBeEnabled()
  await expect(page.getByText(EXPIRED)).toBeVisible({ timeout: at + AFTER_DEADLINE_MS - Date.now() })
  await expect(page).toHaveURL(`${url}/error`)
  expect(reads).toHaveLength(1)
  expect(reads[0]?.at).toBeGreaterThan(at)
  await returnToTab(page)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(reads).toHaveLength(1)
})

test(
  'a payment made in time is honoured: the tab that pays and one beside it read at the deadline, wait, and show the receipt',
  { tag: '@proof' },
  async ({ page, context, kaikei }) => {
    const chargeCheck = await startChargeCheck(kaikei)
    const tabs = [page, await context.newPage()]
    const seenInTabs = await Promise.all(tabs.map((tab) => watchForTexts(tab, [EXPIRED, PANEL, FAILED])))
    const { at, validUntil } = await deadlineAfter(8, kaikei, tabs)
    const { id, url } = await kaikei.createCheckout({ validUntil })
    const reads = tabs.map((tab) => recordReads(tab, id))
    const { promise: payStartedAt, resolve } = Promise.withResolvers<number>()
    await page.route('**/pay', async (route) => {
      // Its acquirer takes three seconds: begun shortly before the deadline, it is under way when that has passed.
      await waitUntilTime(page, at - 1500)
      resolve(Date.now())
      await route.continue()
    })
    for (const tab of tabs) await openHydrated(tab, url)
    await fillCard(page, CARDS.late)
    await payButton(page).click()
    expect(await payStartedAt, 'the journey was too slow to pay in time').toBeLessThan(at)
    for (const tab of tabs) await expect(receipt(tab)).toBeVisible()
    for (const ofTab of reads) {
      const atDeadline = ofTab.find((read) => read.at > at)
      const answer = await atDeadline?.answer
      expect(await answer?.json()).toMatchObject({ status: 'open', paymentPending: true })
    }
    expect(seenInTabs.map((wasSeen) => [wasSeen(EXPIRED), wasSeen(PANEL), wasSeen(FAILED)])).toEqual([
      [false, true, false],
      [false, true, false],
    ])
    await chargeCheck.expectPaidOnce(id)
  },
)

test('a challenge that is still open at the deadline ends on the expired page, and nothing is charged', async ({
  page,
  kaikei,
}) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const { at, validUntil } = await deadlineAfter(8, kaikei, [page])
  const { id, url } = await kaikei.createCheckout({ validUntil })
  const wasSeen = await watchForTexts(page, [FAILED])
  await openHydrated(page, url)
  await fillCard(page, CARDS.challenged)
  await payButton(page).click()
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  await waitUntilTime(page, at)
  await expect(page.getByText(EXPIRED)).toBeVisible({ timeout: AFTER_DEADLINE_MS })
  expect(wasSeen(FAILED)).toBe(false)
  expect(await chargeCheck.countCharges()).toBe(0)
  expect((await kaikei.readCheckout(id)).status).toBe('expired')
})
