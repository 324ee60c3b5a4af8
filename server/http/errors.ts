/** Error answers: every failure leaves as an error body of the contract's table, and never quotes a value. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { ERRORS, type ErrorCode } from '#contract/error-table.ts'
import { errorBody, refuse, type Refusal } from '#contract/errors.ts'
import { mendOfPattern } from '#contract/text-rules.ts'
import { looksLikeSecurityCode } from '#payment/card-number-detector.ts'
import { RETRY_AFTER_SECONDS } from './limits/load-shedding.ts'
import { errorFacts, type Log } from '../log.ts'
import { isId } from '../ids.ts'
import { DatabaseUnavailable } from '../store/engine/database.ts'

const TOO_MANY = 429
const UNAVAILABLE = 503

export const sendRefusal = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  const { status } = ERRORS[refusal.refused]
  if (status === UNAVAILABLE || status === TOO_MANY)
    reply.header('retry-after', String(refusal.params?.['retryAfterSeconds'] ?? RETRY_AFTER_SECONDS))
  return reply.code(status).type('application/json; charset=utf-8').send(errorBody(refusal))
}

/** Answers that a picture or a script does not exist. */
export const sendNotFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).type('text/plain').send('not found\n')

const byFastifyCode: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'unsupported_media_type',
}

type Finding = NonNullable<FastifyError['validation']>[number]

/** Refused before a schema is asked: what was sent is no text. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly statusCode = 400
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.refused)
    this.refusal = refusal
  }
}

/** The shortest card number that was ever issued. */
const CARD_DIGITS = 13

/** A caller may have put a card number or a security code where a name belongs. */
export const shownName = (name: string): string =>
  name.replaceAll(/\P{Nd}/gu, '').length >= CARD_DIGITS || looksLikeSecurityCode(name) ? '(not shown)' : name

const fieldOf = ({ instancePath, keyword, params }: Finding): string => {
  const path = instancePath.split('/').filter((part) => part !== '')
  const extra = keyword === 'additionalProperties' ? params['additionalProperty'] : params['missingProperty']
  const names = [...path, ...(typeof extra === 'string' ? [extra] : [])]
  return names.map(shownName).join('.') || 'body'
}

/** For a regular expression that contract/text-rules.ts does not know. A test makes sure that there is none. */
const WRONG_TEXT = 'is not written as it must be. The reference shows how.'

const mendOf = ({ keyword, params, message }: Finding): string => {
  const allowed = params['allowedValues']
  if (keyword === 'additionalProperties') return 'is not a field of this call. Leave it out.'
  if (keyword === 'required') return 'is missing.'
  if (keyword === 'enum' && Array.isArray(allowed)) return `must be one of ${allowed.join(', ')}.`
  // A caller is told in words, not by a regular expression.
  if (keyword === 'pattern') return mendOfPattern(String(params['pattern'])) ?? WRONG_TEXT
  return `${message ?? 'is not valid'}.`
}

/** Names the field and the mend, never the value: the value may be a card number. */
const refusalOfFindings = (findings: readonly Finding[]): Refusal => {
  const [first] = findings
  if (first === undefined) return refuse('invalid_field')
  const field = fieldOf(first)
  return refuse('invalid_field', { field }, `${field} ${mendOf(first)}`)
}

const BROKEN_OFF = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']

/** The caller's request is wrong, not the server. It is not logged: any stranger could fill the log. */
export const isCallersFault = ({ statusCode, code }: FastifyError): boolean =>
  (statusCode !== undefined && statusCode >= 400 && statusCode < 500) || BROKEN_OFF.includes(code)

const refusalOf = (error: FastifyError): Refusal => {
  if (error.validation !== undefined) return refusalOfFindings(error.validation)
  if (error instanceof RefusedRequest) return error.refusal
  if (error instanceof DatabaseUnavailable) return refuse('unavailable')
  const known = byFastifyCode[error.code]
  if (known !== undefined) return refuse(known)
  // A body that cannot be parsed, or an upload that its sender broke off.
  if (isCallersFault(error)) return refuse('invalid_json')
  return refuse('system_error')
}

const COMPRESSED = 'The body is compressed, and is not unpacked here. Send it without Content-Encoding.'

/** Nothing is unpacked: a small body could become a large one. As JSON a compressed body would be called broken. */
const isCompressed = ({ headers }: FastifyRequest): boolean =>
  (headers['content-encoding'] ?? 'identity') !== 'identity'

const refusalOfCall = (error: FastifyError, request: FastifyRequest): Refusal => {
  const refusal = refusalOf(error)
  if (refusal.refused === 'body_too_large') {
    const most = request.routeOptions.bodyLimit / 1024
    return refuse('body_too_large', {}, `The body is too large. Send at most ${most} KiB.`)
  }
  return refusal.refused === 'invalid_json' && isCompressed(request)
    ? refuse('unsupported_media_type', {}, COMPRESSED)
    : refusal
}

const CHECKOUTS = `${SHOPPER_BASE}/checkouts/`

/** An address that cannot be decoded reaches no route. Fastify's own answer would quote it and lack our headers. */
export const answerBadAddress = (url: string, reply: FastifyReply): FastifyReply => {
  if (![SHOPPER_BASE, MERCHANT_BASE, CONSOLE_BASE].some((base) => url.startsWith(base)))
    return reply.code(303).header('cache-control', 'no-store').header('location', '/404').send()
  const [checkoutId = ''] = /^[^/?]*/.exec(url.slice(CHECKOUTS.length)) ?? []
  const unknown = url.startsWith(CHECKOUTS) && !isId(checkoutId)
  return sendRefusal(reply, refuse(unknown ? 'checkout_not_found' : 'method_not_allowed'))
}

/** Every error leaves as an error body of the contract's table. */
export const answerErrors = (app: FastifyInstance, log: Log): void => {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = refusalOfCall(error, request)
    if (ERRORS[refusal.refused].status >= 500) {
      const call = `${request.method} ${request.routeOptions.url ?? ''}`
      log.error('a call failed', { request: request.id, call, ...errorFacts(error) })
    }
    return sendRefusal(reply, refusal)
  })
}
