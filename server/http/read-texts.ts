/** Texts of requests: a body of JSON and a query are UTF-8 without half a surrogate, or are refused before any schema is asked. */
import { isUtf8 } from 'node:buffer'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { refuse, refuseField, type Refusal } from '#contract/errors.ts'
import { mayHoldHalf, parseWellFormed } from '../parse-json.ts'
import { RefusedRequest, shownName } from './errors.ts'
import { searchOf } from './query.ts'

const UTF_8 = /^utf-?8$/i
const HALF = 'holds half of a surrogate pair: a text was cut inside of a character. Cut between characters.'
const HALF_IN_NAME = `has a name that ${HALF}`
const NO_UTF_8 = 'must be UTF-8, written with percent signs.'

/** No schema has more names below each other; a body has thousands when somebody tries it. */
const NAMES_MAX = 8

/** What a text must be decoded by, as its sender says; UTF-8 unless it says so. */
const charsetOf = ({ headers }: FastifyRequest): string =>
  /;\s{0,8}charset\s{0,8}=\s{0,8}"?([^\s;"]{0,40})/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'

/** The name of a charset that there is. Whatever else stands in its place may be a card number. */
const knownCharset = (label: string): string => {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return 'a charset that is not known here'
  }
}

const refuseCharset = (label: string): Refusal =>
  refuse('unsupported_media_type', {}, `The body is sent as ${knownCharset(label)}. Send JSON as UTF-8.`)

interface Place {
  readonly value: unknown
  readonly name: string
  readonly above: Place | null
}

const pathOf = (place: Place | null): string => {
  const names: string[] = []
  for (let at = place; at !== null && at.above !== null; at = at.above) names.push(at.name)
  return names.toReversed().slice(0, NAMES_MAX).map(shownName).join('.') || 'body'
}

/** Not by recursion: a body of 64 KiB holds 60,000 lists in each other. */
const refuseHalf = (body: unknown): Refusal | undefined => {
  const places: Place[] = [{ value: body, name: '', above: null }]
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { value } = place
    if (!place.name.isWellFormed()) return refuseField(pathOf(place.above), HALF_IN_NAME)
    if (typeof value === 'string' && !value.isWellFormed()) return refuseField(pathOf(place), HALF)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, each] of Object.entries(value).toReversed()) places.push({ value: each, name, above: place })
  }
  return undefined
}

/** A body as text, without a byte order mark; null: its bytes are no UTF-8. */
const decode = (bytes: Buffer, broken: 'refused' | 'replaced'): string | null =>
  broken === 'replaced' || isUtf8(bytes) ? bytes.toString('utf8').replace(/^\ufeff/, '') : null

/**
 * Reads bodies of JSON, and of no other type. `replaced`: what is no character becomes U+FFFD. An acquirer would send what is
 * refused again and again, and nothing behind it.
 */
export const readJsonBodies = (app: FastifyInstance, broken: 'refused' | 'replaced'): void => {
  // A form on another site can send text/plain without a CORS preflight. It is refused by its content type.
  app.removeContentTypeParser(['text/plain', 'application/json'])
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const charset = charsetOf(request)
    if (!UTF_8.test(charset)) return done(new RefusedRequest(refuseCharset(charset)))
    const text = decode(bytes, broken)
    if (text === null) return done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
    // HTTP clients differ in how they send "nothing" with Content-Type: application/json.
    if (text.trim() === '') return done(null, null)
    return void parse(request, text, (error, body) => {
      if (error !== null || !mayHoldHalf(text)) return done(error, body)
      if (broken === 'replaced') return done(null, parseWellFormed(text))
      const refusal = refuseHalf(body)
      return refusal === undefined ? done(null, body) : done(new RefusedRequest(refusal))
    })
  })
}

/** A percent sign that begins no byte stands for itself, as in browsers. */
const isUtf8Query = (written: string): boolean => {
  try {
    decodeURIComponent(written.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}

/** Fastify leaves a parameter as it was sent that it cannot decode: a list would look for the percent signs. */
const refuseQuery = (search: string): Refusal | undefined => {
  if (isUtf8Query(search)) return undefined
  const wrong =
    search
      .slice(1)
      .split('&')
      .find((parameter) => !isUtf8Query(parameter)) ?? ''
  const [name = ''] = wrong.split('=')
  return refuseField(/^\w{1,40}$/.test(name) ? shownName(name) : 'query', NO_UTF_8)
}

/** Of calls that read their query, and of no page: what another site has added to its address breaks none. */
export const refuseBrokenQueries = (app: FastifyInstance): void => {
  app.addHook('preValidation', (request, _reply, done) => {
    const isRead = request.routeOptions.schema?.querystring !== undefined
    const refusal = isRead ? refuseQuery(searchOf(request)) : undefined
    if (refusal === undefined) done()
    else done(new RefusedRequest(refusal))
  })
}
