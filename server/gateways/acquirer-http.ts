/** HTTP to an acquirer: within a time limit, without redirects, answers of bounded size. */
import type { Instant } from '#contract/jst.ts'
import type { Clock } from '#payment/ports.ts'
import { parseJson } from '../parse-json.ts'

/** Longer answers are not read to their end: they would fill the memory of a server that many shoppers wait for. */
const ANSWER_MAX_BYTES = 1_048_576

/** An HTTP answer with its body already parsed as JSON, or null where there was none. */
export interface AcquirerReply {
  readonly status: number
  readonly body: unknown
  readonly receivedAt: Instant
}

export interface AcquirerRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Null: more than the limit. Leaving the loop early also closes the connection. */
const textOf = async (response: Response): Promise<string | null> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > ANSWER_MAX_BYTES) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** A redirect is an error: it would take the credentials, and a card, to an address that nobody configured. */
export const sendToAcquirer = async (
  { url, ...request }: AcquirerRequest,
  signal: AbortSignal,
  clock: Pick<Clock, 'now'>,
): Promise<AcquirerReply> => {
  const response = await fetch(url, { ...request, redirect: 'error', signal })
  const text = await textOf(response)
  return { status: response.status, body: text === null ? null : parseJson(text), receivedAt: clock.now() }
}

/** Nobody listens there: unlike a silence, that is an answer. */
export const isRefused = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}
