import type { Page } from '@playwright/test'
import { axeViolations } from './harness/axe.ts'
import { expectScreen, signIn, type ConsolePerson } from './harness/console.ts'
import { expect, test } from './harness/fixtures.ts'

/** What a browser reports of a page that must not be framed. */
test.use({ toleratedConsoleError: /frame-ancestors 'none'/ })

/** A call of the console itself, with the session of this page. */
const call = <T>(page: Page, path: string, body: object): Promise<T> =>
  page.evaluate(
    async ({ address, payload }) => {
      const headers = { merchant: 'look', mode: 'test', 'content-type': 'application/json' }
      const answer = await fetch(address, { method: 'POST', headers, body: payload })
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json() as Promise<T>
    },
    { address: path, payload: JSON.stringify(body) },
  )

/** A shop of its own: all other journeys look at the demo. */
const openShop = async (page: Page, mailbox: string, { email, origin }: ConsolePerson): Promise<void> => {
  await call(page, '/console/v1/operator/shops', {
    label: 'look',
    shopName: 'Kanda Books',
    owner: { email, locale: 'en-US' },
  })
  let link: string | undefined
  const readLink = async (): Promise<string | undefined> => {
    const { items } = (await (await fetch(`${mailbox}/v1/mails`)).json()) as { items: { number: number }[] }
    for (const { number } of items) {
      const html = await (await fetch(`${mailbox}/${number}/html`)).text()
      link ??= html.includes('Kanda Books') ? /https?:\/\/[^"<\s]+\/invitation\/[a-z0-9]+/.exec(html)?.[0] : undefined
    }
    return link
  }
  await expect.poll(readLink, { intervals: [100, 200, 300] }).toBeDefined()
  await page.goto(link ?? origin)
  await page.getByRole('button', { name: 'Join' }).click()
  await expectScreen(page, 'You have joined')
}

test('an owner changes colour and logo, sees both in the preview, saves, and the real page has them; a checkout is shown in no frame', async ({
  page,
  owner,
  kaikei,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, owner)
  await openShop(page, kaikei.mailbox, owner)
  await page.goto(`${owner.origin}/shops/look/test/look`)
  await expectScreen(page, 'Look and settings')
  const preview = page.frameLocator('iframe[aria-hidden="false"]')
  await expect(preview.locator('main')).toContainText('Kanda Books')

  await page.getByLabel('Colour', { exact: true }).fill('#aa0011')
  await page.getByLabel('Choose a picture').first().setInputFiles('server/demo/logo.png')
  await expect(page.getByText(/^A new picture \(\d+ × \d+, \d+ kB\), not saved yet\.$/)).toBeVisible()
  await expect(preview.locator('button[type="submit"]')).toHaveCSS('background-color', 'rgb(170, 0, 17)')
  await expect(preview.getByRole('img', { name: 'Kanda Books' })).toHaveAttribute('src', /^data:image\/webp;/)
  await expect(page.getByText('2 changes are not saved.')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  // Another screen and back: what was not saved is still there.
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expectScreen(page, 'Account')
  await page.goBack()
  await expect(page.getByText('2 changes are not saved.')).toBeVisible()

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByText(/not saved/)).toHaveCount(0)
  await expect(preview.getByRole('img', { name: 'Kanda Books' })).toHaveAttribute(
    'src',
    /\/pictures\/[0-9a-f]{64}\.png$/,
  )

  const { url } = await call<{ url: string }>(page, '/merchant/v1/checkouts', { amount: 1980 })
  const refused = page.waitForEvent('console', (message) => message.text().includes("frame-ancestors 'none'"))
  await page.evaluate((address) => {
    const frame = document.createElement('iframe')
    frame.src = address
    document.body.append(frame)
  }, url)
  await refused

  await page.goto(url)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'))).toBe(
    '#aa0011',
  )
  await expect(page.getByRole('img', { name: 'Kanda Books' })).toHaveAttribute('src', /\/pictures\/[0-9a-f]{64}\.png$/)
  await expect(page.getByRole('img', { name: 'Kanda Books' })).not.toHaveJSProperty('naturalWidth', 0)
})
