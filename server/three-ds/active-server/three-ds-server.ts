/** ActiveServer, adapter: the port ThreeDSServer over its API. */
import type { ThreeDSServer } from '#payment/ports.ts'
import {
  authAddress,
  mayRepeat,
  monitorAddress,
  readAuth,
  readEnrol,
  readEvent,
  readInit,
  readResult,
  saysNotReady,
  saysWrongElement,
} from './answers.ts'
import { abandonBody, authBody, enrolBody, initBody } from './translate.ts'
import { createTransport, type Exchange, type ActiveServerRequest, type TransportOptions } from './transport.ts'

/** The monitor only spares a call: one that hangs may not hold up the result it announces. */
const MONITOR_TIMEOUT_MS = 3000

export interface ActiveServerOptions extends TransportOptions {
  readonly merchantId: string
  /** For one call with its repetition, from the connection to the last byte. */
  readonly timeoutMs: number
}

/** GPayments ActiveServer, Auth API v2. `apiUrl` is its API origin, where our client certificate is asked for. */
export const createActiveServer = (options: ActiveServerOptions): ThreeDSServer => {
  const { apiUrl, merchantId, timeoutMs } = options
  const send = createTransport(options)

  const call = async (message: ActiveServerRequest, signal = AbortSignal.timeout(timeoutMs)): Promise<Exchange> => {
    const first = await send(message, signal)
    return mayRepeat(message.method, first) ? send(message, signal) : first
  }
  const post = (url: URL, body: object, signal?: AbortSignal): Promise<Exchange> =>
    call({ method: 'POST', url, body }, signal)
  const api = (path: string, query: Readonly<Record<string, string>> = {}): URL => {
    const url = new URL(`/api/v2/auth/${path}`, apiUrl)
    url.search = String(new URLSearchParams(query))
    return url
  }

  return {
    start: async (order) => {
      // Both before the first wait: an order given up meanwhile has its card wiped, and a wiped number cannot be read.
      const enrol = enrolBody(order.card, merchantId)
      const init = initBody(order, merchantId)
      const settled = readEnrol(await post(api('enrol'), enrol))
      if (settled !== undefined) return settled
      // Without it even a live card is asked about at the test directory server.
      const directory = order.mode === 'live' ? { 'trans-type': 'prod' } : {}
      return readInit(order.orderCode, apiUrl, await post(api('brw/init', directory), init))
    },

    event: readEvent,

    authenticate: async (request) => {
      const url = authAddress(request.session.authUrl, apiUrl)
      if (url === undefined) return { outcome: 'unavailable', why: 'an authUrl that is not of the API' }
      // Both before the first wait, as above.
      const body = authBody(request, merchantId)
      const withoutCollected = authBody({ ...request, collected: null }, merchantId)
      const signal = AbortSignal.timeout(timeoutMs)
      const first = await post(url, body, signal)
      // What was collected comes through the browser and cannot be read here: a forged one would look like an outage.
      const isForged = request.collected !== null && saysWrongElement(first)
      return readAuth(request.session, apiUrl, isForged ? await post(url, withoutCollected, signal) : first)
    },

    result: async (session) => {
      const monitor = monitorAddress(session, apiUrl)
      if (monitor !== undefined) {
        const signal = AbortSignal.timeout(Math.min(timeoutMs, MONITOR_TIMEOUT_MS))
        if (saysNotReady(await send({ method: 'GET', url: monitor }, signal))) return { outcome: 'pending' }
      }
      const url = api('brw/result', { threeDSServerTransID: session.serverTransId })
      return readResult(session, await call({ method: 'GET', url }))
    },

    abandon: async (session, challenge) => {
      await post(api('challenge/status'), abandonBody(session, challenge))
    },
  }
}
