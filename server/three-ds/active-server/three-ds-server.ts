/** ActiveServer, adapter: the port ThreeDSServer over its API. */
import type { ThreeDSServer, ThreeDSUnavailable } from '#payment/three-ds-port.ts'
import type { AccountRef } from '#payment/references.ts'
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

/** A merchant as the 3-D Secure server knows it. */
export interface ThreeDSCredentials {
  readonly merchantId: string
  readonly merchantToken: string | null
}

/** Of the account in whose name a card is authenticated; or why there are none. */
export type ThreeDSCredentialsOf = (account: AccountRef) => Promise<ThreeDSCredentials | { readonly problem: string }>

export interface ActiveServerOptions extends TransportOptions {
  readonly credentialsOf: ThreeDSCredentialsOf
  /** For one call with its repetition, from the connection to the last byte. */
  readonly timeoutMs: number
}

const unavailable = (why: string): ThreeDSUnavailable => ({ outcome: 'unavailable', why })

/** GPayments ActiveServer, Auth API v2. `apiUrl` is its API origin, where our client certificate is asked for. */
export const createActiveServer = (
  { credentialsOf, ...options }: ActiveServerOptions,
  send = createTransport(options),
): ThreeDSServer => {
  const { apiUrl, timeoutMs } = options

  const call = async (message: ActiveServerRequest, signal = AbortSignal.timeout(timeoutMs)): Promise<Exchange> => {
    const first = await send(message, signal)
    return mayRepeat(message.method, first) ? send(message, signal) : first
  }
  const poster =
    ({ merchantToken }: ThreeDSCredentials) =>
    (url: URL, body: object, signal?: AbortSignal): Promise<Exchange> =>
      call({ method: 'POST', url, body, merchantToken }, signal)
  const api = (path: string, query: Readonly<Record<string, string>> = {}): URL => {
    const url = new URL(`/api/v2/auth/${path}`, apiUrl)
    url.search = String(new URLSearchParams(query))
    return url
  }

  return {
    start: async (order) => {
      const credentials = await credentialsOf(order)
      if ('problem' in credentials) return unavailable(credentials.problem)
      if (order.card.number.isWiped) return unavailable('given up meanwhile')
      const post = poster(credentials)
      // Both before the next wait: an order given up meanwhile has its card wiped, and a wiped number cannot be read.
      const enrol = enrolBody(order.card, credentials.merchantId)
      const init = initBody(order, credentials.merchantId)
      const settled = readEnrol(await post(api('enrol'), enrol))
      if (settled !== undefined) return settled
      // Without it even a live card is asked about at the test directory server.
      const directory = order.mode === 'live' ? { 'trans-type': 'prod' } : {}
      return readInit(order.orderCode, apiUrl, await post(api('brw/init', directory), init))
    },

    event: readEvent,

    authenticate: async (request) => {
      const url = authAddress(request.session.authUrl, apiUrl)
      if (url === undefined) return unavailable('an authUrl that is not of the API')
      const credentials = await credentialsOf(request)
      if ('problem' in credentials) return unavailable(credentials.problem)
      if (request.card.number.isWiped) return unavailable('given up meanwhile')
      const post = poster(credentials)
      // Both before the next wait, as above.
      const body = authBody(request, credentials.merchantId)
      const withoutCollected = authBody({ ...request, collected: null }, credentials.merchantId)
      const signal = AbortSignal.timeout(timeoutMs)
      const first = await post(url, body, signal)
      // What was collected comes through the browser and cannot be read here: a forged one would look like an outage.
      const isForged = request.collected !== null && saysWrongElement(first)
      return readAuth(request.session, apiUrl, isForged ? await post(url, withoutCollected, signal) : first)
    },

    result: async (session, account) => {
      const credentials = await credentialsOf(account)
      if ('problem' in credentials) return unavailable(credentials.problem)
      const { merchantToken } = credentials
      const monitor = monitorAddress(session, apiUrl)
      if (monitor !== undefined) {
        const signal = AbortSignal.timeout(Math.min(timeoutMs, MONITOR_TIMEOUT_MS))
        if (saysNotReady(await send({ method: 'GET', url: monitor, merchantToken }, signal)))
          return { outcome: 'pending' }
      }
      const url = api('brw/result', { threeDSServerTransID: session.serverTransId })
      return readResult(session, await call({ method: 'GET', url, merchantToken }))
    },

    abandon: async (session, challenge, account) => {
      const credentials = await credentialsOf(account)
      if ('problem' in credentials) return
      await poster(credentials)(api('challenge/status'), abandonBody(session, challenge))
    },
  }
}
