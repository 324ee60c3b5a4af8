/** Sandbox acquirer over HTTP: timeouts, and what counts as silence. */
import type { Clock, Gateway, Period } from '#payment/ports.ts'
import { parseJson } from '../../parse-json.ts'
import { systemClock } from '../../dependencies.ts'
import { isRefused } from '../acquirer-http.ts'
import { connectionLost } from '../unknown-outcome.ts'
import {
  chargeBody,
  readCharge,
  readDisputes,
  readFencing,
  readInquiry,
  readRefund,
  readRefundInquiry,
  readStatement,
  type RefundIds,
} from './translate.ts'
import type { SandboxReply } from './wire.ts'

const READY_TIMEOUT_MS = 500
const INQUIRY_TIMEOUT_MS = 5000
const STATEMENT_PAGE = 1000

interface Options {
  /** How many orders one page of a statement lists, and how many disputes one page of theirs. */
  readonly statementPage?: number
  readonly clock?: Pick<Clock, 'now'>
}

/** The sandbox acquirer over HTTP. `origin` is scheme, host and port of the sandbox. */
export const createSandboxGateway = (
  origin: string,
  timeoutMs: number,
  { statementPage = STATEMENT_PAGE, clock = systemClock }: Options = {},
): Gateway => {
  const send = async (method: 'GET' | 'POST', path: string, limitMs: number, body?: object): Promise<SandboxReply> => {
    const response = await fetch(`${origin}/acquirer/v1${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    return { status: response.status, body: parseJson(text), receivedAt: clock.now() }
  }
  const outcomeOf = <Outcome>(reply: Promise<SandboxReply>, read: (reply: SandboxReply) => Outcome) =>
    reply.then(read, connectionLost)
  const order = (orderCode: string, rest = ''): string => `/orders/${encodeURIComponent(orderCode)}${rest}`
  const refundPath = ({ orderCode, refundId }: RefundIds): string =>
    order(orderCode, `/refunds/${encodeURIComponent(refundId)}`)
  const pageOf = ({ from, to }: Period, after: string | null): URLSearchParams =>
    new URLSearchParams({
      limit: String(statementPage),
      from: String(Math.max(0, from)),
      to: String(to),
      ...(after === null ? {} : { after }),
    })
  const inquiryMs = Math.min(timeoutMs, INQUIRY_TIMEOUT_MS)

  return {
    ready: async () => {
      try {
        const { status } = await send('GET', '/health', READY_TIMEOUT_MS)
        return status === 200 ? 'ready' : 'silent'
      } catch (error) {
        return isRefused(error) ? 'refused' : 'silent'
      }
    },
    charge: async (charge, remember) => {
      // The sandbox finds an order by our own order code.
      if (!(await remember(charge.orderCode))) return { outcome: 'not_charged' }
      const reply = send('POST', order(charge.orderCode, '/charge'), timeoutMs, chargeBody(charge))
      return outcomeOf(reply, (answer) => readCharge(charge.orderCode, answer))
    },
    inquire: ({ orderCode }) =>
      outcomeOf(send('GET', order(orderCode), inquiryMs), (reply) => readInquiry(orderCode, reply)),
    fence: ({ orderCode }) =>
      outcomeOf(send('POST', order(orderCode, '/fence'), inquiryMs), (reply) => readFencing(orderCode, reply)),
    refund: (refund) =>
      outcomeOf(send('POST', refundPath(refund), timeoutMs, { amount: refund.amountYen }), (reply) =>
        readRefund(refund, reply),
      ),
    inquireRefund: (ids) =>
      outcomeOf(send('GET', refundPath(ids), inquiryMs), (reply) => readRefundInquiry(ids, reply)),
    statement: (period, after) =>
      outcomeOf(send('GET', `/orders?${pageOf(period, after)}`, timeoutMs), (reply) =>
        readStatement(period, after, reply),
      ),
    disputes: (openedIn, after) =>
      outcomeOf(send('GET', `/disputes?${pageOf(openedIn, after)}`, timeoutMs), (reply) => readDisputes(after, reply)),
  }
}
