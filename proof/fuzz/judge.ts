/** Judge of answers: what is wrong with the server's answer to a fuzzed request, in words. */
import { ERRORS } from '#contract/error-table.ts'
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { isRecord } from '../../tools/is-record.mjs'
import { undeclaredError } from '../harness/declared-errors.ts'
import { OVERSIZED_LENGTH } from './awkward-values.ts'
import type { FuzzAnswer, Exchange } from './connection.ts'
import { problemOfText } from './strict-reader.ts'
import { decodedPath, isErrorPage, pathOf, type FuzzRequest } from './fuzz-request.ts'

const isTextOrNumber = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** The code in an error body of the contract; undefined: it is none. Not by a schema: this is asked a million times. */
const errorCodeIn = (body: string): string | undefined => {
  const value: unknown = JSON.parse(body)
  if (!isRecord(value)) return undefined
  const { type, code, message, params, ...rest } = value
  if (typeof type !== 'string' || typeof message !== 'string' || Object.keys(rest).length > 0) return undefined
  if (!isRecord(params) || !Object.values(params).every(isTextOrNumber)) return undefined
  return typeof code === 'string' && Object.hasOwn(ERRORS, code) ? code : undefined
}

/** Node's own parser, and the checks before any route, know no API: they answer in plain words. */
const PLAIN_REFUSALS = [400, 408, 414, 417]

/** Sent as a card's number in every episode, and as nothing else. */
const CARD_NUMBER = '4242424242424242'

const isByPerson = (request: FuzzRequest): boolean =>
  /^console\./i.test(request.headers['host'] ?? '') && pathOf(request).startsWith(`${MERCHANT_BASE}/`)

const problemOfCall = ({ status, headers, body }: FuzzAnswer, request: FuzzRequest): string | undefined => {
  const { method, target } = request
  if (status < 400 || method === 'HEAD') return undefined
  if (!(headers.get('content-type') ?? '').startsWith('application/json'))
    return PLAIN_REFUSALS.includes(status) ? undefined : `${status} of a call without an error body`
  const code = errorCodeIn(body)
  if (code === undefined) return 'an error body that the contract does not know'
  if (decodedPath(request) === undefined) return undefined
  return undeclaredError(method, target, { status, code, isByPerson: isByPerson(request) })
}

/** What is wrong with this answer; undefined: nothing. Any 4xx is right: somebody has to say no. */
export const problemOf = (answer: FuzzAnswer, request: FuzzRequest): string | undefined => {
  const { status, headers, body, isBroken = false } = answer
  if (!(status >= 200 && status < 500) && !(status === 500 && isErrorPage(request))) return `answered ${status}`
  if (headers.get('x-content-type-options') !== 'nosniff') return `${status} without our headers`
  if (!/^\/(?!\/)/.test(headers.get('location') ?? '/')) return 'a redirect to another host'
  if (body.includes(CARD_NUMBER)) return 'a card number in the answer'
  const unreadable = problemOfText(headers.get('content-type') ?? '', isBroken ? undefined : body)
  if (unreadable !== undefined && request.method !== 'HEAD' && !headers.has('content-encoding')) return unreadable
  const path = pathOf(request)
  const isCall = [SHOPPER_BASE, MERCHANT_BASE, CONSOLE_BASE].some((base) => path.startsWith(`${base}/`))
  return isCall ? problemOfCall(answer, request) : undefined
}

/** The server stops reading a body that is too long; its answer may then be lost to the sender that is still writing. */
const mayBeClosed = ({ body }: FuzzRequest): boolean => (body ?? '').length >= OVERSIZED_LENGTH

export const problemOfExchange = (exchange: Exchange, request: FuzzRequest): string | undefined => {
  switch (exchange.outcome) {
    case 'answered':
      return problemOf(exchange.answer, request)
    case 'closed':
      return mayBeClosed(request) ? undefined : 'closed without an answer'
    case 'hung':
      return 'no answer and no end'
    case 'refused':
      return 'the server takes no connection'
  }
}
