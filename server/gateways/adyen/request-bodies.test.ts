import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { CheckoutAPI, Client, EnvironmentEnum, Types } from '@adyen/api-library'
import fastify from 'fastify'
import { refundReference } from './references.ts'
import {
  cancelBody,
  cancelByReferenceBody,
  captureBody,
  paymentBody,
  refundBody,
  type Authenticated,
} from './translate.ts'
import { CHALLENGED, chargeOrder, FRICTIONLESS, ORDER, PSP, refundOrder, sentOrder } from './testing/adyen-fixtures.ts'

const { CardDetails, PaymentRequest, ThreeDSecureData } = Types.checkout

const SHOP = { merchantAccount: 'TeaShopJP', returnUrl: 'https://tea.example.com/' }

const authenticated = (clearance: typeof FRICTIONLESS): Authenticated =>
  clearance.by === 'authentication' ? clearance : assert.fail()

const BODIES = {
  payment: paymentBody(SHOP, chargeOrder(), authenticated(FRICTIONLESS)),
  challenged: paymentBody(SHOP, chargeOrder(), authenticated(CHALLENGED)),
  capture: captureBody(SHOP, sentOrder()),
  refund: refundBody(SHOP, refundOrder({ refundId: 'R'.repeat(64) })),
  cancel: cancelBody(SHOP, ORDER),
  cancelByReference: cancelByReferenceBody(SHOP, ORDER),
}

const SCHEMAS: Readonly<Record<keyof typeof BODIES, string>> = {
  payment: 'PaymentRequest',
  challenged: 'PaymentRequest',
  capture: 'PaymentCaptureRequest',
  refund: 'PaymentRefundRequest',
  cancel: 'PaymentCancelRequest',
  cancelByReference: 'StandalonePaymentCancelRequest',
}

/** A server that takes only bodies that fit Adyen's own schemas, which allow no field that they do not name. */
const openSchemas = async () => {
  const vendor: unknown = JSON.parse(await readFile(new URL('vendor/checkout-v72.json', import.meta.url), 'utf8'))
  if (typeof vendor !== 'object' || vendor === null || !('components' in vendor)) assert.fail('no schemas')
  const app = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false, strict: false } } })
  app.addSchema({ $id: 'adyen', components: vendor.components })
  for (const name of new Set(Object.values(SCHEMAS)))
    app.post(`/${name}`, { schema: { body: { $ref: `adyen#/components/schemas/${name}` } } }, async () => 'ok')
  return app
}

describe('bodies of requests', () => {
  test('every one validates against Adyen’s schema, and with a misspelt field it does not', async () => {
    const app = await openSchemas()
    for (const [name, schema] of Object.entries(SCHEMAS)) {
      const body = Object.entries(BODIES).find(([each]) => each === name)?.[1] ?? assert.fail()
      const right = await app.inject({ method: 'POST', url: `/${schema}`, payload: body })
      assert.deepEqual([right.statusCode, right.body], [200, 'ok'], name)
      const wrong = await app.inject({ method: 'POST', url: `/${schema}`, payload: { ...body, refrence: 'x' } })
      assert.equal(wrong.statusCode, 400, name)
    }
  })

  /** The body that Adyen's own library sends: its serializer leaves out what Adyen does not know. */
  const sentBySdk = async (call: (api: CheckoutAPI) => Promise<unknown>): Promise<{ url: string; body: unknown }> => {
    const sent: { url: string; body: unknown }[] = []
    const client = new Client(
      { apiKey: 'k', environment: EnvironmentEnum.TEST },
      {
        request: async (url, json) => {
          sent.push({ url, body: JSON.parse(String(json)) })
          return '{}'
        },
      },
    )
    await call(new CheckoutAPI(client))
    return sent[0] ?? assert.fail('the library has sent nothing')
  }

  const asJson = (body: object): unknown => JSON.parse(JSON.stringify(body))

  test('every one equals what Adyen’s own library sends for the same call, to the same address', async () => {
    const base = 'https://checkout-test.adyen.com/v72'
    // The library's own types: a field that it does not know does not compile.
    const payment: Parameters<CheckoutAPI['PaymentsApi']['payments']>[0] = {
      merchantAccount: 'TeaShopJP',
      reference: ORDER,
      amount: { value: 1980, currency: 'JPY' },
      paymentMethod: {
        type: CardDetails.TypeEnum.Scheme,
        number: '4111111111111111',
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
        holderName: 'TARO YAMADA',
      },
      returnUrl: 'https://tea.example.com/',
      channel: PaymentRequest.ChannelEnum.Web,
      shopperInteraction: PaymentRequest.ShopperInteractionEnum.Ecommerce,
      additionalData: { manualCapture: 'true' },
      mpiData: {
        cavv: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=',
        eci: '05',
        dsTransID: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
        threeDSVersion: '2.2.0',
        directoryResponse: ThreeDSecureData.DirectoryResponseEnum.Y,
      },
    }
    const challenged = {
      ...payment,
      mpiData: {
        ...payment.mpiData,
        directoryResponse: ThreeDSecureData.DirectoryResponseEnum.C,
        authenticationResponse: ThreeDSecureData.AuthenticationResponseEnum.Y,
      },
    }
    const merchantAccount = 'TeaShopJP'
    const yen = (value: number) => ({ value, currency: 'JPY' })
    const calls: readonly (readonly [keyof typeof BODIES, string, (api: CheckoutAPI) => Promise<unknown>])[] = [
      ['payment', '/payments', (api) => api.PaymentsApi.payments(payment)],
      ['challenged', '/payments', (api) => api.PaymentsApi.payments(challenged)],
      [
        'capture',
        `/payments/${PSP}/captures`,
        (api) =>
          api.ModificationsApi.captureAuthorisedPayment(PSP, { merchantAccount, amount: yen(1980), reference: ORDER }),
      ],
      [
        'refund',
        `/payments/${PSP}/refunds`,
        (api) =>
          api.ModificationsApi.refundCapturedPayment(PSP, {
            merchantAccount,
            amount: yen(500),
            reference: `${'R'.repeat(64)}.${ORDER.slice(0, 15)}`,
          }),
      ],
      [
        'cancel',
        `/payments/${PSP}/cancels`,
        (api) => api.ModificationsApi.cancelAuthorisedPaymentByPspReference(PSP, { merchantAccount, reference: ORDER }),
      ],
      [
        'cancelByReference',
        '/cancels',
        (api) =>
          api.ModificationsApi.cancelAuthorisedPayment({ merchantAccount, paymentReference: ORDER, reference: ORDER }),
      ],
    ]
    for (const [name, path, call] of calls) {
      const sent = await sentBySdk(call)
      assert.equal(sent.url, `${base}${path}`, name)
      assert.deepEqual(asJson(BODIES[name]), sent.body, name)
    }
  })

  test('the longest refund id still fits into Adyen’s reference of 80 characters', () => {
    assert.equal(refundReference(refundOrder({ refundId: 'R'.repeat(64) })).length, 80)
  })
})
