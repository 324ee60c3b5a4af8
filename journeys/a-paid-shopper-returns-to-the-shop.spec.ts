import { openHydrated } from './harness/hydration.ts'
import { fetchFromServer } from './harness/server-response.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'

const THANKS = 'http://localhost:9/thanks'

test('a shopper whose pay answer is lost on the way, and who comes back online, is still sent on to the shop', async ({
  page,
  context,
  kaikei,
}) => {
  const { url } = await kaikei.createCheckout({ links: { redirectUrl: THANKS } })
  await context.route(THANKS, (route) => route.fulfill({ contentType: 'text/html', body: 'Thank you' }))
  await openHydrated(page, url)
  await page.route('**/pay', async (route) => {
    await fetchFromServer(route)
    await context.setOffline(true)
    await route.abort('internetdisconnected')
  })
  await fillCard(page, CARDS.good)
  await payButton(page).click()
  await expect(page.getByText(/confirming your payment/i).first()).toBeVisible()
  await context.setOffline(false)
  await expect(page).toHaveURL(THANKS)
})
