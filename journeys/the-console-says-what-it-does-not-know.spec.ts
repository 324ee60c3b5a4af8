import type { Page } from '@playwright/test'
import { errorBody } from '#contract/errors.ts'
import { expectScreen, signIn } from './harness/console.ts'
import { expect, test } from './harness/fixtures.ts'

/** A script that is not there any more is told by the browser and by the screen's own error. */
test.use({ toleratedConsoleError: /script of a screen|dynamically imported module/ })

const WEBHOOK = {
  id: 'w1',
  mode: 'test',
  url: 'https://shop.example.com/hook',
  enabled: true,
  createdAt: '2026-11-18T12:00:00.000Z',
  secret: 'whsec_shown_once',
}

/** How often this page asks what needs a person, and whether the server refuses to say. */
const watchAttention = async (page: Page) => {
  const attention = { reads: 0, isRefused: false }
  await page.route('**/merchant/v1/attention', (route) => {
    attention.reads += 1
    return attention.isRefused
      ? route.fulfill({ status: 500, json: errorBody({ refused: 'system_error' }) })
      : route.continue()
  })
  return attention
}

test('home says when it could not be read again, and is read by itself only while somebody is there', async ({
  page,
  owner,
}) => {
  await page.clock.install()
  const attention = await watchAttention(page)
  await signIn(page, owner, '/shops/demo/test')
  await expectScreen(page, 'Home')
  await expect.poll(() => attention.reads).toBe(1)

  attention.isRefused = true
  const stale = page.getByRole('alert').filter({ hasText: 'could not be read again' })
  // The half minute begins with the first answer, which may still be under way.
  await expect(async () => {
    await page.clock.fastForward(31_000)
    await expect(stale).toBeVisible({ timeout: 1000 })
  }).toPass()
  attention.isRefused = false
  await stale.getByRole('button', { name: 'Try again' }).click()
  await expect(stale).toHaveCount(0)

  await page.clock.fastForward(10 * 60_000)
  await page.clock.fastForward(31_000)
  const before = attention.reads
  await page.clock.fastForward(31_000)
  await page.clock.fastForward(31_000)
  expect(attention.reads).toBe(before)
  await page.mouse.move(300, 300)
  await expect.poll(() => attention.reads).toBeGreaterThan(before)
})

test('a list goes on after a short page, a lost connection and a lost script are told, and the next screen is there', async ({
  page,
  owner,
  kaikei,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  // An amount of no other journey, to find them by.
  const amount = 73_310
  await Promise.all([1, 2, 3].map(() => kaikei.createCheckout({ amount })))
  // One row fills no window, and its end crosses no edge when it comes.
  await page.route('**/merchant/v1/checkouts?*limit=50*', (route) =>
    route.continue({ url: route.request().url().replace('limit=50', 'limit=1') }),
  )
  await signIn(page, owner, `/shops/demo/test/checkouts?search=${amount}`)
  await expectScreen(page, 'Checkouts')
  await expect(page.getByText('3 shown.', { exact: true })).toBeVisible()

  await page.context().setOffline(true)
  await page.getByRole('searchbox', { name: 'Search' }).fill('ELSEWHERE')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/The server could not be reached/)).toBeVisible()

  await page.getByRole('link', { name: 'Money' }).click()
  await expect(page.getByText(/This screen could not be loaded/)).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'People' }).click()
  await expectScreen(page, 'People')
})

test('the secret of a new webhook waits for its reader, whoever presses Escape meanwhile', async ({ page, owner }) => {
  const held: { answer: () => void } = { answer: () => undefined }
  await page.route('**/merchant/v1/webhooks', async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await new Promise<void>((resolve) => {
      held.answer = resolve
    })
    return route.fulfill({ status: 201, json: WEBHOOK })
  })
  await signIn(page, owner, '/shops/demo/test/developers/webhooks')
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Add a webhook' })
  await form.getByLabel('Address').fill(WEBHOOK.url)
  // Escape at once, before the page does anything else, and again later.
  await form.getByLabel('Address').evaluate(async (field) => {
    if (field instanceof HTMLInputElement) field.form?.requestSubmit()
    await Promise.resolve()
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  await expect(form.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.mouse.click(2, 2)
  await expect(form).toBeVisible()
  held.answer()
  const shown = page.getByRole('dialog', { name: 'Signing secret' })
  await expect(shown.getByText(WEBHOOK.secret)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(shown).toBeVisible()
  await shown.getByRole('button', { name: 'Close' }).click()
  await expect(shown).toHaveCount(0)
})

test('of the buttons of a list the one that is pressed keeps the focus while its call runs', async ({
  page,
  owner,
}) => {
  const held: { answer: () => void } = { answer: () => undefined }
  const event = { type: 'checkout.paid', timestamp: WEBHOOK.createdAt, mode: 'test', sequence: 1, data: {} }
  await page.route('**/merchant/v1/events**', async (route) => {
    const items = ['e1', 'e2'].map((id) => ({ ...event, id }))
    if (route.request().method() === 'GET') return route.fulfill({ json: { items, after: null } })
    await new Promise<void>((resolve) => {
      held.answer = resolve
    })
    return route.fulfill({ status: 201, json: { deliveries: 1 } })
  })
  await signIn(page, owner, '/shops/demo/test/developers/events')
  const buttons = page.getByRole('button', { name: 'Send again' })
  // Into the table, and to the last cell of its first row.
  await buttons.first().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(buttons.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(buttons.last()).toBeDisabled()
  await expect(buttons.first()).toBeFocused()
  held.answer()
  await expect(page.getByText('1 delivery is being sent.')).toBeVisible()
  await expect(buttons.first()).toBeFocused()
})

test('an operator without a shop begins at the shops of the installation', async ({ page, owner }) => {
  await signIn(page, owner)
  const session = await page.evaluate(async (): Promise<unknown> => {
    const answer = await fetch('/console/v1/session')
    return answer.json()
  })
  await page.route('**/console/v1/session', (route) =>
    route.fulfill({ json: Object.assign({}, session, { shops: [] }) }),
  )
  await page.goto(owner.origin)
  await expectScreen(page, 'Operator')
  await expect(page).toHaveURL(`${owner.origin}/operator`)
})
