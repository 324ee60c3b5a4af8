import type { Page, Route } from '@playwright/test'
import { openHydrated } from './harness/hydration.ts'
import { fetchFromServer, removeInlinedCheckout } from './harness/server-response.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'

/** Answers the reads of the checkout in place of the server. */
const interceptReads = async (
  page: Page,
  checkoutId: string,
  handle: (route: Route, count: number) => Promise<void>,
): Promise<void> => {
  let count = 0
  await page.route(`**/api/v1/checkouts/${checkoutId}`, (route) => {
    count += 1
    return handle(route, count)
  })
}

/** The methods of all requests to this path, in order. */
const recordRequests = (page: Page, path: string): string[] => {
  const methods: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) methods.push(request.method())
  })
  return methods
}

test('while a checkout is loaded by its call', async ({ page, kaikei }) => {
  await removeInlinedCheckout(page)
  await test.step('a checkout that is gone while it loads leads to /404, after one call', async () => {
    const checkout = await kaikei.createCheckout()
    const gone = { type: 'checkout', code: 'checkout_not_found', message: '', params: {} }
    await interceptReads(page, checkout.id, (route) => route.fulfill({ status: 404, json: gone }))
    const reads = recordRequests(page, `/api/v1/checkouts/${checkout.id}`)
    await page.goto(`${checkout.url}/creditcard?mode=test`)
    await expect(page).toHaveURL(/\/404\?mode=test$/)
    expect(reads).toEqual(['GET'])
  })
  await test.step('a broken server while it loads leads to /500, after one call, and the way back is kept through a reload', async () => {
    const checkout = await kaikei.createCheckout()
    await interceptReads(page, checkout.id, (route, count) =>
      count === 1 ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    )
    const reads = recordRequests(page, `/api/v1/checkouts/${checkout.id}`)
    await page.goto(`${checkout.url}/creditcard?mode=test`)
    await expect(page).toHaveURL(/\/500\?mode=test$/)
    await expect(page.getByRole('heading', { name: 'Server error' })).toBeVisible()
    expect(reads).toEqual(['GET'])
    await page.reload()
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page).toHaveURL(`${checkout.url}/creditcard?mode=test`)
  })
  await test.step('any other failure while it loads says so in place and offers another try', async () => {
    const checkout = await kaikei.createCheckout()
    await interceptReads(page, checkout.id, (route, count) => (count === 1 ? route.abort() : route.continue()))
    const reads = recordRequests(page, `/api/v1/checkouts/${checkout.id}`)
    await page.goto(`${checkout.url}/creditcard`)
    await expect(page.getByRole('heading', { name: 'This page could not be loaded.' })).toBeVisible()
    await expect(page.getByText('Network error. Please check your network.')).toBeVisible()
    expect(reads).toHaveLength(1)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
    expect(reads).toHaveLength(2)
  })
  await test.step('a refused reading while it loads is not called a network error', async () => {
    const checkout = await kaikei.createCheckout()
    const refused = [400, 403, 429]
    await interceptReads(page, checkout.id, (route, count) => {
      const status = refused[count - 1]
      return status === undefined ? route.continue() : route.fulfill({ status, json: {} })
    })
    await page.goto(`${checkout.url}/creditcard`)
    for (const status of refused) {
      await expect(page.getByText('use another browser or contact the store'), String(status)).toBeVisible()
      await expect(page.getByText('Network error')).toHaveCount(0)
      await page.getByRole('button', { name: 'Try again' }).click()
    }
    await expect(page.getByLabel('Card number')).toBeVisible()
  })
  await test.step('a status that this release does not know stays on the error page', async () => {
    const checkout = await kaikei.createCheckout()
    await interceptReads(page, checkout.id, async (route) => {
      const response = await fetchFromServer(route)
      await route.fulfill({ response, json: { ...(await response.json()), status: 'on_hold' } })
    })
    await page.goto(`${checkout.url}/creditcard`)
    await expect(page).toHaveURL(`${checkout.url}/error`)
    await expect(page.getByText('This invoice cannot be paid at the moment.')).toBeVisible()
  })
  await test.step('a checkout that was loaded by its call is shown in its own language', async () => {
    const checkout = await kaikei.createCheckout({ locale: 'ja_JP' })
    await page.goto(`${checkout.url}/creditcard`)
    await expect(page.getByLabel('カード番号')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  })
})

test('a page that stays open reads what it must and no more', async ({ page, kaikei, context }) => {
  const checkout = await kaikei.createCheckout()
  await test.step('the checkout is not read again on focus; it is when the browser comes back online; the prefixes never on focus', async () => {
    const reads = recordRequests(page, `/api/v1/checkouts/${checkout.id}`)
    const prefixes = recordRequests(page, '/api/v1/bincodes')
    await openHydrated(page, checkout.url)
    await page.evaluate(() => {
      window.dispatchEvent(new Event('focus'))
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    })
    await page.getByLabel('Name on card').fill('TARO')
    expect(reads).toEqual([])
    expect(prefixes).toEqual(['GET'])
    await context.setOffline(true)
    await context.setOffline(false)
    await expect.poll(() => reads).toEqual(['GET'])
  })
  await test.step('a shop without a cancel link offers no Cancel button', async () => {
    await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  })
})

test('what cannot be read, or is read late, keeps nobody from the receipt', async ({ page, kaikei, context }) => {
  const checkout = await kaikei.createCheckout()
  const stale = await (
    await context.request.get(new URL(checkout.url).origin.replace('demo.', '') + `/api/v1/checkouts/${checkout.id}`, {
      headers: { merchant: 'demo' },
    })
  ).json()
  await test.step('prefixes that cannot be read are not asked for again, and the card can still be paid', async () => {
    await page.route('**/api/v1/bincodes', (route) => route.fulfill({ status: 503, json: {} }))
    const prefixes = recordRequests(page, '/api/v1/bincodes')
    await page.goto(checkout.url)
    await fillCard(page, CARDS.good)
    await payButton(page).click()
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    expect(prefixes).toHaveLength(1)
  })
  await test.step('a reading that arrives late and says open does not bring the form back to somebody who has paid', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    await interceptReads(page, checkout.id, async (route) => {
      await route.fulfill({ json: stale })
      resolve(undefined)
    })
    await context.setOffline(true)
    await context.setOffline(false)
    await promise
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    await expect(page).toHaveURL(`${checkout.url}/complete`)
  })
})

test('offline, pay and cancel fail at once, and nothing is sent later', async ({ page, kaikei, context }) => {
  const checkout = await kaikei.createCheckout({ links: { cancelUrl: 'https://shop.example.com/cart' } })
  await openHydrated(page, checkout.url)
  await fillCard(page, CARDS.good)
  await context.setOffline(true)
  const starts = recordRequests(page, `/api/v1/checkouts/${checkout.id}/3ds`)
  const calls = recordRequests(page, `/api/v1/checkouts/${checkout.id}`)
  const ok = page.getByRole('button', { name: 'OK' })
  await payButton(page).click()
  await ok.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await ok.click()
  expect(starts).toEqual(['POST'])
  expect(calls).toContain('DELETE')
  await context.setOffline(false)
  await expect.poll(() => calls.at(-1)).toBe('GET')
  expect(calls.filter((method) => method === 'DELETE')).toHaveLength(1)
  expect(starts).toEqual(['POST'])
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('open')
})

test('a cancel whose answer carries no cancel link shows the error page of the cancelled checkout', async ({
  page,
  kaikei,
}) => {
  const checkout = await kaikei.createCheckout({ links: { cancelUrl: 'https://shop.example.com/cart' } })
  await interceptReads(page, checkout.id, async (route) => {
    const response = await fetchFromServer(route)
    await route.fulfill({ response, json: { ...(await response.json()), links: {} } })
  })
  await openHydrated(page, checkout.url)
  await fillCard(page, CARDS.good)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(`${checkout.url}/error`)
  await expect(page.getByText('Cancelled invoice.')).toBeVisible()
})
