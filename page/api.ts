/** API client, and how a call fails: the terms are those of the specification's section 7. */
import type { BinCode } from '#contract/brands.ts'
import { MERCHANT_HEADER, SHOPPER_PATHS, shopperAddress, type CallPath } from '#contract/paths.ts'
import { parseBinCodes, parseCheckoutAnswer, parseErrorBody, type PageCheckout } from './parse-answers.ts'

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
  // `declare`: a field of its own would bring a helper for old browsers into the first script.
  declare readonly failure: Failure
  /** The code of our own server's error; undefined where a proxy answered, or nobody. */
  declare readonly refusal: string | undefined
  constructor(failure: Failure, refusal?: string) {
    super(failure.kind === 'final' ? failure.message : `call failed: ${failure.code}`)
    this.name = 'CallFailed'
    this.failure = failure
    this.refusal = refusal
  }
}

/**
 * Whether nobody knows if the server got this request, or will still get it. Proxies answer with statuses of their own and
 * with the server's (500, 503, 520, 524, …): only the body shows who answered. A server that is not ready has not decided
 * anything, and another one may have got the same request.
 */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof CallFailed) || error.refusal === undefined || error.refusal === 'unavailable'

const networkError = (): CallFailed => new CallFailed({ kind: 'retryable', type: 'unknown', code: 'network_error' })

/** A 404 with an error body is final for this checkout; every other failure may be retried. */
export const failureOf = (status: number, body: unknown): Failure => {
  const error = status === 404 ? parseErrorBody(body) : undefined
  return error === undefined ? { kind: 'retryable', type: 'unknown', code: status } : { kind: 'final', ...error }
}

/** Every error of our server has a message; another server's body might also have a type and a code. */
const refusalOf = (body: unknown): string | undefined => {
  const error = parseErrorBody(body)
  return error === undefined || error.message === '' ? undefined : error.code
}

/** Longer than the server's own timeout of 30 s for an acquirer. */
const CALL_TIMEOUT_MS = 45_000

/** First label of the host name: the merchant, and the only identity that the page sends. */
export const merchantLabel = (hostname: string): string => hostname.split('.')[0] ?? ''

export interface CallRequest {
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

export type SendCall = <T>(
  request: CallRequest,
  parse: (body: unknown) => T | undefined,
  signal?: AbortSignal,
) => Promise<T>

/** What the card page asks by itself. The calls of a payment are in `payment-api.ts`, which only a payment loads. */
export interface Api {
  readonly send: SendCall
  readCheckout(checkoutId: string, signal?: AbortSignal): Promise<PageCheckout>
  listBinCodes(signal?: AbortSignal): Promise<readonly BinCode[]>
}

export const callRequest = (path: CallPath, values?: Readonly<Record<string, string>>): CallRequest => ({
  method: path.method,
  address: shopperAddress(path, values),
})

/** `fetcher` is a parameter so that tests need no network. */
export const createApi = (merchant: string, fetcher: typeof fetch): Api => {
  const send: SendCall = async ({ method, address, body, timeoutMs = CALL_TIMEOUT_MS }, parse, signal) => {
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
    if (status < 200 || status > 299) throw new CallFailed(failureOf(status, answer), refusalOf(answer))
    const value = parse(answer)
    // A 200 that cannot be parsed counts as no answer: the page then reads the checkout again.
    if (value === undefined) throw networkError()
    return value
  }

  return {
    send,
    readCheckout: (checkoutId, signal) =>
      send(callRequest(SHOPPER_PATHS.readCheckout, { checkoutId }), parseCheckoutAnswer, signal),
    listBinCodes: (signal) => send(callRequest(SHOPPER_PATHS.listBinCodes), parseBinCodes, signal),
  }
}
