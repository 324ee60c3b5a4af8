/** Browser information that a requestor sends: of all its fields the bank uses one, the language of its page. */
import { isIP } from 'node:net'
import { protocolError } from './errors.ts'
import { decodeMessage } from './form-message.ts'
import { lengthBetween, matching, oneOf, type FieldReader } from './field-reader.ts'

export interface BrowserInfo {
  readonly language: string
}

const COLOUR_DEPTHS = ['1', '4', '8', '15', '16', '24', '32', '48']
const screenRule = matching(/^\d{1,6}$/, 'must be a text of 1 to 6 digits')
const offsetRule = matching(/^[+-]?\d{1,4}$/, 'must be a text of minutes, 1 to 4 digits with a sign or none')
const addressRule = { accepts: (value: string) => isIP(value) !== 0, rule: 'must be an IP address' }

/** The browser fields of EMV 3-D Secure 2.2.0. */
const readBrowserFields = (read: FieldReader): BrowserInfo => {
  read.text('browserAcceptHeader', lengthBetween(1, 2048))
  read.text('browserUserAgent', lengthBetween(1, 2048))
  read.optionalText('browserIP', addressRule)
  if (read.flag('browserJavascriptEnabled')) {
    read.flag('browserJavaEnabled')
    read.text('browserColorDepth', oneOf(COLOUR_DEPTHS))
    read.text('browserScreenHeight', screenRule)
    read.text('browserScreenWidth', screenRule)
    read.text('browserTZ', offsetRule)
  }
  return { language: read.text('browserLanguage', lengthBetween(1, 8)) }
}

/** Either what our own collect page found out, sent back unchanged, or what the requestor collected itself. */
export const readBrowserInfo = (read: FieldReader): BrowserInfo => {
  const isSentBack = read.has('browserInfo')
  const isCollected = read.has('browserInfoCollected')
  if (isSentBack === isCollected) {
    const error = isSentBack ? 'format' : 'missing'
    read.addError(protocolError(error, 'browserInfo', 'or browserInfoCollected must be there, and not both'))
  }
  if (isCollected) {
    const fields = read.nested('browserInfoCollected')
    return fields === undefined ? { language: '' } : readBrowserFields(fields)
  }
  const fields = decodeMessage(read.optionalText('browserInfo', lengthBetween(1, 16_384)) ?? '')
  if (fields !== undefined) return readBrowserFields(read.readerFor('browserInfo', fields))
  read.addError(protocolError('format', 'browserInfo', 'must be the param of the event, unchanged'))
  return { language: '' }
}
