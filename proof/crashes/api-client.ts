import { MERCHANT_HEADER } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'

/** API client: calls of many browsers and one merchant over real sockets. Counts them, to time the kills. */
export interface ApiClient {
  send(call: ApiCall): Promise<ApiResponse>
  /** Resolves when so many calls of this name have been sent from now on. */
  waitForCalls(name: CallName, times: number): Promise<void>
  /** Calls without a response so far, each with the response that it will get. */
  pendingCalls(): readonly { readonly name: CallName; readonly response: Promise<ApiResponse> }[]
}

/** A response, or none: the server was down, or died before the response was complete. */
export type ApiResponse = { readonly status: number; readonly body: unknown } | 'no response'

export type CallName = 'create' | 'read' | 'start' | 'authenticate' | 'pay' | 'cancel' | 'refund'

interface ApiCall {
  readonly name: CallName
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
}

/** As long as the page waits for a response. */
const RESPONSE_TIMEOUT_MS = 45_000

const sendCall = async (url: string, key: string, { method, body }: ApiCall): Promise<ApiResponse> => {
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      headers: {
        [MERCHANT_HEADER]: DEMO_LABEL,
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return 'no response'
  }
}

export const createApiClient = (origin: string, key: string): ApiClient => {
  const pending = new Map<ApiCall, Promise<ApiResponse>>()
  let onCall = (_name: CallName): void => undefined
  return {
    send: async (call) => {
      const response = sendCall(`${origin}${call.path}`, key, call)
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
