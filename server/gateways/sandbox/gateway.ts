/** Sandbox acquirer over HTTP: timeouts, and what counts as silence. */
import type { Clock, Gateway, Unknown } from '#payment/ports.ts'
import { parseJson } from '../../parse-json.ts'
import { systemClock } from '../../dependencies.ts'
import {
  chargeBody,
  readCharge,
  readFencing,
  readInquiry,
  readRefund,
  readRefundInquiry,
  readStatement,
} from './translate.ts'
import type { SandboxReply } from './wire.ts'

const READY_TIMEOUT_MS = 500
const INQUIRY_TIMEOUT_MS = 5000
const STATEMENT_PAGE = 1000

interface SandboxRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly timeoutMs: number
  readonly body?: object
}

/** Nobody listens there: unlike a silence, that is an answer. */
const isRefused = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}

const connectionLost = (error: unknown): Unknown => ({
  outcome: 'unknown',
  why: error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'connection lost',
  isSilence: true,
})

interface Options {
  /** How many orders one page of a statement lists. */
  readonly statementPage?: number
  readonly clock?: Pick<Clock, 'now'>
}

/** The sandbox acquirer over HTTP. `origin` is scheme, host and port of the sandbox. */
export const createSandboxGateway = (
  origin: string,
  timeoutMs: number,
  { statementPage = STATEMENT_PAGE, clock = systemClock }: Options = {},
): Gateway => {
  const send = async ({ method, path, timeoutMs: limit, body }: SandboxRequest): Promise<SandboxReply> => {
    const response = await fetch(`${origin}/acquirer/v1${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(limit),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    return { status: response.status, body: parseJson(text), receivedAt: clock.now() }
  }
  const order = (orderCode: string, rest = ''): string => `/orders/${encodeURIComponent(orderCode)}${rest}`
  const inquiryTimeoutMs = Math.min(timeoutMs, INQUIRY_TIMEOUT_MS)

  return {
    ready: async () => {
      try {
        const { status } = await send({ method: 'GET', path: '/health', timeoutMs: READY_TIMEOUT_MS })
        return status === 200 ? 'ready' : 'silent'
      } catch (error) {
        return isRefused(error) ? 'refused' : 'silent'
      }
    },
    charge: async (charge) => {
      const message = {
        method: 'POST',
        path: order(charge.orderCode, '/charge'),
        timeoutMs,
        body: chargeBody(charge),
      } as const
      return send(message).then((reply) => readCharge(charge.orderCode, reply), connectionLost)
    },
    inquire: async (orderCode) =>
      send({ method: 'GET', path: order(orderCode), timeoutMs: inquiryTimeoutMs }).then(
        (reply) => readInquiry(orderCode, reply),
        connectionLost,
      ),
    fence: async (orderCode) =>
      send({ method: 'POST', path: order(orderCode, '/fence'), timeoutMs: inquiryTimeoutMs }).then(
        (reply) => readFencing(orderCode, reply),
        connectionLost,
      ),
    refund: async ({ orderCode, refundId, amountYen }) =>
      send({
        method: 'POST',
        path: order(orderCode, `/refunds/${encodeURIComponent(refundId)}`),
        timeoutMs,
        body: { amount: amountYen },
      }).then((reply) => readRefund({ orderCode, refundId }, reply), connectionLost),
    inquireRefund: async ({ orderCode, refundId }) =>
      send({
        method: 'GET',
        path: order(orderCode, `/refunds/${encodeURIComponent(refundId)}`),
        timeoutMs: inquiryTimeoutMs,
      }).then((reply) => readRefundInquiry({ orderCode, refundId }, reply), connectionLost),
    statement: async (after) => {
      const query = new URLSearchParams({ limit: String(statementPage), ...(after === null ? {} : { after }) })
      return send({ method: 'GET', path: `/orders?${query}`, timeoutMs }).then(
        (reply) => readStatement(after, reply),
        connectionLost,
      )
    },
  }
}
