import { axeViolations, expectAccessibleInProof } from './harness/axe.ts'
import { payWithCard } from './harness/card-form.ts'
import { expectScreen, givePasskey } from './harness/console.ts'
import { expect, test } from './harness/fixtures.ts'
import { tabTo } from './harness/focus.ts'
import { loseNextAnswer } from './harness/server-response.ts'

/** The answer to the second refund is lost, which the browser reports. */
test.use({ toleratedConsoleError: /net::ERR_FAILED/ })

test('by keyboard alone an owner signs in, finds a payment by its link, gives a part of it back by tax rate, reads what happened, and gives back the rest', async ({
  page,
  kaikei,
  owner,
  browser,
}) => {
  const taxes = [
    { rate: 10, amount: 1000 },
    { rate: 8, amount: 980 },
  ]
  const { url } = await kaikei.createCheckout({ amount: 1980, subject: '茶 & tea', taxes })
  const shopper = await browser.newPage()
  await shopper.goto(url)
  await payWithCard(shopper)
  await shopper.waitForURL(/\/complete$/)
  await shopper.context().close()

  await page.setViewportSize({ width: 320, height: 700 })
  await givePasskey(page, owner)
  await page.goto(`${owner.origin}/shops/demo/test/checkouts`)
  await expectScreen(page, 'Sign in')
  await tabTo(page, page.getByRole('button', { name: 'Sign in with passkey' }))
  await page.keyboard.press('Enter')

  await expectScreen(page, 'Checkouts')
  await tabTo(page, page.getByRole('searchbox', { name: 'Search' }))
  await page.keyboard.insertText(url)
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 shown.')).toBeVisible()
  // The one screen of the console that axe looks at in every run.
  expect(await axeViolations(page)).toEqual([])
  await tabTo(page, page.getByRole('row', { name: /茶 & tea/ }))
  await page.keyboard.press('Enter')

  await expectScreen(page, 'Checkout')
  await expectAccessibleInProof(page)
  await tabTo(page, page.getByRole('button', { name: 'Refund', exact: true }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: /All that is left/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: /All that is left/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel('At 8 % (reduced), ¥980 JPY left'))
  await page.keyboard.insertText('９８')
  await tabTo(page, page.getByRole('button', { name: 'Refund ¥98 JPY' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Refunded ¥98 JPY.')).toBeVisible()
  await expect(page.getByText('Refunded in part')).toBeVisible()
  await expect(page.getByText('A refund was made')).toBeVisible()
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)

  await test.step('the rest is sent as the amount that the button names, and a refund whose answer is lost is found', async () => {
    const lost = await loseNextAnswer(page, '**/refunds')
    await tabTo(page, page.getByRole('button', { name: 'Refund', exact: true }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Refund ¥1,882 JPY' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Refunded ¥1,882 JPY.')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect((await lost.call).postDataJSON()).toMatchObject({
      amount: 1882,
      taxes: [
        { rate: 10, amount: 1000 },
        { rate: 8, amount: 882 },
      ],
    })
  })
  await page.goBack()
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue(url)
})
