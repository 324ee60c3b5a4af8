import type { BinCode } from '#contract/brands.ts'
import { MERCHANT_HEADER, SHOPPER_PATHS, shopperAddress, type CallPath } from '#contract/paths.ts'
import type { CardPayload, PayBody } from '#contract/three-ds.ts'
import {
  readAuthenticateAnswer,
  readBinCodes,
  readCheckoutAnswer,
  readErrorBody,
  readMonitorAnswer,
  readStartAnswer,
  type Authenticated,
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
  /** Whether it was our server that said so. */
  readonly isAnswered: boolean
  constructor(failure: Failure, isAnswered: boolean) {
    super(failure.kind === 'final' ? failure.message : `call failed: ${failure.code}`)
    this.name = 'CallFailed'
    this.failure = failure
    this.isAnswered = isAnswered
  }
}

/**
 * Whether nobody knows if the server got this request, or will still get it. Proxies have statuses of their own and share
 * the server's (500, 503, 520, 524, …): only a body tells who speaks.
 */
export const isUnanswered = (error: unknown): boolean => !(error instanceof CallFailed && error.isAnswered)

const networkError = (): CallFailed =>
  new CallFailed({ kind: 'retryable', type: 'unknown', code: 'network_error' }, false)

/** A 404 with an error body is the server's final word about this checkout; anything else may pass. */
export const failureOf = (status: number, body: unknown): Failure => {
  const error = status === 404 ? readErrorBody(body) : undefined
  return error === undefined ? { kind: 'retryable', type: 'unknown', code: status } : { kind: 'final', ...error }
}

/** The errors of our server all say something; another's might have a type and a code as well. */
const isOurError = (body: unknown): boolean => (readErrorBody(body)?.message ?? '') !== ''

/** No answer for this long counts as none. The server waits 30 s for an acquirer before it answers. */
const ANSWER_LIMIT_MS = 45_000

/** A poll that hangs must not keep the next one waiting: the challenge may long be over. */
const POLL_LIMIT_MS = 10_000

/** First label of the host name: the only identity a shopper's page sends. */
export const merchantLabel = (hostname: string): string => hostname.split('.')[0] ?? ''

interface Request {
  readonly method: CallPath['method']
  readonly address: string
  readonly body?: object
  readonly limitMs?: number
}

/** No body is null; one that breaks off or is no JSON is undefined. */
const bodyOf = async (response: Response): Promise<unknown> => {
  try {
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** There is nothing in the answer to a report. The login page of a hotel, though, has not passed the report on. */
const heard = (body: unknown): true | undefined => (body === undefined ? undefined : true)

export interface Api {
  readCheckout(checkoutId: string, signal?: AbortSignal): Promise<PageCheckout>
  cancelCheckout(checkoutId: string): Promise<PageCheckout>
  listBinCodes(signal?: AbortSignal): Promise<readonly BinCode[]>
  startPayment(checkoutId: string, card: CardPayload): Promise<Started>
  authenticate(orderCode: string): Promise<Authenticated>
  reportCollectError(orderCode: string): Promise<true>
  reportChallengeError(orderCode: string): Promise<true>
  /** Answers the monitor's event. The address is absolute, as the server gave it. */
  pollMonitor(monitoringUrl: string, signal?: AbortSignal): Promise<string>
  pay(checkoutId: string, orderCode: string, body: PayBody): Promise<PageCheckout>
}

/** The calls of the page. `fetch` is handed in so that tests need no network. */
export const createApi = (merchant: string, fetcher: typeof fetch): Api => {
  const send = async <T>(
    { method, address, body, limitMs = ANSWER_LIMIT_MS }: Request,
    read: (body: unknown) => T | undefined,
    signal?: AbortSignal,
  ): Promise<T> => {
    const limit = AbortSignal.timeout(limitMs)
    let status: number
    let answer: unknown
    try {
      const response = await fetcher(address, {
        method,
        credentials: 'omit',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        headers: { [MERCHANT_HEADER]: merchant, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      status = response.status
      answer = await bodyOf(response)
    } catch {
      throw networkError()
    }
    if (status < 200 || status > 299) throw new CallFailed(failureOf(status, answer), isOurError(answer))
    const value = read(answer)
    // A 200 that cannot be read is as good as no answer: whatever it was about is looked up again.
    if (value === undefined) throw networkError()
    return value
  }
  const request = (path: CallPath, values?: Readonly<Record<string, string>>): Request => ({
    method: path.method,
    address: shopperAddress(path, values),
  })

  return {
    readCheckout: (checkoutId, signal) =>
      send(request(SHOPPER_PATHS.readCheckout, { checkoutId }), readCheckoutAnswer, signal),
    cancelCheckout: (checkoutId) => send(request(SHOPPER_PATHS.cancelCheckout, { checkoutId }), readCheckoutAnswer),
    listBinCodes: (signal) => send(request(SHOPPER_PATHS.listBinCodes), readBinCodes, signal),
    startPayment: (checkoutId, card) =>
      send({ ...request(SHOPPER_PATHS.startPayment, { checkoutId }), body: { card } }, readStartAnswer),
    authenticate: (orderCode) => send(request(SHOPPER_PATHS.authenticate, { orderCode }), readAuthenticateAnswer),
    reportCollectError: (orderCode) => send(request(SHOPPER_PATHS.reportCollectError, { orderCode }), heard),
    reportChallengeError: (orderCode) => send(request(SHOPPER_PATHS.reportChallengeError, { orderCode }), heard),
    pollMonitor: (monitoringUrl, signal) =>
      send({ method: 'GET', address: monitoringUrl, limitMs: POLL_LIMIT_MS }, readMonitorAnswer, signal),
    pay: (checkoutId, orderCode, body) =>
      send({ ...request(SHOPPER_PATHS.pay, { checkoutId, orderCode }), body }, readCheckoutAnswer),
  }
}
