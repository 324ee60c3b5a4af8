/** Fixtures of Adyen for tests: an account, orders, signed notifications, an inbox in memory, and a scripted server. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { Clearance } from '#payment/authentication-verdict.ts'
import { CardNumber } from '#payment/card-number.ts'
import type { Card, ChargeOrder, RefundOrder, SentOrder } from '#payment/ports.ts'
import { parseJson } from '../../../parse-json.ts'
import type { AdyenAccount } from '../account.ts'
import type { AdyenInbox } from '../gateway.ts'
import { sign, type SignedFields } from '../hmac.ts'
import type { Notice } from '../notified-outcomes.ts'
import type { ReportNotice } from '../statement.ts'

export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
export const PSP = '993617895204576J'
export const CAPTURE_PSP = '993617894906488A'
export const ORDER = 'nfg3pm3cuat4nms3ckpbnx4hezgorunq'
export const STARTED_AT = Date.parse('2026-11-15T12:00:00+09:00')

export const accountAt = (origin: string): AdyenAccount => ({
  mode: 'test',
  apiKey: 'AQEtest_key',
  merchantAccount: 'TeaShopJP',
  hmacKey: HMAC_KEY,
  reportApiKey: 'AQEreport_key',
  apiBase: `${origin}/adyen`,
  reportOrigin: origin,
})

const authentication = {
  transStatus: 'Y',
  eci: '05',
  authenticationValue: 'AJkBBkhgQQAAAE4gSEJydQAAAAA=',
  dsTransId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
  messageVersion: '2.2.0',
} as const
export const FRICTIONLESS: Clearance = { by: 'authentication', authentication }
export const CHALLENGED: Clearance = { by: 'authentication', authentication, challenged: true }

const card = (): Card => {
  const number = CardNumber.parse('4111111111111111')
  if (number === undefined) throw new Error('a test names an invalid card number')
  return { number, expiryMonth: 3, expiryYear: 2030, email: 'taro@example.com', holderName: 'TARO YAMADA' }
}

export const chargeOrder = (more: Partial<ChargeOrder> = {}): ChargeOrder => ({
  orderCode: ORDER,
  amountYen: 1980,
  card: card(),
  cvc: '737',
  clearance: FRICTIONLESS,
  ...more,
})

export const sentOrder = (more: Partial<SentOrder> = {}): SentOrder => ({
  orderCode: ORDER,
  amountYen: 1980,
  reference: PSP,
  startedAt: STARTED_AT,
  ...more,
})

export const refundOrder = (more: Partial<RefundOrder> = {}): RefundOrder => ({
  orderCode: ORDER,
  reference: PSP,
  refundId: 'r1',
  amountYen: 500,
  requestedAt: STARTED_AT,
  ...more,
})

export const notice = (more: Partial<Notice>): Notice => ({
  event: 'CAPTURE',
  success: true,
  amountYen: 1980,
  pspReference: CAPTURE_PSP,
  orderCode: ORDER,
  refundId: null,
  reason: null,
  occurredAt: STARTED_AT + 60_000,
  ...more,
})

/** An inbox that holds these notices about every payment, whatever events are asked for, and these reports. */
export const inboxWith = (notices: readonly Notice[] = [], reports: readonly ReportNotice[] = []): AdyenInbox => ({
  ofPayment: async (_reference, events) => notices.filter(({ event }) => events.includes(event)),
  reports: async (from) => reports.filter(({ toldAt }) => toldAt >= from),
  disputes: async () => ({ disputes: [], after: null }),
  reportsBefore: async (from) => reports.filter(({ toldAt }) => toldAt < from),
})

export interface NotifiedItem extends SignedFields {
  readonly pspReference: string
  readonly eventDate: string
  readonly reason: string
  readonly additionalData?: object
}

export const itemOf = (more: Partial<NotifiedItem> = {}): NotifiedItem => ({
  pspReference: 'QFQTPCQ8HXSKGK82',
  originalReference: PSP,
  merchantAccountCode: 'TeaShopJP',
  merchantReference: `r1.${ORDER.slice(0, 15)}`,
  amount: { value: 500, currency: 'JPY' },
  eventCode: 'REFUND',
  success: 'true',
  eventDate: '2026-11-15T12:01:00+09:00',
  reason: '',
  ...more,
})

/** The body of a request with these items, each signed. */
export const bodyOf = (items: readonly NotifiedItem[], key = HMAC_KEY, live = 'false') => ({
  live,
  notificationItems: items.map((item) => ({
    NotificationRequestItem: { ...item, additionalData: { ...item.additionalData, hmacSignature: sign(item, key) } },
  })),
})

/** A request as the scripted server has received it. */
export interface ReceivedCall {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Answers a call; `silent` breaks the connection. */
export type Script = (call: ReceivedCall, response: ServerResponse) => object | 'silent' | 'handled'

export interface ScriptedAdyen {
  readonly origin: string
  readonly calls: ReceivedCall[]
}

/** A server that answers each call by a script: 200 and 201 with its JSON, or silence. */
export const startScript = async (t: TestContext, script: Script): Promise<ScriptedAdyen> => {
  const calls: ReceivedCall[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const call = { path: request.url ?? '', headers: request.headers, body: parseJson(body) }
      calls.push(call)
      const answer = script(call, response)
      if (answer === 'handled') return
      if (answer === 'silent') request.socket.destroy()
      else
        response
          .writeHead('status' in answer && typeof answer.status === 'number' ? answer.status : 200)
          .end(JSON.stringify(answer))
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { origin: `http://127.0.0.1:${address.port}`, calls }
}
