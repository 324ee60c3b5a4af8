import { type BrowserInfo, readBrowser } from './browser-info.ts'
import { passesLuhn } from '../cards/cards.ts'
import { length, oneOf, parseFields, pattern, type Reader, readerOf, type TextRule } from './field-reader.ts'
import { errorCodes, type Fault, fault } from './errors.ts'
import { type Terms, windowSizes } from './transactions.ts'

type Enrol = { kind: 'enrol'; number: string }
type Init = { kind: 'init'; terms: Terms; skipsCollecting: boolean }
export type Auth = {
  kind: 'auth'
  number: string
  merchantId: string
  requestorTransId: string
  serverTransId: string
  amount: string
  merchantName: string
  messageVersion: string
  browser: BrowserInfo
}
type Status = { kind: 'status'; serverTransId: string; status: ChallengeStatus }

const challengeStatuses = ['CReqNotSent', 'AuthResultNotDelivered'] as const
type ChallengeStatus = (typeof challengeStatuses)[number]

const numberRule: TextRule = {
  accepts: (value) => /^\d{13,19}$/.test(value) && passesLuhn(value),
  rule: 'must be a text of 13 to 19 digits with a right check digit',
}
const merchantIdRule = length(1, 35)
const uuidRule = pattern(/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i, 'must be a UUID')
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

const readWith = <Request>(text: string, read: (reader: Reader) => Request): Request | Fault => {
  const fields = parseFields(text)
  if (!fields) return fault(errorCodes.format, 'body', 'must be a JSON object')
  const reader = readerOf(fields)
  const request = read(reader)
  return reader.fault() ?? request
}

export const readEnrol = (text: string): Enrol | Fault =>
  readWith(text, (read) => {
    read.text('merchantId', merchantIdRule)
    return { kind: 'enrol', number: read.text('acctNumber', numberRule) }
  })

export const readInit = (text: string, query: URLSearchParams): Init | Fault => {
  const transType = query.get('trans-type')
  if (transType !== null && transType !== 'prod')
    return fault(errorCodes.format, 'trans-type', 'must be prod or absent')
  if (query.has('mode')) return fault(errorCodes.format, 'mode', 'is not offered by the sandbox; leave it out')
  return readWith(text, (read) => {
    read.optionalText('cardScheme', length(1, 32))
    const asked = read.optionalText('challengeWindowSize', oneOf(windowSizes))
    return {
      kind: 'init',
      terms: {
        number: read.text('acctNumber', numberRule),
        merchantId: read.text('merchantId', merchantIdRule),
        requestorTransId: read.text('threeDSRequestorTransID', uuidRule),
        eventUrl: read.text('eventCallbackUrl', eventUrlRule),
        windowSize: windowSizes.find((size) => size === asked) ?? '05',
      },
      skipsCollecting: read.optionalFlag('skipAutoBrowserInfoCollect'),
    }
  })
}

const readHolder = (read: Reader): void => {
  read.optionalText('cardholderName', length(2, 45))
  read.optionalText('email', pattern(/^(?=.{3,254}$)[^@\s]+@[^@\s]+$/, 'must be an address of at most 254 characters'))
  const phone = read.inner('mobilePhone')
  phone?.text('cc', pattern(/^\d{1,3}$/, 'must be a text of 1 to 3 digits'))
  phone?.text('subscriber', pattern(/^\d{1,15}$/, 'must be a text of 1 to 15 digits'))
}

export const readAuth = (text: string): Auth | Fault =>
  readWith(text, (read) => {
    read.text('authenticationInd', pattern(/^0[1-7]$/, 'must be 01 to 07'))
    read.text('messageCategory', oneOf(['pa', '01']))
    read.text('purchaseCurrency', oneOf(['392']))
    read.text('purchaseDate', dateRule)
    read.text('cardExpiryDate', pattern(/^\d\d(0[1-9]|1[0-2])$/, 'must be the year and month as YYMM'))
    read.optionalText('challengeInd', pattern(/^0[1-9]$/, 'must be 01 to 09'))
    read.optionalText('transType', oneOf(['01', '03', '10', '11', '28']))
    read.optionalText('threeDSRequestorDecReqInd', oneOf(['Y', 'N']))
    const holder = read.inner('cardHolderInfo')
    if (holder) readHolder(holder)
    for (const name of ['merchantOverride', 'acctInfo', 'merchantRiskIndicator']) read.inner(name)
    const merchantId = read.text('merchantId', merchantIdRule)
    return {
      kind: 'auth',
      number: read.text('acctNumber', numberRule),
      merchantId,
      requestorTransId: read.text('threeDSRequestorTransID', uuidRule),
      serverTransId: read.text('threeDSServerTransID', uuidRule),
      amount: read.text('purchaseAmount', pattern(/^\d{1,48}$/, 'must be a text of 1 to 48 digits')),
      merchantName: read.optionalText('merchantName', length(1, 40)) ?? merchantId,
      messageVersion: read.optionalText('messageVersion', oneOf(messageVersions)) ?? '2.2.0',
      browser: readBrowser(read),
    }
  })

export const messageVersions = ['2.1.0', '2.2.0'] as const

export const readStatus = (text: string): Status | Fault =>
  readWith(text, (read) => {
    const serverTransId = read.text('threeDSServerTransID', uuidRule)
    const asked = read.text('status', oneOf(challengeStatuses))
    return {
      kind: 'status',
      serverTransId,
      status: challengeStatuses.find((known) => known === asked) ?? 'CReqNotSent',
    }
  })
