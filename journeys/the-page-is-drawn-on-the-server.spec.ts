import { openHydrated } from './harness/hydration.ts'
import { removeInlinedCheckout } from './harness/server-response.ts'
import { expect, test } from './harness/fixtures.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the shopper sees the amount, the shop and the form, in the shop’s colour, and that paying needs JavaScript', async ({
    page,
    kaikei,
  }) => {
    const checkout = await kaikei.createCheckout({ amount: 4980 })
    await page.goto(checkout.url)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('¥4,980 JPY')
    await expect(page.getByText('青山茶舗 Aoyama Tea').first()).toBeVisible()
    await expect(page.getByLabel('Card number')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Pay ¥4,980 JPY' })).toBeDisabled()
    await expect(page.getByText('Payment requires JavaScript.')).toBeVisible()
    await expect(page.getByRole('link', { name: '青山茶舗 Aoyama Tea' })).toHaveCSS('color', 'rgb(47, 107, 79)')
  })
})

test('the page has its checkout from the document, or else by a call', async ({ page, kaikei }) => {
  const checkout = await kaikei.createCheckout({ amount: 4980 })
  await test.step('opening the link makes no call for the checkout: it is in the document', async () => {
    const calls: string[] = []
    page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await openHydrated(page, checkout.url)
    await page.waitForLoadState('networkidle')
    expect(calls.filter((call) => call.includes('/api/v1/'))).toEqual(['GET /api/v1/bincodes'])
  })
  await test.step('with the inlined data removed the page shows the spinner and loads the checkout by its call', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    await removeInlinedCheckout(page)
    await page.route(`**/api/v1/checkouts/${checkout.id}`, async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${checkout.url}/creditcard`)
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    await expect(page.getByLabel('Card number')).toBeHidden()
    release(undefined)
    await expect(page.getByLabel('Card number')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('¥4,980 JPY')
  })
})
