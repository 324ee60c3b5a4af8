import { Webhook } from 'standardwebhooks'
import { withLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { CARDS, fillForm, VALID_FORM } from './harness/card-form.ts'
import { bankFrameInAnyLanguage, lengthenCollectTimeout } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { startWebhookReceiver } from './harness/webhook-receiver.ts'

interface Shopper {
  /** Of the browser. */
  readonly language: string
  readonly receipt: string
  readonly mail: RegExp
}

const SHOPPERS: Readonly<Record<PageLocale, Shopper>> = {
  ja: { language: 'ja-JP', receipt: 'お支払いが完了しました', mail: /^【テスト】.*のお支払い明細（¥[\d,]+）$/ },
  'en-US': { language: 'en-US', receipt: 'Payment complete', mail: /^\[Test\] Receipt from .*: ¥[\d,]+ JPY$/ },
  ko: { language: 'ko-KR', receipt: '결제가 완료되었습니다', mail: /^\[테스트\] .* 결제 영수증 \(¥[\d,]+ JPY\)$/ },
  'zh-Hans': { language: 'zh-CN', receipt: '支付成功', mail: /^【测试】.* 付款收据（¥[\d,]+ JPY）$/ },
  'zh-Hant': { language: 'zh-TW', receipt: '付款完成', mail: /^【測試】.* 付款收據（¥[\d,]+ JPY）$/ },
  th: { language: 'th-TH', receipt: 'ชำระเงินเรียบร้อยแล้ว', mail: /^\[ทดสอบ\] ใบเสร็จจาก .*: ¥[\d,]+ JPY$/ },
}
const LOCALES_OF_EVERY_RUN: readonly PageLocale[] = ['ja']

interface Event {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly data: { readonly checkout: { readonly id: string; readonly status: string; readonly amount: number } }
}

/** Asked until it answers; the worker looks each second, and the page of the mailbox does not change by itself. */
const waitForMailTo = (mailbox: string, email: string): Promise<void> =>
  expect
    .poll(async () => (await (await fetch(mailbox)).text()).includes(email), { intervals: [100, 200, 300] })
    .toBe(true)

for (const locale of PAGE_LOCALES)
  test.describe(`in ${locale}`, { tag: LOCALES_OF_EVERY_RUN.includes(locale) ? [] : ['@proof'] }, () => {
    const { language, receipt, mail } = SHOPPERS[locale]
    test.use({ locale: language })

    test('a shopper pays with a challenge, reads the receipt and its mail, and the shop’s server is told', async ({
      page,
      kaikei,
    }) => {
      const receiver = await startWebhookReceiver()
      const webhook = await kaikei.registerWebhook(receiver.url)
      try {
        const checkout = await kaikei.createCheckout({ amount: 4980 })
        const email = `${checkout.id.slice(0, 16)}@example.com`
        await lengthenCollectTimeout(page)
        await page.goto(checkout.url)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await fillForm(page, { ...VALID_FORM, cardNumber: CARDS.challenged, email })
        await page.locator('button[type="submit"]:enabled').click()
        const code = bankFrameInAnyLanguage(page).locator('input[name="code"]')
        await code.fill('123456')
        // Not awaited: Chromium may not acknowledge a key whose frame goes away between its press and its release.
        void code.press('Enter').catch(() => undefined)
        await expect(page).toHaveURL(`${checkout.url}/complete`)
        await expect(page.getByRole('heading', { name: withLineBreaks(receipt, locale) })).toBeVisible()

        await waitForMailTo(kaikei.mailbox, email)
        await page.goto(kaikei.mailbox)
        const received = page.getByRole('listitem').filter({ hasText: `to ${email}` })
        await expect(received).toHaveCount(1)
        await received.getByRole('link').click()
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(mail)
        const drawn = page.frameLocator('iframe')
        await expect(drawn.locator('html')).toHaveAttribute('lang', locale)
        await expect(drawn.getByRole('heading', { name: withLineBreaks(receipt, locale) })).toBeVisible()
        await expect(drawn.getByText('¥4,980').first()).toBeVisible()
        await expect(drawn.getByRole('link')).toHaveText(checkout.url)

        const eventsOf = (): Event[] =>
          receiver.received
            .map(({ body, headers }) => new Webhook(webhook.secret).verify(body, headers) as Event)
            .filter(({ data }) => data.checkout.id === checkout.id)
        await expect.poll(() => eventsOf().length, { intervals: [100, 200, 300] }).toBe(1)
        const [event] = eventsOf()
        expect(event).toMatchObject({
          type: 'checkout.paid',
          sequence: 1,
          data: { checkout: { status: 'paid', amount: 4980 } },
        })
      } finally {
        await kaikei.removeWebhook(webhook.id)
        await receiver.stop()
      }
    })
  })
