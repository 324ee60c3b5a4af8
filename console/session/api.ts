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
export type AnyCall = Pick<
  Call<TSchema, TSchema, TSchema>,
  'method' | 'path' | 'params' | 'body' | 'query' | 'answer' | 'contentType'
>

/** The input of whichever call. */
interface UnknownInput {
  readonly params?: unknown
  readonly query?: unknown
  /** Of JSON; `file` for a call that takes bytes. */
  readonly body?: unknown
  readonly file?: Blob
  readonly headers?: Readonly<Record<string, string>>
}

/** The compiler takes ten seconds to compare `Static` of a type parameter with itself, and none for this. */
type ValueOf<C extends AnyCall, Name extends 'params' | 'query' | 'body' | 'answer'> =
  C extends Readonly<Record<Name, infer Schema extends TSchema>> ? Static<Schema> : never

export interface CallInput<C extends AnyCall> extends UnknownInput {
  readonly params?: ValueOf<C, 'params'>
  readonly query?: ValueOf<C, 'query'>
  readonly body?: ValueOf<C, 'body'>
}

export type AnswerOf<C extends AnyCall> = ValueOf<C, 'answer'>

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

const isAnswerOf = <C extends AnyCall>(call: C, value: unknown): value is AnswerOf<C> => Check(call.answer, value)

/** A server of a newer release may answer what this script does not know. */
const checkedAnswer = <C extends AnyCall>(call: C, result: CallResult<unknown>): CallResult<AnswerOf<C>> => {
  if (!result.ok) return result
  const { value, headers } = result
  return isAnswerOf(call, value) ? { ok: true, value, headers } : failed('unreadable_answer')
}

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

/** Console calls are known by their own list of accesses; all others belong to the merchant API. */
const baseOf = (call: object): string => ('needsConfirmation' in call ? CONSOLE_BASE : MERCHANT_BASE)

/** `fetcher` is a parameter so that tests need no network. */
export const createApi = ({ fetcher, confirm, onSignedOut }: ApiOptions) => {
  const sendOnce = async (
    call: AnyCall,
    { params, query, body, file, headers }: UnknownInput,
    shop?: ChosenShop,
    signal?: AbortSignal,
  ): Promise<CallResult<unknown>> => {
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
    return { ok: true, value, headers: response.headers }
  }

  return {
    /** `shop` is left out in calls that are about the person. */
    send: async <C extends AnyCall>(
      call: C,
      input: CallInput<C>,
      shop?: ChosenShop,
      signal?: AbortSignal,
    ): Promise<CallResult<AnswerOf<C>>> => {
      const first = await sendOnce(call, input, shop, signal)
      const isUnconfirmed = !first.ok && first.failure.code === 'passkey_needed'
      const last = isUnconfirmed && (await confirm()) ? await sendOnce(call, input, shop, signal) : first
      if (!last.ok && last.failure.code === 'signed_out') onSignedOut()
      return checkedAnswer<C>(call, last)
    },
  }
}

/** Taken from the function: the compiler needs seconds to compare two signatures over schemas. */
export type Api = ReturnType<typeof createApi>
