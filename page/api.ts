import type { BinCode } from '#contract/brands.ts'
import type { CardPayload, PayBody } from '#contract/three-ds.ts'
import {
  readBinCodes,
  readCheckoutAnswer,
  readErrorBody,
  readStartAnswer,
  type PageCheckout,
  type Started,
} from './answers.ts'

/** How a call failed, in the words of the specification's section 7. */
export type Failure =
  | {
      readonly kind: 'final'
      readonly type: string
      readonly code: string
      readonly message: string
      readonly params: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'retryable'; readonly type: 'unknown'; readonly code: number | 'network_error' }

export class CallFailed extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.kind === 'final' ? failure.message : `call failed: ${failure.code}`)
    this.name = 'CallFailed'
    this.failure = failure
  }
}

const networkError = (): CallFailed => new CallFailed({ kind: 'retryable', type: 'unknown', code: 'network_error' })

/** A 404 with an error body is the server's final word about this checkout; anything else may pass. */
export const failureOf = (status: number, body: unknown): Failure => {
  const error = status === 404 ? readErrorBody(body) : undefined
  return error === undefined ? { kind: 'retryable', type: 'unknown', code: status } : { kind: 'final', ...error }
}

/** No answer for this long counts as none. The server waits 30 s for an acquirer before it answers. */
const ANSWER_LIMIT_MS = 45_000

/** First label of the host name: the only identity a shopper's page sends. */
export const merchantLabel = (hostname: string): string => hostname.split('.')[0] ?? ''

interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
}

export interface Api {
  readCheckout(checkoutId: string, signal?: AbortSignal): Promise<PageCheckout>
  cancelCheckout(checkoutId: string): Promise<PageCheckout>
  listBinCodes(signal?: AbortSignal): Promise<readonly BinCode[]>
  startPayment(checkoutId: string, card: CardPayload): Promise<Started>
  pay(checkoutId: string, orderCode: string, body: PayBody): Promise<PageCheckout>
}

/** The calls of the page. `fetch` is handed in so that tests need no network. */
export const createApi = (merchant: string, fetcher: typeof fetch): Api => {
  const send = async <T>(
    { method, path, body }: Request,
    read: (body: unknown) => T | undefined,
    signal?: AbortSignal,
  ): Promise<T> => {
    const limit = AbortSignal.timeout(ANSWER_LIMIT_MS)
    let status: number
    let answer: unknown
    try {
      const response = await fetcher(`/api/v1${path}`, {
        method,
        credentials: 'omit',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        headers: { merchant, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      status = response.status
      answer = await response.json().catch(() => undefined)
    } catch {
      throw networkError()
    }
    if (status < 200 || status > 299) throw new CallFailed(failureOf(status, answer))
    const value = read(answer)
    // A 200 that cannot be read is as good as no answer: whatever it was about is looked up again.
    if (value === undefined) throw networkError()
    return value
  }
  const checkout = (id: string): string => `/checkouts/${encodeURIComponent(id)}`

  return {
    readCheckout: (id, signal) => send({ method: 'GET', path: checkout(id) }, readCheckoutAnswer, signal),
    cancelCheckout: (id) => send({ method: 'DELETE', path: checkout(id) }, readCheckoutAnswer),
    listBinCodes: (signal) => send({ method: 'GET', path: '/bincodes' }, readBinCodes, signal),
    startPayment: (id, card) => send({ method: 'POST', path: `${checkout(id)}/3ds`, body: { card } }, readStartAnswer),
    pay: (id, orderCode, body) =>
      send(
        { method: 'PATCH', path: `${checkout(id)}/3ds/${encodeURIComponent(orderCode)}/pay`, body },
        readCheckoutAnswer,
      ),
  }
}
