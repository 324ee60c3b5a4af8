/** API client of the console: one call of the contract, sent with a session, its answer checked by the contract's schema. */
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { MerchantMode } from '#contract/access.ts'
import type { Call } from '#contract/calls.ts'
import { CONSOLE_BASE, MODE_HEADER } from '#contract/console/paths.ts'
import { ERRORS, type ErrorCode } from '#contract/error-table.ts'
import type { ErrorBody, ErrorParams } from '#contract/errors.ts'
import { MERCHANT_BASE, MERCHANT_HEADER } from '#contract/paths.ts'
import type { FailureCode } from '../words/error-words.ts'

/** A call of the merchant API or of the console: what both kinds have. */
export type AnyCall<Path extends TSchema, Body extends TSchema, Answer extends TSchema, Query extends TSchema> = Pick<
  Call<Path, Body, Answer>,
  'method' | 'path' | 'params' | 'body' | 'answer' | 'contentType'
> & { readonly query?: Query }

export interface CallInput<Path extends TSchema, Body extends TSchema, Query extends TSchema> {
  readonly params?: Static<Path>
  readonly query?: Static<Query>
  /** Of JSON; `file` for a call that takes bytes. */
  readonly body?: Static<Body>
  readonly file?: Blob
  readonly headers?: Readonly<Record<string, string>>
}

/** Which shop, and which of its modes, a call is about. */
export interface ChosenShop {
  readonly label: string
  readonly mode: MerchantMode
}

export interface CallFailure {
  readonly code: FailureCode
  readonly params: ErrorParams
}

/** A refusal is a value: the screen says what it means. */
export type CallResult<T> =
  | { readonly ok: true; readonly value: T; readonly headers: Headers }
  | { readonly ok: false; readonly failure: CallFailure }

/** Longer than the server's own timeout of 30 s for an acquirer. */
const CALL_TIMEOUT_MS = 45_000

const failed = (
  code: FailureCode,
  params: ErrorParams = {},
): { readonly ok: false; readonly failure: CallFailure } => ({
  ok: false,
  failure: { code, params },
})

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' && 'message' in body

/** A proxy answers with errors of its own, which have no body of ours. */
const failureOf = (body: unknown): { readonly ok: false; readonly failure: CallFailure } =>
  isErrorBody(body) && isErrorCode(body.code) ? failed(body.code, body.params) : failed('network_error')

const parseJson = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parameters and queries of the contract are texts and numbers; a missing one is left out. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

const valuesOf = (value: unknown): ReadonlyMap<string, string> =>
  new Map(
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, each]) => [name, textOf(each)])
      : [],
  )

const addressOf = (base: string, path: string, params: unknown, query: unknown): string => {
  const values = valuesOf(params)
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))
  const search = new URLSearchParams([...valuesOf(query)].filter(([, value]) => value !== ''))
  return base + filled + (search.size === 0 ? '' : `?${search}`)
}

export interface ApiOptions {
  readonly fetcher: typeof fetch
  /** Asks for the passkey. True: it was confirmed, and the call is sent once more. */
  readonly confirm: () => Promise<boolean>
  /** The session is over, whichever call was told so. */
  readonly onSignedOut: () => void
}

export interface Api {
  /** `shop` is left out in calls that are about the person. */
  send<Path extends TSchema, Body extends TSchema, Answer extends TSchema, Query extends TSchema>(
    call: AnyCall<Path, Body, Answer, Query>,
    input: CallInput<Path, Body, Query>,
    shop?: ChosenShop,
    signal?: AbortSignal,
  ): Promise<CallResult<Static<Answer>>>
}

/** Console calls are known by their own list of accesses; all others belong to the merchant API. */
const baseOf = (call: object): string => ('needsConfirmation' in call ? CONSOLE_BASE : MERCHANT_BASE)

/** `fetcher` is a parameter so that tests need no network. */
export const createApi = ({ fetcher, confirm, onSignedOut }: ApiOptions): Api => {
  const sendOnce: Api['send'] = async (call, { params, query, body, file, headers }, shop, signal) => {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS)
    let response: Response
    let text: string
    try {
      response = await fetcher(addressOf(baseOf(call), call.path, params, query), {
        method: call.method,
        credentials: 'same-origin',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        headers: {
          ...(shop === undefined ? {} : { [MERCHANT_HEADER]: shop.label, [MODE_HEADER]: shop.mode }),
          ...(file === undefined ? {} : { 'content-type': file.type }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(file === undefined ? {} : { body: file }),
      })
      text = await response.text()
    } catch (error) {
      // A query that nobody waits for any more.
      if (signal?.aborted === true) throw error
      return failed('network_error')
    }
    if (!response.ok) return failureOf(parseJson(text))
    const value: unknown = call.contentType === undefined ? parseJson(text) : text
    // A server of a newer release may answer what this script does not know.
    return Check(call.answer, value) ? { ok: true, value, headers: response.headers } : failed('unreadable_answer')
  }

  return {
    send: async (call, input, shop, signal) => {
      const first = await sendOnce(call, input, shop, signal)
      if (first.ok) return first
      if (first.failure.code === 'signed_out') onSignedOut()
      if (first.failure.code !== 'passkey_needed' || !(await confirm())) return first
      return sendOnce(call, input, shop, signal)
    },
  }
}
