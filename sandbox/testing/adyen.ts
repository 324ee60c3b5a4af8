import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { openAdyen } from '../adyen/adyen.ts'
import { createRouter } from '../http/router.ts'
import { field, listenOnFreePort, makeTemporaryFolder, ORDINARY_CARD } from './acquirer.ts'

export const MERCHANT_ACCOUNT = 'KaikeiTEST'
export const API_KEY = 'test_key_1'
export const REPORT_KEY = 'report_key_1'
export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

export interface AdyenResponse {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

export interface AdyenCall {
  readonly key?: string
  readonly apiKey?: string | null
  readonly signal?: AbortSignal
}

export interface AdyenClient {
  readonly port: number
  send(path: string, body: unknown, call?: AdyenCall): Promise<AdyenResponse>
  pay(reference: string, change?: PaymentChange, call?: AdyenCall): Promise<AdyenResponse>
  /** Pays, and answers the payment's pspReference. */
  authorised(reference: string, change?: PaymentChange): Promise<string>
  capture(pspReference: string, value?: number, call?: AdyenCall): Promise<AdyenResponse>
  refund(pspReference: string, value: number, call?: AdyenCall): Promise<AdyenResponse>
  cancel(pspReference: string, call?: AdyenCall): Promise<AdyenResponse>
  cancelByReference(paymentReference: string, call?: AdyenCall): Promise<AdyenResponse>
  control(path: string, body: object): Promise<AdyenResponse>
  order(reference: string): Promise<unknown>
  /** Event codes with their success, in the order of their making. */
  events(): Promise<string[]>
  report(batch: number, reportKey?: string): Promise<{ readonly status: number; readonly text: string }>
}

export type PaymentChange = { readonly paymentMethod?: object } & Record<string, unknown>

export const paymentBody = (reference: string, { paymentMethod, ...change }: PaymentChange = {}): object => ({
  merchantAccount: MERCHANT_ACCOUNT,
  reference,
  amount: { currency: 'JPY', value: 1980 },
  returnUrl: 'https://checkout.example/return',
  additionalData: { manualCapture: 'true' },
  paymentMethod: {
    type: 'scheme',
    number: ORDINARY_CARD.number,
    expiryMonth: '12',
    expiryYear: '2031',
    cvc: ORDINARY_CARD.cvc,
    holderName: ORDINARY_CARD.holderName,
    ...paymentMethod,
  },
  mpiData: {
    authenticationResponse: 'Y',
    directoryResponse: 'C',
    cavv: Buffer.alloc(20, 7).toString('base64'),
    eci: '05',
    dsTransID: '3c1b0a0e-8a5c-4a3b-9d51-5d2c1d3a7b11',
    threeDSVersion: '2.2.0',
  },
  ...change,
})

export const withCard = (number: string): PaymentChange => ({ paymentMethod: { number } })

export const pspReferenceOf = ({ body }: AdyenResponse): string => String(field(body, 'pspReference'))

export const createAdyenClient = (port: number): AdyenClient => {
  const base = `http://127.0.0.1:${port}/adyen`
  const post = async (
    url: string,
    body: unknown,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<AdyenResponse> => {
    const response = await fetch(url, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(signal === undefined ? {} : { signal }),
    })
    const answer: unknown = await response.json()
    return { status: response.status, body: answer, headers: response.headers }
  }
  const send: AdyenClient['send'] = (path, body, { key, apiKey = API_KEY, signal } = {}) =>
    post(
      `${base}/v72${path}`,
      body,
      { ...(apiKey === null ? {} : { 'X-API-Key': apiKey }), ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
      signal,
    )
  const read = async (path: string): Promise<unknown> => (await fetch(`${base}/control/${path}`)).json()
  const pay: AdyenClient['pay'] = (reference, change, call) => send('/payments', paymentBody(reference, change), call)
  const amount = (value: number): object => ({ currency: 'JPY', value })
  const merchantAccount = MERCHANT_ACCOUNT
  return {
    port,
    send,
    pay,
    authorised: async (reference, change) => pspReferenceOf(await pay(reference, change)),
    capture: (psp, value = 1980, call = {}) =>
      send(`/payments/${psp}/captures`, { merchantAccount, amount: amount(value), reference: 'capture-1' }, call),
    refund: (psp, value, call = {}) =>
      send(`/payments/${psp}/refunds`, { merchantAccount, amount: amount(value), reference: 'refund-1' }, call),
    cancel: (psp, call = {}) => send(`/payments/${psp}/cancels`, { merchantAccount }, call),
    cancelByReference: (paymentReference, call = {}) => send('/cancels', { merchantAccount, paymentReference }, call),
    control: (path, body) => post(`${base}/control/${path}`, body, {}),
    order: (reference) => read(`orders/${reference}`),
    events: async () => {
      const items = field(await read(`webhooks?merchantAccount=${MERCHANT_ACCOUNT}`), 'items')
      return Array.isArray(items)
        ? items.map((item) => [field(item, 'eventCode'), field(item, 'success')].join(' '))
        : []
    },
    report: async (batch, reportKey = REPORT_KEY) => {
      const file = `settlement_detail_report_batch_${batch}.csv`
      const url = `${base}/reports/download/MerchantAccount/${MERCHANT_ACCOUNT}/${file}`
      const response = await fetch(url, { headers: { 'X-API-Key': reportKey } })
      return { status: response.status, text: await response.text() }
    },
  }
}

export const openAccount = (client: AdyenClient, webhookUrl: string | null = null): Promise<AdyenResponse> =>
  client.control('accounts', {
    merchantAccount: MERCHANT_ACCOUNT,
    apiKey: API_KEY,
    reportKey: REPORT_KEY,
    webhookUrl,
    hmacKey: HMAC_KEY,
  })

/** When every test of the double begins: its clock moves by the control alone. */
export const START = Date.parse('2026-11-18T03:00:00Z')

/** Double of Adyen in the process of the test, on a free port, with one account. */
export const serveAdyen = async (t: TestContext, folder = makeTemporaryFolder(t)): Promise<AdyenClient> => {
  const double = openAdyen(folder, 1, () => START)
  const client = createAdyenClient(await listenOnFreePort(t, createServer(createRouter(double.routes))))
  t.after(double.close)
  await openAccount(client)
  return client
}

interface Receiver {
  readonly url: string
  /** Bodies of the webhooks that came, and what the next are answered with. */
  readonly received: string[]
  answerWith(status: number): void
}

export const serveReceiver = async (t: TestContext): Promise<Receiver> => {
  const received: string[] = []
  let status = 200
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      received.push(body)
      // Whoever follows the redirect is accepted there.
      const isFirst = request.url === '/notifications'
      response.writeHead(isFirst ? status : 200, isFirst && status === 302 ? { Location: '/elsewhere' } : {})
      response.end('[accepted]')
    })
  })
  const port = await listenOnFreePort(t, server)
  return {
    url: `http://127.0.0.1:${port}/notifications`,
    received,
    answerWith: (next) => {
      status = next
    },
  }
}
