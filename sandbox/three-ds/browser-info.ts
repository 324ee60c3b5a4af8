import { isIP } from 'node:net'
import { decodeMessage, length, oneOf, pattern, type Reader } from './field-reader.ts'
import { errorCodes, fault } from './errors.ts'

/** What the bank takes from all that is known about the browser: the language of its page. */
export type BrowserInfo = { language: string }

const colourDepths = ['1', '4', '8', '15', '16', '24', '32', '48']
const screenRule = pattern(/^\d{1,6}$/, 'must be a text of 1 to 6 digits')
const offsetRule = pattern(/^[+-]?\d{1,4}$/, 'must be a text of minutes, 1 to 4 digits with a sign or none')
const addressRule = { accepts: (value: string) => isIP(value) !== 0, rule: 'must be an IP address' }

/** The browser fields of EMV 3-D Secure 2.2.0. */
const readFields = (read: Reader): BrowserInfo => {
  read.text('browserAcceptHeader', length(1, 2048))
  read.text('browserUserAgent', length(1, 2048))
  read.optionalText('browserIP', addressRule)
  if (read.flag('browserJavascriptEnabled')) {
    read.flag('browserJavaEnabled')
    read.text('browserColorDepth', oneOf(colourDepths))
    read.text('browserScreenHeight', screenRule)
    read.text('browserScreenWidth', screenRule)
    read.text('browserTZ', offsetRule)
  }
  return { language: read.text('browserLanguage', length(1, 8)) }
}

/** Either what our own collect page found out, handed back as it was, or what the requestor collected itself. */
export const readBrowser = (read: Reader): BrowserInfo => {
  const handedBack = read.has('browserInfo')
  const collected = read.has('browserInfoCollected')
  if (handedBack === collected) {
    const code = handedBack ? errorCodes.format : errorCodes.missing
    read.complain(fault(code, 'browserInfo', 'or browserInfoCollected must be there, and not both'))
  }
  if (collected) {
    const inner = read.inner('browserInfoCollected')
    return inner ? readFields(inner) : { language: '' }
  }
  const opaque = read.optionalText('browserInfo', length(1, 16_384)) ?? ''
  const fields = decodeMessage(opaque)
  if (fields) return readFields(read.within('browserInfo', fields))
  read.complain(fault(errorCodes.format, 'browserInfo', 'must be the param of the event, unchanged'))
  return { language: '' }
}
