/** Request validation by the rules of EMV 3-D Secure 2.2.0: the first wrong field is refused by name. */
import { passesLuhn } from '../cards/cards.ts'
import { readBrowserInfo, type BrowserInfo } from './browser-info.ts'
import { protocolError, type ProtocolError } from './errors.ts'
import { createFieldReader, lengthBetween, matching, oneOf, type FieldReader, type TextRule } from './field-reader.ts'
import { parseJsonObject } from '../http/json.ts'
import { WINDOW_SIZES, type InitFields } from './transactions.ts'

interface EnrolRequest {
  readonly kind: 'enrol'
  readonly number: string
}
interface InitRequest {
  readonly kind: 'init'
  readonly fields: InitFields
  readonly skipsCollecting: boolean
}
export interface AuthRequest {
  readonly kind: 'auth'
  readonly number: string
  readonly merchantId: string
  readonly requestorTransId: string
  readonly serverTransId: string
  readonly amount: string
  readonly merchantName: string
  readonly messageVersion: string
  /** The merchant demands that the bank asks the card holder. */
  readonly isChallengeMandatory: boolean
  readonly browser: BrowserInfo
}
interface ChallengeStatusRequest {
  readonly kind: 'status'
  readonly serverTransId: string
  readonly status: ChallengeStatus
}

export const MESSAGE_VERSIONS = ['2.1.0', '2.2.0'] as const

const CHALLENGE_STATUSES = ['CReqNotSent', 'AuthResultNotDelivered'] as const
type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number]

const numberRule: TextRule = {
  accepts: (value) => /^\d{13,19}$/.test(value) && passesLuhn(value),
  rule: 'must be a text of 13 to 19 digits with a right check digit',
}
const merchantIdRule = lengthBetween(1, 35)
const uuidRule = matching(/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i, 'must be a UUID')
const eventUrlRule: TextRule = {
  accepts: (value) => value.length <= 2000 && /^https?:\/\//.test(value) && URL.canParse(value),
  rule: 'must be an http or https address of at most 2000 characters',
}
const dateRule: TextRule = {
  accepts: (value) => {
    const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(value) ?? []
    const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
    const time = Date.parse(text)
    return !Number.isNaN(time) && new Date(time).toISOString() === text
  },
  rule: 'must be a time as yyyyMMddHHmmss',
}

const parseRequest = <Request>(text: string, read: (reader: FieldReader) => Request): Request | ProtocolError => {
  const fields = parseJsonObject(text)
  if (fields === undefined) return protocolError('format', 'body', 'must be a JSON object')
  const reader = createFieldReader(fields)
  const request = read(reader)
  return reader.firstError() ?? request
}

export const parseEnrolRequest = (text: string): EnrolRequest | ProtocolError =>
  parseRequest(text, (read) => {
    read.text('merchantId', merchantIdRule)
    return { kind: 'enrol', number: read.text('acctNumber', numberRule) }
  })

export const parseInitRequest = (text: string, query: URLSearchParams): InitRequest | ProtocolError => {
  const transType = query.get('trans-type')
  if (transType !== null && transType !== 'prod') {
    return protocolError('format', 'trans-type', 'must be prod or absent')
  }
  if (query.has('mode')) return protocolError('format', 'mode', 'is not offered by the sandbox; leave it out')
  return parseRequest(text, (read) => {
    read.optionalText('cardScheme', lengthBetween(1, 32))
    const asked = read.optionalText('challengeWindowSize', oneOf(WINDOW_SIZES))
    return {
      kind: 'init',
      fields: {
        number: read.text('acctNumber', numberRule),
        merchantId: read.text('merchantId', merchantIdRule),
        requestorTransId: read.text('threeDSRequestorTransID', uuidRule),
        eventUrl: read.text('eventCallbackUrl', eventUrlRule),
        windowSize: WINDOW_SIZES.find((size) => size === asked) ?? '05',
      },
      skipsCollecting: read.optionalFlag('skipAutoBrowserInfoCollect'),
    }
  })
}

/** EMV 3-D Secure, threeDSRequestorChallengeInd: "challenge requested: mandate". */
const CHALLENGE_MANDATORY = '04'

const readCardHolder = (read: FieldReader): void => {
  read.optionalText('cardholderName', lengthBetween(2, 45))
  read.optionalText('email', matching(/^(?=.{3,254}$)[^@\s]+@[^@\s]+$/, 'must be an address of at most 254 characters'))
  const phone = read.nested('mobilePhone')
  phone?.text('cc', matching(/^\d{1,3}$/, 'must be a text of 1 to 3 digits'))
  phone?.text('subscriber', matching(/^\d{1,15}$/, 'must be a text of 1 to 15 digits'))
}

export const parseAuthRequest = (text: string): AuthRequest | ProtocolError =>
  parseRequest(text, (read) => {
    read.text('authenticationInd', matching(/^0[1-7]$/, 'must be 01 to 07'))
    read.text('messageCategory', oneOf(['pa', '01']))
    read.text('purchaseCurrency', oneOf(['392']))
    read.text('purchaseDate', dateRule)
    read.text('cardExpiryDate', matching(/^\d\d(0[1-9]|1[0-2])$/, 'must be the year and month as YYMM'))
    const challengeInd = read.optionalText('challengeInd', matching(/^0[1-9]$/, 'must be 01 to 09'))
    read.optionalText('transType', oneOf(['01', '03', '10', '11', '28']))
    read.optionalText('threeDSRequestorDecReqInd', oneOf(['Y', 'N']))
    const holder = read.nested('cardHolderInfo')
    if (holder !== undefined) readCardHolder(holder)
    for (const name of ['merchantOverride', 'acctInfo', 'merchantRiskIndicator']) read.nested(name)
    const merchantId = read.text('merchantId', merchantIdRule)
    return {
      kind: 'auth',
      number: read.text('acctNumber', numberRule),
      merchantId,
      requestorTransId: read.text('threeDSRequestorTransID', uuidRule),
      serverTransId: read.text('threeDSServerTransID', uuidRule),
      amount: read.text('purchaseAmount', matching(/^\d{1,48}$/, 'must be a text of 1 to 48 digits')),
      merchantName: read.optionalText('merchantName', lengthBetween(1, 40)) ?? merchantId,
      messageVersion: read.optionalText('messageVersion', oneOf(MESSAGE_VERSIONS)) ?? '2.2.0',
      isChallengeMandatory: challengeInd === CHALLENGE_MANDATORY,
      browser: readBrowserInfo(read),
    }
  })

export const parseChallengeStatusRequest = (text: string): ChallengeStatusRequest | ProtocolError =>
  parseRequest(text, (read) => {
    const serverTransId = read.text('threeDSServerTransID', uuidRule)
    const asked = read.text('status', oneOf(CHALLENGE_STATUSES))
    return {
      kind: 'status',
      serverTransId,
      status: CHALLENGE_STATUSES.find((known) => known === asked) ?? 'CReqNotSent',
    }
  })
