/** Call of the merchant API over HTTP: sent with the developer's key, its answer parsed by the contract. */
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { Check, Clean } from 'typebox/value'
import type { MerchantCall } from '#contract/calls.ts'
import type { MerchantApi } from '../../config/merchant-api.ts'
import { parseJson } from '../../parse-json.ts'
import type { ApiProblem } from './api-problem.ts'

/** A refund may wait for the acquirer as long as GATEWAY_TIMEOUT_MS allows, a reading half a minute for an inquiry. An export of a year is long. */
const TIMEOUT_MS = 130_000
const READING_TIMEOUT_MS = 40_000

const ErrorAnswer = Type.Object({
  code: Type.String(),
  message: Type.String(),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
})

interface Sent {
  /** Values of the path, such as checkoutId. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** Instead of it: the bytes of a picture. What they are the server reads from themselves. */
  readonly picture?: Buffer<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

export type ApiResult<Answer> =
  | { readonly ok: true; readonly answer: Answer; readonly isReplay: boolean; readonly etag: string | null }
  | { readonly ok: false; readonly problem: ApiProblem }

/** "bad port": one that no HTTP client may call. */
const NEVER_SENT =
  /^(bad port|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|SIGNATURE|ALTNAME/

/** Codes alone: the words of an error may quote what was sent. */
const networkProblem = (error: unknown): ApiProblem => {
  if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'no answer', why: 'not in time' }
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  const why = code ?? (cause instanceof Error && cause.message === 'bad port' ? cause.message : 'connection lost')
  return { kind: NEVER_SENT.test(why) ? 'not sent' : 'no answer', why }
}

const addressOf = (url: string, path: string, { path: values = {}, query = {} }: Sent): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return url + filled + (search === '' ? '' : `?${search}`)
}

const contentOf = ({ body, picture }: Sent): { readonly type: string; readonly body: BodyInit } | null => {
  if (picture !== undefined) return { type: 'image/png', body: picture }
  return body === undefined ? null : { type: 'application/json', body: JSON.stringify(body) }
}

const timeoutOf = ({ method, lane }: Pick<MerchantCall<TSchema, TSchema, TSchema>, 'method' | 'lane'>): number =>
  method === 'GET' && lane !== 'reports' ? READING_TIMEOUT_MS : TIMEOUT_MS

export const callMerchantApi = async <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  { url, key }: MerchantApi,
  call: MerchantCall<Path, Body, Answer> & { readonly contentType?: string },
  sent: Sent = {},
  timeoutMs: number = timeoutOf(call),
): Promise<ApiResult<Static<Answer>>> => {
  const { contentType = 'application/json' } = call
  const content = contentOf(sent)
  const fail = (problem: ApiProblem) => ({ ok: false, problem }) as const
  try {
    const response = await fetch(addressOf(url, call.path, sent), {
      method: call.method,
      // The key goes to KAIKEI_URL and nowhere else.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${key}`,
        ...(content === null ? {} : { 'content-type': content.type }),
        ...sent.headers,
      },
      ...(content === null ? {} : { body: content.body }),
    })
    const text = await response.text()
    const { status, headers } = response
    const requestId = headers.get('request-id')
    const type = headers.get('content-type') ?? ''
    const json = type.startsWith('application/json') ? parseJson(text) : text
    if (status !== call.status) {
      if (!Check(ErrorAnswer, json)) return fail({ kind: 'unreadable', status, requestId })
      const { code, message, params } = json
      return fail({ kind: 'refused', code, message, params, requestId })
    }
    // A newer server may say more than this release knows.
    const answer = Clean(call.answer, json)
    if (!type.startsWith(contentType) || !Check(call.answer, answer))
      return fail({ kind: 'unreadable', status, requestId })
    return { ok: true, answer, isReplay: headers.get('idempotent-replayed') === 'true', etag: headers.get('etag') }
  } catch (error) {
    return fail(networkProblem(error))
  }
}
