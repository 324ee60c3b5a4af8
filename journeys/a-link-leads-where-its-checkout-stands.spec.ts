import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'

test('a paid link leads to the receipt, from every one of its addresses, and keeps its query', async ({
  page,
  kaikei,
}) => {
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await fillCard(page, CARDS.good)
  await payButton(page).click()
  await expect(page).toHaveURL(`${checkout.url}/complete`)
  for (const address of ['', '/creditcard', '/error', '/complete']) {
    await page.goto(`${checkout.url}${address}?mode=test`)
    await expect(page).toHaveURL(`${checkout.url}/complete?mode=test`)
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  }
})

test('an expired link leads to the error page, which says whom to ask', async ({ page, kaikei }) => {
  const checkout = await kaikei.createCheckout({ validUntil: new Date(Date.now() + 3000).toISOString() })
  await expect.poll(async () => (await kaikei.readCheckout(checkout.id)).status).toBe('expired')
  await page.goto(checkout.url)
  await expect(page).toHaveURL(`${checkout.url}/error`)
  await expect(page.getByText('This invoice has expired.')).toBeVisible()
  await expect(page.getByText('Please contact the store owner.')).toBeVisible()
  await expect(page.getByRole('link', { name: /shop@aoyama-tea/ })).toBeVisible()
})

test('an unknown link leads to /404, which answers 404', async ({ page, kaikei }) => {
  const { origin } = new URL((await kaikei.createCheckout()).url)
  const response = await page.goto(`${origin}/${'a'.repeat(32)}`)
  await expect(page).toHaveURL(`${origin}/404`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404 Page not found' })).toBeVisible()
})

test('an unknown path below a checkout shows the not found page with status 404', async ({ page, kaikei }) => {
  const checkout = await kaikei.createCheckout()
  const response = await page.goto(`${checkout.url}/invoice`)
  expect(response?.status()).toBe(404)
  await expect(page.getByText('The page you are looking for cannot be found.')).toBeVisible()
})

test('a cancelled checkout sends the shopper back to the shop and cannot be paid any more', async ({
  page,
  kaikei,
}) => {
  const cart = 'https://shop.example.com/cart'
  await page.route(cart, (route) => route.fulfill({ body: 'cart' }))
  const checkout = await kaikei.createCheckout({ links: { cancelUrl: cart } })
  await page.goto(checkout.url)
  await fillCard(page, CARDS.good)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(cart)
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('cancelled')
  await page.goto(checkout.url)
  await expect(page.getByText('Cancelled invoice.')).toBeVisible()
})
