import { answerChallenge, bankFrame } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { openHydrated } from './harness/hydration.ts'

test('the bank’s link into its own app is not blocked, and the payment approved there ends on the receipt', async ({
  page,
  kaikei,
}) => {
  const { url } = await kaikei.createCheckout()
  await openHydrated(page, url)
  await fillCard(page, CARDS.approvedInApp)
  // The page must not learn of the approval before the link was pressed.
  await page.route('**/monitor', (route) => route.abort())
  await payButton(page).click()
  // The page's own policy would name the link on the console, which fails every journey.
  await bankFrame(page).getByRole('link', { name: 'Open the app' }).click()
  await page.unroute('**/monitor')
  await expect(page).toHaveURL(/\/complete$/)
})

test('the bank may open a window of its own and keeps a handle on it', { tag: '@proof' }, async ({ page, kaikei }) => {
  const { url } = await kaikei.createCheckout()
  await openHydrated(page, url)
  await fillCard(page, CARDS.challenged)
  await payButton(page).click()
  const heading = bankFrame(page).getByRole('heading').first()
  await heading.evaluate((element) => {
    element.addEventListener('click', () => {
      element.dataset['handle'] = String(window.open('about:blank') !== null)
    })
  })
  const [popup] = await Promise.all([page.waitForEvent('popup'), heading.click()])
  await expect(heading).toHaveAttribute('data-handle', 'true')
  await popup.close()
  await answerChallenge(page, '123456')
  await expect(page).toHaveURL(/\/complete$/)
})
