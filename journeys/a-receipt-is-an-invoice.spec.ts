import type { Page } from '@playwright/test'
import { withLineBreaks } from '#contract/line-breaks.ts'
import { payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import type { Kaikei } from './harness/program.ts'

const SUBJECT = 'Sencha ※ and a teapot'
const TAXES = [
  { rate: 8, amount: 3980 },
  { rate: 10, amount: 1000 },
]

const payFor = async (page: Page, kaikei: Kaikei, taxes?: typeof TAXES): Promise<string> => {
  const checkout = await kaikei.createCheckout({
    amount: 4980,
    subject: SUBJECT,
    ...(taxes === undefined ? {} : { taxes }),
  })
  await page.goto(checkout.url)
  await payWithCard(page)
  await expect(page).toHaveURL(`${checkout.url}/complete`)
  return checkout.url
}

test('a checkout with taxes ends on a receipt that is an invoice, and stays one in every language and on paper', async ({
  page,
  kaikei,
}) => {
  const url = await payFor(page, kaikei, TAXES)
  const invoice = page.getByRole('heading', { name: '適格簡易請求書' }).locator('..')
  const rows = invoice.locator('dl > div')
  await expect(rows).toHaveCount(6)
  await expect(rows.nth(0)).toContainText('T0000000000000')
  await expect(rows.nth(1)).toContainText('青山茶舗 Aoyama Tea')
  await expect(rows.nth(2)).toContainText(/\d{4}年\d{1,2}月\d{1,2}日/)
  await expect(rows.nth(3)).toContainText(SUBJECT)
  await expect(rows.nth(4)).toContainText('¥1,000 JPY')
  await expect(rows.nth(4)).toContainText('¥90 JPY')
  await expect(rows.nth(5)).toContainText('¥3,980 JPY ※')
  await expect(rows.nth(5)).toContainText('¥294 JPY')
  await expect(invoice).toContainText('軽減税率対象')
  await expect(invoice).toContainText('クレジットカード利用')

  for (const [locale, text] of [
    ['ja', '【見本】適格簡易請求書'],
    ['th', `${withLineBreaks('ใบกำกับภาษีอย่างย่อของญี่ปุ่น', 'th')} 適格簡易請求書`],
  ] as const) {
    await page.goto(`${url}/complete?locale=${locale}`)
    await expect(page.getByRole('heading', { name: text })).toBeVisible()
  }
  await page.emulateMedia({ media: 'print' })
  await expect(invoice).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
})

test('a checkout without taxes is paid and given back in parts', async ({ page, kaikei }) => {
  const url = await payFor(page, kaikei)
  await test.step('the same shop gives a plain receipt without number where a checkout has no taxes', async () => {
    await expect(page.getByText(SUBJECT)).toBeVisible()
    await expect(page.locator('main dl')).toHaveCount(1)
    await expect(page.locator('main')).not.toContainText('T0000000000000')
  })
  await test.step('part refunds stand behind the rows of the receipt, in every language and on paper; the last yen makes it a refund', async () => {
    const id = url.split('/').at(-1) ?? ''
    const rows = page.locator('main dl > div')
    await expect(rows).toHaveCount(5)
    await kaikei.refund(id, 500)
    await kaikei.refund(id, 1480)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
    const when = /\d{2}:\d{2} \(JST\)$/
    await expect(rows).toContainText([
      'Payment method',
      'Transaction number',
      'Payment date and time',
      `Subject${SUBJECT}`,
      'Amount¥4,980 JPY',
      'Refund amount-¥500 JPY',
      when,
      'Refund amount-¥1,480 JPY',
      when,
    ])
    await page.goto(`${url}/complete?locale=ja`)
    await page.emulateMedia({ media: 'print' })
    await expect(rows.nth(7)).toHaveText('返金額-¥1,480')
    await expect(rows.nth(8)).toHaveText(/^返金日時.*\d{2}:\d{2}$/)

    await kaikei.refund(id, 3000)
    await page.goto(`${url}/complete`)
    await expect(page.getByRole('heading', { name: 'Refund complete' })).toBeVisible()
    await expect(rows).toHaveCount(5)
  })
})
