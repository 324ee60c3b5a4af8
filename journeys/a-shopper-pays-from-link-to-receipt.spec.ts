import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'

test('a shopper opens the link, pays by card and sees the receipt', async ({ page, kaikei }) => {
  const checkout = await kaikei.createCheckout({ amount: 4980, subject: 'Sencha gift box' })
  await page.goto(checkout.url)
  await expect(page).toHaveURL(`${checkout.url}/creditcard`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('¥4,980 JPY')
  await expect(payButton(page)).toBeDisabled()

  await fillCard(page, CARDS.good)
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await expect(page.getByLabel('Expiration date')).toHaveValue('12 / 34')
  await payButton(page).click()

  await expect(page).toHaveURL(`${checkout.url}/complete`)
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
  // The form was scrolled down to its button; the receipt begins at its top.
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await expect(page.getByText('•••• 4242')).toBeVisible()
  await expect(page.getByText('Sencha gift box')).toBeVisible()

  const paid = await kaikei.readCheckout(checkout.id)
  expect(paid.status).toBe('paid')
  await expect(page.getByText(paid.transactionId ?? 'no transaction')).toBeVisible()
  const charges = (await kaikei.acquirerOrders()).filter(({ transactionId }) => transactionId === paid.transactionId)
  expect(charges.map(({ status }) => status)).toEqual(['charged'])
})

test('a shopper in Japan pays in Japanese, and the amount carries no currency code', async ({ page, kaikei }) => {
  const checkout = await kaikei.createCheckout({ amount: 1234567, locale: 'ja_JP' })
  await page.goto(checkout.url)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('お支払い金額 ¥1,234,567')
  await page.getByLabel('カード番号').fill('４２４２４２４２４２４２４２４２')
  await page.getByLabel('有効期限').fill('１２３４')
  await page.getByLabel('セキュリティコード').fill('１２３')
  await page.getByLabel('カード名義').fill('ＴＡＲＯ　ＹＡＭＡＤＡ')
  await page.getByLabel('メールアドレス').first().fill('ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ')
  await page.getByRole('button', { name: '¥1,234,567' }).click()
  await expect(page.getByRole('heading', { name: 'お支払いが完了しました' })).toBeVisible()
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('paid')
})

test('a shop that gave a redirect link gets its shopper back after the payment', async ({ page, kaikei }) => {
  const thanks = 'https://shop.example.com/thanks'
  await page.route(thanks, (route) => route.fulfill({ body: 'thanks' }))
  const checkout = await kaikei.createCheckout({ links: { redirectUrl: thanks } })
  await page.goto(checkout.url)
  await fillCard(page, CARDS.good)
  await payButton(page).click()
  await expect(page).toHaveURL(thanks)
  expect((await kaikei.readCheckout(checkout.id)).status).toBe('paid')
})
