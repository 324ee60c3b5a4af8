import type { Page } from '@playwright/test'
import { expect, test } from './harness/fixtures.ts'
import { waitUntilLive } from './harness/hydration.ts'
import { oddAddresses } from './harness/odd-addresses.ts'
import { watchPageErrors } from './harness/page-errors.ts'
import { fetchFromServer } from './harness/server-response.ts'

interface Visit {
  readonly headings: readonly string[]
  readonly url: string
  readonly calls: readonly string[]
}

const headingsOf = (page: Page): Promise<string[]> => page.getByRole('heading', { level: 1 }).allTextContents()

/** Opens an address and compares what the server has drawn with what the page makes of it. */
const visit = async (page: Page, address: string): Promise<{ drawn: Visit; alive: Visit } | null> => {
  const calls: string[] = []
  const note = (request: { url(): string }): void => {
    if (request.url().includes('/api/v1/checkouts/')) calls.push(request.url())
  }
  page.on('request', note)
  const response = await page.goto(address, { waitUntil: 'commit' })
  // Plain texts, such as the answer to a call's own address, hold no page.
  const isPage = (await response?.text().catch(() => ''))?.includes('id="page"') === true
  if (!isPage) {
    page.off('request', note)
    return null
  }
  const url = response?.url() ?? ''
  await page.locator('h1').first().waitFor()
  const drawn = { headings: await headingsOf(page), url, calls: [] }
  await waitUntilLive(page)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const alive = { headings: await headingsOf(page), url: page.url().replace(/#.*$/, ''), calls }
  page.off('request', note)
  return { drawn, alive }
}

const expectSame = async (page: Page, addresses: readonly string[]): Promise<number> => {
  let pages = 0
  for (const address of addresses) {
    const seen = await visit(page, address)
    if (seen === null) continue
    pages += 1
    expect(seen.alive, address).toEqual(seen.drawn)
  }
  return pages
}

test('at the addresses that once were rewritten the page shows what was drawn, without a call', async ({
  page,
  links,
}) => {
  const { origin, pathname } = new URL(links.open)
  const addresses = [`${pathname}/creditcard/?mode=test`, '/foo', '/robots.txt', pathname.toUpperCase(), '/500/']
  expect(
    await expectSame(
      page,
      addresses.map((path) => origin + path),
    ),
  ).toBe(addresses.length)
  await page.goto(`${origin}${pathname}/creditcard/?mode=test`)
  await expect(page).toHaveURL(`${links.open}/creditcard?mode=test`)
})

test('a server error that is drawn at a checkout’s address stays a server error', async ({ page, links }) => {
  const { origin } = new URL(links.open)
  await page.route(`${links.open}/creditcard`, async (route) => {
    const url = new URL(route.request().url())
    const response = await route.fetch({ url: `http://127.0.0.1:${url.port}/500`, headers: { host: url.host } })
    await route.fulfill({ response })
  })
  expect(await expectSame(page, [`${links.open}/creditcard`])).toBe(1)
  await expect(page.getByRole('heading', { name: 'Server error' })).toBeVisible()
  expect(page.url()).toBe(`${links.open}/creditcard`)
  expect(origin).not.toBe('')
})

test(
  '200 odd addresses: none of them makes a hydration error, a call or another address',
  { tag: '@proof' },
  async ({ page, links }, testInfo) => {
    test.setTimeout(300_000)
    const { origin, pathname } = new URL(links.open)
    const addresses = oddAddresses(pathname.slice(1), new URL(links.paid).pathname.slice(1))
    expect(addresses.length).toBeGreaterThanOrEqual(200)
    const pages = await expectSame(
      page,
      addresses.map((path) => origin + path),
    )
    testInfo.annotations.push({ type: 'addresses', description: String(addresses.length) })
    testInfo.annotations.push({ type: 'pages', description: String(pages) })
  },
)

test('a page that is drawn and alive differently is an error that no journey can tolerate', async ({
  browser,
  links,
}) => {
  const context = await browser.newContext()
  const errors = watchPageErrors(context, /./)
  const page = await context.newPage()
  await page.route(`${links.open}/creditcard`, async (route) => {
    const response = await fetchFromServer(route)
    await route.fulfill({ response, body: (await response.text()).replace(/Card details<\/h2>/, 'Other</h2>') })
  })
  await page.goto(`${links.open}/creditcard`)
  await expect(page.getByRole('heading', { name: 'Card details' })).toBeVisible()
  await expect.poll(() => errors).toEqual([expect.stringContaining('React error #418')])
  await context.close()
})
