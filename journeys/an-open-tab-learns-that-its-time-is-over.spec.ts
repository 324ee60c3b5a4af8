import type { Page, Response } from '@playwright/test'
import { bankFrame } from './harness/challenge.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openLive } from './harness/live-page.ts'
import type { Kaikei } from './harness/program.ts'
import { watchMoney } from './harness/money.ts'
import { watchFor } from './harness/seen.ts'

const EXPIRED = 'This invoice has expired.'
const PANEL = 'We are confirming your payment'
const FAILED = 'Payment failed.'

/** A few seconds, in which a tab has to learn of the deadline. */
const A_FEW_SECONDS_MS = 4000

const receipt = (page: Page) => page.getByRole('heading', { name: 'Payment complete' })

/**
 * A deadline that is soon, but not sooner than this machine can bring a tab to where it shall be by then: it is as many
 * times away as the shopper has steps, each as long as it takes now to open the tabs and fill in a form.
 */
const deadlineAfter = async (
  steps: number,
  kaikei: Kaikei,
  tabs: readonly Page[],
): Promise<{ readonly at: number; readonly validUntil: string }> => {
  const { url } = await kaikei.create()
  const started = Date.now()
  for (const tab of tabs) {
    await openLive(tab, url)
    await fillCard(tab, CARDS.good)
  }
  const now = Date.now()
  const at = now + 1000 + steps * (now - started)
  return { at, validUntil: new Date(at).toISOString() }
}

const until = async (page: Page, at: number): Promise<void> => {
  if (at > Date.now()) await page.waitForTimeout(at - Date.now())
}

/** When and with what answer a tab reads its checkout. */
const noteReadings = (
  page: Page,
  checkoutId: string,
): { readonly at: number; readonly answer: Promise<Response> }[] => {
  const readings: { at: number; answer: Promise<Response> }[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || !request.url().endsWith(`/api/v1/checkouts/${checkoutId}`)) return
    const at = Date.now()
    const answer = page.waitForResponse((response) => response.request() === request)
    answer.catch(() => undefined)
    readings.push({ at, answer })
  })
  return readings
}

/** What the browser says of a tab that the shopper comes back to. */
const comesBack = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    window.dispatchEvent(new Event('focus'))
  })

test('an open tab shows within a few seconds that its checkout has expired, by one reading, and reads none on focus', async ({
  page,
  kaikei,
}) => {
  const { at, validUntil } = await deadlineAfter(2, kaikei, [page])
  const { id, url } = await kaikei.create({ validUntil })
  const readings = noteReadings(page, id)
  await openLive(page, url)
  await fillCard(page, CARDS.good)
  await comesBack(page)
  await expect(payButton(page)).toBeEnabled()
  await expect(page.getByText(EXPIRED)).toBeVisible({ timeout: at + A_FEW_SECONDS_MS - Date.now() })
  await expect(page).toHaveURL(`${url}/error`)
  expect(readings).toHaveLength(1)
  expect(readings[0]?.at).toBeGreaterThan(at)
  await comesBack(page)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(readings).toHaveLength(1)
})

test('a payment made in time is honoured: the tab that pays and one beside it read at the deadline, wait, and show the receipt', async ({
  page,
  context,
  kaikei,
}) => {
  const money = await watchMoney(kaikei)
  const tabs = [page, await context.newPage()]
  const sights = await Promise.all(tabs.map((tab) => watchFor(tab, [EXPIRED, PANEL, FAILED])))
  const { at, validUntil } = await deadlineAfter(4, kaikei, tabs)
  const { id, url } = await kaikei.create({ validUntil })
  const readings = tabs.map((tab) => noteReadings(tab, id))
  const { promise: payment, resolve } = Promise.withResolvers<number>()
  await page.route('**/pay', async (route) => {
    // Its acquirer takes three seconds: begun shortly before the deadline, it is under way when that has passed.
    await until(page, at - 1500)
    resolve(Date.now())
    await route.continue()
  })
  for (const tab of tabs) await openLive(tab, url)
  await fillCard(page, CARDS.late)
  await payButton(page).click()
  expect(await payment, 'the journey was too slow to pay in time').toBeLessThan(at)
  for (const tab of tabs) await expect(receipt(tab)).toBeVisible()
  for (const ofTab of readings) {
    const atDeadline = ofTab.find((reading) => reading.at > at)
    const answer = await atDeadline?.answer
    expect(await answer?.json()).toMatchObject({ status: 'open', paymentPending: true })
  }
  expect(sights.map((saw) => [saw(EXPIRED), saw(PANEL), saw(FAILED)])).toEqual([
    [false, true, false],
    [false, true, false],
  ])
  await money.expectPaidOnce(id)
})

test('a challenge that is still open at the deadline ends within a few seconds on the expired page, and nothing is charged', async ({
  page,
  kaikei,
}) => {
  const money = await watchMoney(kaikei)
  const { at, validUntil } = await deadlineAfter(4, kaikei, [page])
  const { id, url } = await kaikei.create({ validUntil })
  const saw = await watchFor(page, [FAILED])
  await openLive(page, url)
  await fillCard(page, CARDS.challenged)
  await payButton(page).click()
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  await until(page, at)
  await expect(page.getByText(EXPIRED)).toBeVisible({ timeout: A_FEW_SECONDS_MS })
  expect(saw(FAILED)).toBe(false)
  expect(await money.charges()).toBe(0)
  expect((await kaikei.read(id)).status).toBe('expired')
})
