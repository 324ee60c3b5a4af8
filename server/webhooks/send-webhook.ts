/** Send webhook: one POST to a merchant's endpoint, to addresses that were looked at, redirects not followed. */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { TRY_TIMEOUT_MS, type WebhookAnswer } from '#payment/webhook-retries.ts'
import { maskCardNumbers } from '#payment/masked-card-numbers.ts'
import { connectProblem, literalAddress, urlProblem, type AddressRules } from './address-guard.ts'
import { resolveName, type ResolvedAddress, type ResolveName } from './resolve-name.ts'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type SendWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>

export interface SenderOptions {
  readonly rules: AddressRules
  readonly resolve?: ResolveName
  readonly timeoutMs?: number
  /** How a request is made, for counting them. */
  readonly request?: typeof openRequest
}

const ANSWER_BYTES_MAX = 1024

/** As it is kept: PostgreSQL takes no zero byte in a text, and an endpoint may answer with what a shop's own program logs. */
const readable = (bytes: Buffer): string => {
  const read = new TextDecoder().decode(bytes.subarray(0, ANSWER_BYTES_MAX)).replaceAll('\0', '\uFFFD')
  return maskCardNumbers(read, bytes.length >= ANSWER_BYTES_MAX)
}

const openRequest = (url: URL, options: RequestOptions) =>
  url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options)

/** Only the addresses that were looked at: a name that answers otherwise the second time is not asked a second time. */
const answering =
  (known: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = known
    if (all === true) callback(null, [...known])
    else if (first === undefined) callback(new Error('no address'), '', 0)
    else callback(null, first.address, first.family)
  }

/** Addresses to connect to, each allowed, or why none may be connected to. */
export const findAddresses = async (
  url: URL,
  rules: AddressRules,
  resolve: ResolveName = resolveName,
): Promise<readonly ResolvedAddress[] | { readonly problem: string }> => {
  const problem = urlProblem(url, rules)
  if (problem !== undefined) return { problem }
  const literal = literalAddress(url)
  const found =
    literal === undefined ? await resolve(url.hostname) : [{ address: literal, family: literal.includes(':') ? 6 : 4 }]
  // One bad address among many is one too many: which of them is connected to is not ours to say.
  for (const { address } of found) {
    const refused = connectProblem(url, address, rules)
    if (refused !== undefined) return { problem: refused }
  }
  return found
}

const unreachable = (why: string): WebhookAnswer => ({ outcome: 'unreachable', why })

const postTo = (
  open: typeof openRequest,
  { url, headers, body }: WebhookRequest,
  addresses: readonly ResolvedAddress[],
  signal: AbortSignal,
): Promise<WebhookAnswer> =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const sending = open(new URL(url), {
      method: 'POST',
      // A connection of its own: one that is kept open would be used again without its address being looked at.
      agent: false,
      lookup: answering(addresses),
      headers: { ...headers, 'content-length': String(bytes.length) },
      signal,
    })
    sending.on('error', reject)
    sending.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      const end = (): void => {
        response.destroy()
        const { statusCode = 0, headers: answered } = response
        const retryAfter = answered['retry-after'] ?? null
        const read = readable(Buffer.concat(chunks))
        resolve({ outcome: 'answered', status: statusCode, retryAfter, body: read })
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size >= ANSWER_BYTES_MAX) end()
      })
      response.on('end', end)
      response.on('error', reject)
    })
    sending.end(bytes)
  })

const whyOf = (error: unknown, signal: AbortSignal, timeoutMs: number): string => {
  if (signal.aborted) return `no answer within ${timeoutMs / 1000} s`
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return `no connection: ${code}`
}

export const createSendWebhook =
  ({ rules, resolve = resolveName, timeoutMs = TRY_TIMEOUT_MS, request = openRequest }: SenderOptions): SendWebhook =>
  async (sent) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { promise: late, reject: giveUp } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => giveUp(signal.reason), { once: true })
    try {
      const found = await Promise.race([findAddresses(new URL(sent.url), rules, resolve), late])
      if ('problem' in found) return unreachable(`address refused: it ${found.problem}`)
      if (found.length === 0) return unreachable('no connection: the host has no address')
      return await Promise.race([postTo(request, sent, found, signal), late])
    } catch (error) {
      return unreachable(whyOf(error, signal, timeoutMs))
    }
  }
