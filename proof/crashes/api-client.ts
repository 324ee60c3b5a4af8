/** API client of the crash proof: the calls of many browsers and one merchant. Counts them, to time the kills. */
import { MERCHANT_HEADER } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { send, type ApiAnswer, type Call } from '../harness/shop-client.ts'

export interface ApiClient {
  send(call: ApiCall): Promise<ApiResponse>
  /** Resolves when so many calls of this name have been sent from now on. */
  waitForCalls(name: CallName, times: number): Promise<void>
  /** Calls without a response so far, each with the response that it will get. */
  pendingCalls(): readonly { readonly name: CallName; readonly response: Promise<ApiResponse> }[]
}

/** A response, or none: the server was down, or died before the response was complete. */
export type ApiResponse = ApiAnswer | 'no response'

export type CallName = 'create' | 'read' | 'start' | 'authenticate' | 'pay' | 'cancel' | 'refund'

interface ApiCall extends Pick<Call, 'method' | 'path' | 'body'> {
  readonly name: CallName
}

/** As long as the page waits for a response. */
const RESPONSE_TIMEOUT_MS = 45_000

/** `callFrom`: the address of loopback that a call comes from. */
export const createApiClient = (port: number, key: string, callFrom?: () => string): ApiClient => {
  const headers = { host: `localhost:${port}`, [MERCHANT_HEADER]: DEMO_LABEL, authorization: `Bearer ${key}` }
  const pending = new Map<ApiCall, Promise<ApiResponse>>()
  let onCall = (_name: CallName): void => undefined
  return {
    send: async (call) => {
      const localAddress = callFrom === undefined ? {} : { localAddress: callFrom() }
      const sent = send(port, { ...call, headers, timeoutMs: RESPONSE_TIMEOUT_MS, ...localAddress })
      const response = sent.catch((): ApiResponse => 'no response')
      pending.set(call, response)
      onCall(call.name)
      await response
      pending.delete(call)
      return response
    },
    waitForCalls: (wanted, times) =>
      new Promise((resolve) => {
        let left = times
        onCall = (name) => {
          if (name === wanted) left -= 1
          if (left === 0) resolve()
        }
      }),
    pendingCalls: () => [...pending].map(([{ name }, response]) => ({ name, response })),
  }
}
