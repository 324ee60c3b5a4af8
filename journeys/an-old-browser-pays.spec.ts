import type { Page } from '@playwright/test'
import { CARDS, fieldOf, payWithCard } from './harness/card-form.ts'
import { answerChallenge } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { deleteEverythingMissing, deleteMethods, ONCE_MISSED } from './harness/old-browser.ts'
import type { Kaikei } from './harness/program.ts'

const brandLogo = (page: Page) => page.locator('form svg[aria-label="Visa"]')

/** Only polling finds out that the bank's app has approved. */
const payApprovedInApp = async (page: Page, kaikei: Kaikei): Promise<void> => {
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await fieldOf(page, 'cardNumber').fill(CARDS.approvedInApp)
  // The list of accepted brands shows one; the field shows another.
  await expect(brandLogo(page)).toHaveCount(2)
  await payWithCard(page, CARDS.approvedInApp)
  await expect(page).toHaveURL(`${checkout.url}/complete`)
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('paid')
}

for (const name of ONCE_MISSED) {
  test(`without ${name} a shopper pays with a challenge`, { tag: '@proof' }, async ({ page, kaikei }) => {
    await deleteMethods(page, [name])
    await payApprovedInApp(page, kaikei)
    const [owner = '', method = ''] = name.split('.')
    expect(
      await page.evaluate(
        ([object, key]) => {
          const found = Reflect.get(window, object) as { prototype: object }
          return key in found || key in found.prototype
        },
        [owner, method] as const,
      ),
    ).toBe(false)
  })
}

test('without anything that the oldest supported browsers lack a shopper pays with a challenge', async ({
  page,
  kaikei,
}) => {
  await deleteEverythingMissing(page)
  await payApprovedInApp(page, kaikei)
  const left = await page.evaluate(() => [
    'canParse' in URL,
    'toSorted' in Array.prototype,
    'any' in AbortSignal,
    'timeout' in AbortSignal,
    'inert' in HTMLElement.prototype,
    'checkVisibility' in Element.prototype,
    'requestIdleCallback' in window,
  ])
  expect(left).toEqual(left.map(() => false))
})

test('without all of that the bank’s page is answered in its frame', { tag: '@proof' }, async ({ page, kaikei }) => {
  await deleteEverythingMissing(page)
  const checkout = await kaikei.createCheckout()
  await page.goto(checkout.url)
  await payWithCard(page, CARDS.challenged)
  await answerChallenge(page, '123456')
  await expect(page).toHaveURL(`${checkout.url}/complete`)
})
