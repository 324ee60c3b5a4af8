/** ActiveServer, answers: retry rule, and its answers into verdicts. */
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { TRANS_STATUSES, type TransStatus, type Verdict } from '#payment/authentication-verdict.ts'
import type {
  ThreeDSAnswer,
  ThreeDSEvent,
  ThreeDSResult,
  ThreeDSSession,
  ThreeDSStart,
  ThreeDSUnavailable,
} from '#payment/three-ds-port.ts'
import { requestorTransId } from './translate.ts'
import type { Exchange, Failure } from './transport.ts'
import { AuthAnswer, EnrolAnswer, InitAnswer, MonitorAnswer, Problem, type ActiveServerReply } from './wire.ts'

const PAN_NOT_PARTICIPATING = '1005'
/** Transient fault, no connection: the server says that the call went no further, so it may be made again. */
const NOT_PASSED_ON = ['403', '405']
/** The directory server or the issuer did not answer in time. */
const TIMED_OUT = '402'

const errorCodeOf = ({ body }: ActiveServerReply): string | undefined =>
  Check(Problem, body) ? String(body.errorCode) : undefined

/**
 * Retry: whether a call is made once more. A POST only where the server says that it was not passed on. After a timeout of
 * the issuer (402), or a 5xx without a code (a proxy's 502 or 504), the issuer may have been asked: asked again, it would
 * prompt the card holder twice. A GET reads, and is repeated after those too.
 */
export const mayRepeat = (method: 'GET' | 'POST', exchange: Exchange): boolean => {
  const isRead = method === 'GET'
  if (!exchange.ok) return isRead && ['refused', 'broken', 'hung up'].includes(exchange.failure.kind)
  const code = errorCodeOf(exchange.reply)
  if (code === undefined) return isRead && exchange.reply.status >= 500
  return NOT_PASSED_ON.includes(code) || (isRead && code === TIMED_OUT)
}

/** A data element is missing, malformed or there twice: the server says so before it asks anybody. */
const WRONG_ELEMENT = ['201', '203', '204']

export const saysWrongElement = (exchange: Exchange): boolean =>
  exchange.ok && WRONG_ELEMENT.includes(errorCodeOf(exchange.reply) ?? '')

const unavailable = (why: string): ThreeDSUnavailable => ({ outcome: 'unavailable', why })
const unreadable = unavailable('an answer that cannot be read')

const whyOf = (failure: Failure): string => {
  switch (failure.kind) {
    case 'timeout':
      return 'no answer in time'
    case 'refused':
      return 'it cannot be reached'
    case 'broken':
      return 'the connection was lost'
    case 'hung up':
      return 'it closed a new secure connection without an answer: it may not accept our client certificate'
    case 'too large':
      return 'an answer too large to read'
    case 'untrusted':
      return `its certificate is not to be trusted (${failure.code})`
    case 'unwelcome':
      return `it turned us away, most likely for our client certificate (${failure.code})`
    case 'tls':
      return `no secure connection (${failure.code})`
  }
}

/** Nothing but a success without an error code is an answer to go by. */
const bodyOf = (
  exchange: Exchange,
): { readonly body: unknown } | { readonly problem: string; readonly why: string } => {
  if (!exchange.ok) return { problem: exchange.failure.kind, why: whyOf(exchange.failure) }
  const { status, body } = exchange.reply
  const code = errorCodeOf(exchange.reply)
  if (code !== undefined) return { problem: code, why: `error ${code}` }
  return status >= 200 && status < 300 ? { body } : { problem: 'status', why: `HTTP ${status}` }
}

/** The web address in `text`; undefined for anything else, and for one less safe than the API's own. */
const webAddress = (text: string, apiUrl: URL): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:') return url
  return url?.protocol === 'http:' && apiUrl.protocol === 'http:' ? url : undefined
}

/** Where the card number may be sent: undefined unless it is the API itself. */
export const authAddress = (text: string, apiUrl: URL): URL | undefined => {
  const url = webAddress(text, apiUrl)
  return url?.origin === apiUrl.origin ? url : undefined
}

export const monitorAddress = (session: ThreeDSSession, apiUrl: URL): URL | undefined => {
  const text = session.challenge?.monitorUrl ?? null
  return text === null ? undefined : webAddress(text, apiUrl)
}

const given = (text: string | null | undefined): string | null => (text === undefined || text === '' ? null : text)

/** Undefined: go on to init, whose answer decides. */
export const readEnrol = (exchange: Exchange): ThreeDSStart | undefined => {
  const read = bodyOf(exchange)
  if ('problem' in read) return notStarted(read)
  if (!Check(EnrolAnswer, read.body)) return unreadable
  return read.body.enrolmentStatus === '00' ? { outcome: 'not_enrolled' } : undefined
}

const notStarted = ({ problem, why }: { problem: string; why: string }): ThreeDSStart =>
  problem === PAN_NOT_PARTICIPATING ? { outcome: 'not_enrolled' } : unavailable(why)

export const readInit = (orderCode: string, apiUrl: URL, exchange: Exchange): ThreeDSStart => {
  const read = bodyOf(exchange)
  if ('problem' in read) return notStarted(read)
  if (!Check(InitAnswer, read.body)) return unreadable
  const { threeDSServerTransID: serverTransId, authUrl } = read.body
  if (authAddress(authUrl, apiUrl) === undefined) return unavailable('an authUrl that is not of the API')
  const collectUrl = given(read.body.threeDSServerCallbackUrl)
  const watchUrl = given(read.body.monUrl)
  if ([collectUrl, watchUrl].some((url) => url !== null && webAddress(url, apiUrl) === undefined))
    return unavailable('a page that may not be framed')
  const session = { requestorTransId: requestorTransId(orderCode), serverTransId, authUrl, challenge: null }
  return { outcome: 'started', session, collectUrl, watchUrl }
}

type AuthenticationAnswer = Static<typeof AuthAnswer>

/** The answer to this very authentication, or why there is none. */
const answerOf = (session: ThreeDSSession, exchange: Exchange): AuthenticationAnswer | ThreeDSUnavailable => {
  const read = bodyOf(exchange)
  if ('problem' in read) return unavailable(read.why)
  if (!Check(AuthAnswer, read.body)) return unreadable
  const { threeDSServerTransID: about } = read.body
  return (about ?? session.serverTransId) === session.serverTransId
    ? read.body
    : unavailable('an answer about another transaction')
}

const isTransStatus = (text: string): text is TransStatus => TRANS_STATUSES.some((known) => known === text)

/** A field of another shape counts as missing: of a proof nothing may be missing, and the rest is only for the log. */
const field = (value: unknown, shape: RegExp): string | null =>
  typeof value === 'string' && shape.test(value) ? value : null

const TWO_DIGITS = /^\d{2}$/
const PROOF = /^[A-Za-z0-9+/=_-]{1,64}$/
const TRANSACTION = /^[A-Za-z0-9-]{1,64}$/
const VERSION = /^\d(\.\d){1,3}$/

const traceOf = (answer: AuthenticationAnswer) => ({
  dsTransId: field(answer.dsTransID, TRANSACTION),
  messageVersion: field(answer.messageVersion, VERSION),
})

const verdictOf = (transStatus: TransStatus, answer: AuthenticationAnswer): Verdict => ({
  transStatus,
  eci: field(answer.eci, TWO_DIGITS),
  authenticationValue: field(answer.authenticationValue, PROOF),
  ...traceOf(answer),
  reason: field(answer.transStatusReason, TWO_DIGITS),
  challengeCancel: field(answer.challengeCancel, TWO_DIGITS),
})

export const readAuth = (session: ThreeDSSession, apiUrl: URL, exchange: Exchange): ThreeDSAnswer => {
  const answer = answerOf(session, exchange)
  if ('outcome' in answer) return answer
  const { transStatus } = answer
  if (isTransStatus(transStatus)) return { outcome: 'decided', verdict: verdictOf(transStatus, answer) }
  if (transStatus !== 'C') return unreadable
  const challengeUrl = given(answer.challengeUrl)
  if (challengeUrl === null || webAddress(challengeUrl, apiUrl) === undefined)
    return unavailable('a challenge without a page that may be framed')
  const challenge = { monitorUrl: given(answer.resultMonUrl), ...traceOf(answer) }
  return { outcome: 'challenge', session: { ...session, challenge }, challengeUrl }
}

/** Only a monitor that answers exactly this holds the reading of the result back. */
export const saysNotReady = (exchange: Exchange): boolean => {
  const read = bodyOf(exchange)
  return 'body' in read && Check(MonitorAnswer, read.body) && read.body.event === 'AuthResultNotReady'
}

export const readResult = (session: ThreeDSSession, exchange: Exchange): ThreeDSResult => {
  const answer = answerOf(session, exchange)
  if ('outcome' in answer) return answer
  const { transStatus } = answer
  if (transStatus === 'C') return { outcome: 'pending' }
  if (!isTransStatus(transStatus)) return unreadable
  const verdict = verdictOf(transStatus, answer)
  const dsTransId = verdict.dsTransId ?? session.challenge?.dsTransId ?? null
  const messageVersion = verdict.messageVersion ?? session.challenge?.messageVersion ?? null
  return { outcome: 'decided', verdict: { ...verdict, dsTransId, messageVersion } }
}

/** A fingerprint of a browser, which is stored until the issuer is asked. As much as a form of 8 KiB can hold, escaped. */
const COLLECTED_MAX_LENGTH = 4 * 1024

/** Passed on as it came, if it is a text that a database can hold: PostgreSQL takes none with a zero byte. */
const collectedOf = (text: string | undefined): string | null =>
  text === undefined || text === '' || text.length > COLLECTED_MAX_LENGTH || /\p{Cc}/u.test(text) ? null : text

/** An event comes through the shopper's browser: it is read as a hint, and only for the session it names. */
export const readEvent = (session: ThreeDSSession, form: ReadonlyMap<string, string>): ThreeDSEvent => {
  if (form.get('requestorTransId') !== session.requestorTransId) return { hint: 'nothing' }
  const event = form.get('event') ?? ''
  switch (event) {
    case '3DSMethodFinished':
    case '3DSMethodSkipped':
    case 'InitAuthTimedOut':
      return { hint: 'collected', collected: collectedOf(form.get('param')) }
    case 'AuthResultReady':
      return { hint: 'result ready' }
    case '3DSMethodHasError':
      return { hint: 'nothing' }
    default:
      return { hint: 'unknown', name: /^[A-Za-z0-9_-]{1,64}$/.test(event) ? event : 'unreadable' }
  }
}
