import type { BinCode } from '#contract/brands.ts'
import { MERCHANT_HEADER, SHOPPER_PATHS, shopperAddress, type CallPath } from '#contract/paths.ts'
import type { CardPayload, PayBody } from '#contract/three-ds.ts'
import {
  parseAuthenticateAnswer,
  parseBinCodes,
  parseCheckoutAnswer,
  parseErrorBody,
  parseMonitorAnswer,
  parseStartAnswer,
  type PageAuthenticateAnswer,
  type PageCheckout,
  type PageStartAnswer,
} from './parse-answers.ts'

/** API client, and how a call fails: the terms are those of the specification's section 7. */
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
  /** Whether our own server answered, and not a proxy. */
  readonly isAnswered: boolean
  constructor(failure: Failure, isAnswered: boolean) {
    super(failure.kind === 'final' ? failure.message : `call failed: ${failure.code}`)
    this.name = 'CallFailed'
    this.failure = failure
    this.isAnswered = isAnswered
  }
}

/**
 * Whether nobody knows if the server got this request, or will still get it. Proxies answer with statuses of their own and
 * with the server's (500, 503, 520, 524, …): only the body shows who answered.
 */
export const isUnanswered = (error: unknown): boolean => !(error instanceof CallFailed && error.isAnswered)

/** The HTTP status of a call that our server refused; undefined where nobody knows who answered, or whether. */
export const refusedStatus = (error: unknown): number | undefined =>
  error instanceof CallFailed &&
  error.isAnswered &&
  error.failure.kind === 'retryable' &&
  error.failure.code !== 'network_error'
    ? error.failure.code
    : undefined

const networkError = (): CallFailed =>
  new CallFailed({ kind: 'retryable', type: 'unknown', code: 'network_error' }, false)

/** A 404 with an error body is final for this checkout; every other failure may be retried. */
export const failureOf = (status: number, body: unknown): Failure => {
  const error = status === 404 ? parseErrorBody(body) : undefined
  return error === undefined ? { kind: 'retryable', type: 'unknown', code: status } : { kind: 'final', ...error }
}

/** Every error of our server has a message; another server's body might also have a type and a code. */
const isOurError = (body: unknown): boolean => (parseErrorBody(body)?.message ?? '') !== ''

/** Longer than the server's own timeout of 30 s for an acquirer. */
const CALL_TIMEOUT_MS = 45_000

/** A poll that hangs must not delay the next one: the challenge may have ended long ago. */
const POLL_TIMEOUT_MS = 10_000

/** First label of the host name: the merchant, and the only identity that the page sends. */
export const merchantLabel = (hostname: string): string => hostname.split('.')[0] ?? ''

interface CallRequest {
  readonly method: CallPath['method']
  readonly address: string
  readonly body?: object
  readonly timeoutMs?: number
}

/** No body is null; one that breaks off or is no JSON is undefined. */
const parseBody = async (response: Response): Promise<unknown> => {
  try {
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The answer to a report is empty. One that is no JSON came from a captive portal, which has not passed the report on. */
const parseAcknowledgement = (body: unknown): true | undefined => (body === undefined ? undefined : true)

export interface Api {
  readCheckout(checkoutId: string, signal?: AbortSignal): Promise<PageCheckout>
  cancelCheckout(checkoutId: string): Promise<PageCheckout>
  listBinCodes(signal?: AbortSignal): Promise<readonly BinCode[]>
  startPayment(checkoutId: string, card: CardPayload): Promise<PageStartAnswer>
  authenticate(orderCode: string): Promise<PageAuthenticateAnswer>
  reportCollectError(orderCode: string): Promise<true>
  reportChallengeError(orderCode: string): Promise<true>
  /** Returns the monitor's event. The URL is absolute, as the server gave it. */
  pollMonitor(monitoringUrl: string, signal?: AbortSignal): Promise<string>
  pay(checkoutId: string, orderCode: string, body: PayBody): Promise<PageCheckout>
}

/** `fetcher` is a parameter so that tests need no network. */
export const createApi = (merchant: string, fetcher: typeof fetch): Api => {
  const send = async <T>(
    { method, address, body, timeoutMs = CALL_TIMEOUT_MS }: CallRequest,
    parse: (body: unknown) => T | undefined,
    signal?: AbortSignal,
  ): Promise<T> => {
    // Not AbortSignal.timeout and .any: Safari before 16 and 17.4 lacks them, and every call would fail.
    const aborting = new AbortController()
    const abort = (): void => aborting.abort()
    const timer = setTimeout(abort, timeoutMs)
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort)
    let status: number
    let answer: unknown
    try {
      const response = await fetcher(address, {
        method,
        credentials: 'omit',
        signal: aborting.signal,
        headers: { [MERCHANT_HEADER]: merchant, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      status = response.status
      answer = await parseBody(response)
    } catch {
      throw networkError()
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    if (status < 200 || status > 299) throw new CallFailed(failureOf(status, answer), isOurError(answer))
    const value = parse(answer)
    // A 200 that cannot be parsed counts as no answer: the page then reads the checkout again.
    if (value === undefined) throw networkError()
    return value
  }
  const request = (path: CallPath, values?: Readonly<Record<string, string>>): CallRequest => ({
    method: path.method,
    address: shopperAddress(path, values),
  })

  return {
    readCheckout: (checkoutId, signal) =>
      send(request(SHOPPER_PATHS.readCheckout, { checkoutId }), parseCheckoutAnswer, signal),
    cancelCheckout: (checkoutId) => send(request(SHOPPER_PATHS.cancelCheckout, { checkoutId }), parseCheckoutAnswer),
    listBinCodes: (signal) => send(request(SHOPPER_PATHS.listBinCodes), parseBinCodes, signal),
    startPayment: (checkoutId, card) =>
      send({ ...request(SHOPPER_PATHS.startPayment, { checkoutId }), body: { card } }, parseStartAnswer),
    authenticate: (orderCode) => send(request(SHOPPER_PATHS.authenticate, { orderCode }), parseAuthenticateAnswer),
    reportCollectError: (orderCode) =>
      send(request(SHOPPER_PATHS.reportCollectError, { orderCode }), parseAcknowledgement),
    reportChallengeError: (orderCode) =>
      send(request(SHOPPER_PATHS.reportChallengeError, { orderCode }), parseAcknowledgement),
    pollMonitor: (monitoringUrl, signal) =>
      send({ method: 'GET', address: monitoringUrl, timeoutMs: POLL_TIMEOUT_MS }, parseMonitorAnswer, signal),
    pay: (checkoutId, orderCode, body) =>
      send({ ...request(SHOPPER_PATHS.pay, { checkoutId, orderCode }), body }, parseCheckoutAnswer),
  }
}
