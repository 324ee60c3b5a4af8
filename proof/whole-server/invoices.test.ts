import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import { workOnce } from '../../server/background/worker.ts'
import { readPageBuild, type PageBuild } from '../../server/http/page-build.ts'
import { saveMerchant } from '../harness/save-records.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { assertInvalidField, statusAndCode } from '../harness/error-answers.ts'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { API_KEYS, MERCHANT_SETTINGS, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const NUMBER = 'T1234567890123'
const TAXED = {
  subject: '煎茶と急須',
  taxes: [{ rate: 8, amount: 980 } as const, { rate: 10, amount: 1000 } as const],
}
const PAID_AT = Date.parse('2026-11-22T12:00:00+09:00')

describe('a receipt is a qualified simplified invoice', () => {
  let build: PageBuild
  before(async () => {
    build = await readPageBuild()
  })

  onBothDatabases(({ open }) => {
    let server: TestServer
    let gateway: FakeGateway
    before(async () => {
      gateway = {
        ...fakeGateway(),
        charge: async ({ orderCode, amountYen }, remember) => {
          assert.ok(await remember(orderCode))
          return { outcome: 'charged', transactionId: 't', approvedAt: PAID_AT, amountYen }
        },
        refund: async ({ amountYen }) => ({ outcome: 'refunded', amountYen, refundedAt: PAID_AT }),
      }
      server = await openTestServer({ database: await open(), gateway, build })
    })

    const setNumber = async (registrationNumber: string | null, shopName = 'Aoyama Tea'): Promise<void> => {
      const receipt = { ...MERCHANT_SETTINGS.receipt, shopName }
      const settings = { ...MERCHANT_SETTINGS, receipt, registrationNumber }
      await saveMerchant(server.deps.database, { ...TEA_MERCHANT, settings }, 0)
      server.clock.advance(1000)
    }
    const paid = async (body: object = TAXED): Promise<string> => {
      const id = await server.createCheckout(body)
      assert.equal((await server.pay(id, await server.startAttempt(id))).statusCode, 200)
      return id
    }
    const invoiceOf = async (id: string): Promise<CheckoutAnswer['invoice']> =>
      (await server.readCheckout(id)).json<CheckoutAnswer>().invoice
    const drawn = async (id: string, locale = 'ja'): Promise<string> => {
      const headers = { host: 'tea.localhost:3000' }
      const { body } = await server.app.inject({ url: `/${id}/complete?locale=${locale}`, headers })
      return withoutLineBreaks(body.slice(body.indexOf('<main'), body.indexOf('</main>'))).replaceAll(/<!--.*?-->/g, '')
    }
    const merchantCall = (path: string, payload?: object): Promise<LightMyRequestResponse> =>
      server.app.inject({
        method: payload === undefined ? 'GET' : 'POST',
        url: `/merchant/v1/checkouts/${path}`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        ...(payload === undefined ? {} : { payload }),
      })
    const refund = (id: string, payload: object): Promise<LightMyRequestResponse> =>
      merchantCall(`${id}/refunds`, payload)

    test('with a number and taxes the receipt carries the invoice, by the call and on the drawn page', async () => {
      await setNumber(NUMBER)
      const id = await paid()
      assert.deepEqual(await invoiceOf(id), {
        registrationNumber: NUMBER,
        issuer: 'Aoyama Tea',
        date: '2026-11-22',
        content: '煎茶と急須（一部※）',
        totals: [
          { rate: 10, amount: 1000, tax: 90 },
          { rate: 8, amount: 980, tax: 72 },
        ],
        isSample: true,
      })
      const page = await drawn(id)
      for (const text of [
        '適格簡易請求書',
        NUMBER,
        'Aoyama Tea',
        '2026年11月22日',
        '煎茶と急須（一部※）',
        '10%対象（税込）',
        '¥1,000',
        '消費税額等 ¥90',
        '8%対象（税込）',
        '¥980 ※',
        '消費税額等 ¥72',
        '※ 軽減税率対象',
        'クレジットカード利用',
      ])
        assert.ok(page.includes(text), text)
    })

    test('in another language each Japanese word stands beside its translation, and says that it is Japanese', async () => {
      await setNumber(NUMBER)
      const page = await drawn(await paid(), 'en-US')
      assert.match(page, /Registration number <span lang="ja">登録番号<\/span>/)
      assert.match(page, /Sample: Qualified simplified invoice <span lang="ja">適格簡易請求書<\/span>/)
      assert.match(page, /Consumption tax <span lang="ja">消費税額等<\/span> ¥72 JPY/)
    })

    for (const [what, number, body] of [
      ['a number and no taxes', NUMBER, { subject: '煎茶' }],
      ['taxes and no number', null, TAXED],
      ['neither', null, {}],
    ] as const)
      test(`with ${what} the receipt is a plain one without number`, async () => {
        await setNumber(number)
        const id = await paid(body)
        assert.equal(await invoiceOf(id), undefined)
        assert.doesNotMatch(await drawn(id), /T1234567890123|請求書|登録番号|消費税/)
      })

    test('an open checkout has no invoice yet', async () => {
      await setNumber(NUMBER)
      assert.equal(await invoiceOf(await server.createCheckout(TAXED)), undefined)
    })

    test('another number, another name or none afterwards changes no invoice that was issued', async () => {
      await setNumber(NUMBER)
      const id = await paid()
      const issued = await invoiceOf(id)
      await setNumber('T9999999999999', 'Another Tea')
      assert.deepEqual(await invoiceOf(id), issued)
      await setNumber(null)
      assert.deepEqual(await invoiceOf(id), issued)
    })

    test('a number that comes after the payment makes no invoice of an earlier receipt', async () => {
      await setNumber(null)
      const id = await paid()
      await setNumber(NUMBER)
      assert.equal(await invoiceOf(id), undefined)
    })

    test('a number that was taken away a moment before the payment is on no invoice', async () => {
      await setNumber(NUMBER)
      const id = await server.createCheckout(TAXED)
      const orderCode = await server.startAttempt(id)
      // Not by `setNumber`: the row that the server keeps for a second still has it.
      await saveMerchant(server.deps.database, { ...TEA_MERCHANT, settings: MERCHANT_SETTINGS }, 0)
      assert.equal((await server.pay(id, orderCode)).statusCode, 200)
      assert.equal(await invoiceOf(id), undefined)
    })

    test('a payment that was in doubt has its invoice when the worker finds that it was made', async () => {
      await setNumber(NUMBER)
      const charge = gateway.charge
      gateway.charge = async () => ({ outcome: 'unknown', why: 'no answer in time' })
      const id = await server.createCheckout(TAXED)
      const answer = await server.pay(id, await server.startAttempt(id))
      assert.deepEqual(statusAndCode(answer), [409, 'payment_in_progress'])
      gateway.charge = charge
      gateway.inquire = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: PAID_AT, amountYen: 1980 })
      server.clock.advance(60_000)
      await workOnce(server.deps)
      assert.equal((await invoiceOf(id))?.registrationNumber, NUMBER)
    })

    test('a part that is given back leaves the invoice as it was, and is answered with its own taxes', async () => {
      await setNumber(NUMBER)
      const id = await paid()
      const issued = await invoiceOf(id)
      assertInvalidField(await refund(id, { refundId: 'r1', amount: 500 }), 'taxes')
      assertInvalidField(await refund(id, { refundId: 'r1', amount: 981, taxes: [{ rate: 8, amount: 981 }] }), 'taxes')
      assertInvalidField(
        await refund(id, { refundId: 'r1', amount: 5, taxes: [{ rate: 7, amount: 5 }] }),
        'taxes.0.rate',
      )
      const taxes = [{ rate: 8, amount: 500 }]
      const first = await refund(id, { refundId: 'r1', amount: 500, taxes })
      assert.deepEqual([first.statusCode, first.json<RefundAnswer>().taxes], [201, taxes])
      assert.deepEqual(await invoiceOf(id), issued)
      assert.deepEqual((await refund(id, { refundId: 'r1' })).json(), first.json())
      const other = await refund(id, { refundId: 'r1', amount: 500, taxes: [{ rate: 10, amount: 500 }] })
      assert.deepEqual(statusAndCode(other), [422, 'refund_mismatch'])
    })

    test('given back wholly, the page tells of the refund alone, and the last refund took what was left of each rate', async () => {
      await setNumber(NUMBER)
      const id = await paid()
      await refund(id, { refundId: 'r1', amount: 500, taxes: [{ rate: 8, amount: 500 }] })
      const last = (await refund(id, { refundId: 'r2' })).json<RefundAnswer>()
      assert.deepEqual(last.taxes, [
        { rate: 10, amount: 1000 },
        { rate: 8, amount: 480 },
      ])
      assert.equal(await invoiceOf(id), undefined)
      assert.doesNotMatch(await drawn(id), /請求書|T1234567890123/)
      const read = (await merchantCall(id)).json<MerchantCheckoutAnswer>()
      assert.deepEqual([read.status, read.taxes, read.refundedAmount], ['refunded', TAXED.taxes, 1980])
    })

    test('a refund of a checkout without taxes has none', async () => {
      const id = await paid({})
      assertInvalidField(await refund(id, { refundId: 'r1', amount: 5, taxes: [{ rate: 8, amount: 5 }] }), 'taxes')
      assert.equal('taxes' in (await refund(id, { refundId: 'r1', amount: 5 })).json<object>(), false)
    })
  })
})
