import type { Page } from '@playwright/test'
import { abortRoute, CARDS, fillCard, payButton, payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { framesThatInvitePayment, recordFormFrames } from './harness/form-frames.ts'
import { startChargeCheck, type ChargeCheck } from './harness/charge-check.ts'
import type { Kaikei } from './harness/program.ts'
import { watchForTexts } from './harness/seen-texts.ts'

const PANEL = 'We are confirming your payment'

const panel = (page: Page) => page.getByRole('heading', { name: PANEL })

const FAILED = 'Payment failed.'

/** The addresses of this path that the page has asked for. */
const recordRequests = (page: Page, path: string): string[] => {
  const requested: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) requested.push(path)
  })
  return requested
}

/** The receipt is shown at the end, the panel was shown before, and the acquirer made one charge. */
const expectConfirmed = async (
  page: Page,
  chargeCheck: ChargeCheck,
  id: string,
  wasSeen: (text: string) => boolean,
): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  expect({ panel: wasSeen(PANEL), failed: wasSeen(FAILED) }).toEqual({ panel: true, failed: false })
  await chargeCheck.expectPaidOnce(id)
}

const endsWithNothingCharged = async (page: Page, kaikei: Kaikei, card: string): Promise<void> => {
  const wasSeen = await watchForTexts(page, [PANEL, FAILED])
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await payWithCard(page, card)
  await expect(page.getByText('Nothing was charged.')).toBeVisible({ timeout: 40_000 })
  expect({ panel: wasSeen(PANEL), failed: wasSeen(FAILED) }).toEqual({ panel: true, failed: false })
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('open')

  await payWithCard(page, CARDS.outsideThreeDS)
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
}

const THANKS = 'http://localhost:9/thanks'

/** The shop's own page, which its server takes three seconds for. */
const serveSlowShop = (page: Page): Promise<unknown> =>
  page.context().route(THANKS, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await route.fulfill({ contentType: 'text/html', body: 'Thank you' })
  })

test.describe(() => {
  // Frames are recorded as most shoppers see them, cross-fades included.
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  // Five silences in a row, as a proof has them, would open the circuit breaker before the next payment.
  test.afterEach(async ({ page, kaikei }, { tags }) => {
    if (!tags.includes('@proof')) return
    await page.goto((await kaikei.createCheckout()).url)
    await payWithCard(page, CARDS.outsideThreeDS)
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  })

  for (const { card, redirects, everyRun } of [
    { card: CARDS.answeredWith500, redirects: false, everyRun: true },
    { card: CARDS.answeredWith500, redirects: true },
    { card: CARDS.neverAnswered, redirects: false },
    { card: CARDS.neverAnswered, redirects: true },
    { card: CARDS.late, redirects: false },
    { card: CARDS.late, redirects: true },
    { card: CARDS.queued, redirects: false },
    { card: CARDS.queued, redirects: true },
  ])
    test(
      `a charge in doubt (${card}) is confirmed and ends ${redirects ? 'at a slow shop' : 'on the receipt'}, charged once, and no frame shows a form in between`,
      {
        tag: everyRun === true ? [] : ['@proof'],
      },
      async ({ page, kaikei }) => {
        const chargeCheck = await startChargeCheck(kaikei)
        const frames = await recordFormFrames(page)
        const wasSeen = await watchForTexts(page, [PANEL, FAILED])
        const prefixes = recordRequests(page, '/api/v1/bincodes')
        await serveSlowShop(page)
        // On a busy machine the first reading would know the outcome already, and no panel would be shown.
        await page.route(/\/api\/v1\/checkouts\/\w+$/, abortRoute, { times: 1 })
        const checkout = await kaikei.createCheckout(redirects ? { links: { redirectUrl: THANKS } } : {})
        await page.goto(checkout.url)
        await payWithCard(page, card)
        if (redirects) await expect(page).toHaveURL(THANKS, { timeout: 40_000 })
        else await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused({ timeout: 40_000 })
        expect(framesThatInvitePayment(frames)).toEqual([])
        const panels = frames.filter(({ shows }) => shows === 'confirming panel')
        // The pay call may outlast the queue: then there is no doubt.
        if (card !== CARDS.queued) expect(panels.some(({ isPaySent }) => isPaySent)).toBe(true)
        expect(panels.filter(({ hasConsent }) => hasConsent)).toEqual([])
        expect({ failed: wasSeen(FAILED), prefixes: prefixes.length }).toEqual({ failed: false, prefixes: 1 })
        await chargeCheck.expectPaidOnce(checkout.id)
      },
    )

  const SLOW_SHOP =
    'a shopper who pays at once sees the paid form until a slow shop is there, and the receipt on the way back'
  test(SLOW_SHOP, { tag: '@proof' }, async ({ page, kaikei }) => {
    const frames = await recordFormFrames(page)
    await serveSlowShop(page)
    const checkout = await kaikei.createCheckout({ links: { redirectUrl: THANKS } })
    await page.goto(checkout.url)
    await payWithCard(page, CARDS.outsideThreeDS)
    await expect(page).toHaveURL(THANKS, { timeout: 40_000 })
    expect(framesThatInvitePayment(frames)).toEqual([])
    expect(frames.some(({ isPaySent, shows, isBusy }) => isPaySent && shows === 'form' && isBusy)).toBe(true)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  })

  for (const card of [CARDS.dropped, CARDS.droppedWith500])
    test(
      `a charge lost on the way (${card}) shows no frame with a form until nothing was charged`,
      { tag: '@proof' },
      async ({ page, kaikei }) => {
        const frames = await recordFormFrames(page)
        await endsWithNothingCharged(page, kaikei, card)
        expect(framesThatInvitePayment(frames)).toEqual([])
      },
    )
})

test('a charge lost on the way ends on the form, which says that nothing was charged, and a second card pays', async ({
  page,
  kaikei,
}) => endsWithNothingCharged(page, kaikei, CARDS.dropped))

const RELOADED =
  'a shopper whose charge is answered late and who reloads sees the panel again, then the receipt, charged once'
test(RELOADED, { tag: '@proof' }, async ({ page, kaikei }) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const wasSeen = await watchForTexts(page, [PANEL, FAILED])
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.late)
  await payButton(page).click()
  await expect(panel(page)).toBeVisible()
  await page.reload()
  await expect(panel(page)).toBeVisible()
  await expectConfirmed(page, chargeCheck, checkout.id, wasSeen)
})

test('two tabs that pay at once make one charge, and both end on the receipt', async ({ page, context, kaikei }) => {
  const checkout = await kaikei.createCheckout()
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(checkout.url)
    await fillCard(tab, CARDS.good)
  }
  await Promise.all([payButton(page).click(), payButton(other).click()])
  for (const tab of [page, other]) {
    const ok = tab.getByRole('button', { name: 'OK' })
    const receipt = tab.getByRole('heading', { name: 'Payment complete' })
    await expect(ok.or(receipt)).toBeVisible()
    // The tab whose order code was superseded before its pay call shows a failure; trying again shows the receipt.
    if (await ok.isVisible()) {
      await ok.click()
      await payButton(tab).click()
    }
    await expect(receipt).toBeVisible()
  }
  const charged = (await kaikei.acquirerOrders()).filter(({ transactionId }) => transactionId !== undefined)
  const paid = await kaikei.readCheckout(checkout.id)
  expect(charged.filter(({ transactionId }) => transactionId === paid.transactionId)).toHaveLength(1)
})
