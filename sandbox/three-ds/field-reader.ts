import { errorCodes, type Fault, fault } from './errors.ts'

export type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const parseFields = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A message inside a form field: base64url JSON, sent unpadded, read padded as well. */
export const decodeMessage = (text: string): Fields | undefined =>
  /^[A-Za-z0-9_-]+={0,2}$/.test(text) ? parseFields(Buffer.from(text, 'base64url').toString('utf8')) : undefined

export const encodeMessage = (message: Fields): string => Buffer.from(JSON.stringify(message)).toString('base64url')

/** EMV's limit for threeDSSessionData, which travels with a CReq and comes back with its CRes. */
export const sessionDataMost = 1024

export type TextRule = { accepts: (value: string) => boolean; rule: string }

export type Reader = {
  text: (name: string, rule: TextRule) => string
  optionalText: (name: string, rule: TextRule) => string | undefined
  flag: (name: string) => boolean
  /** False where it is absent. */
  optionalFlag: (name: string) => boolean
  inner: (name: string) => Reader | undefined
  /** A reader of fields found elsewhere: its faults carry this name in front and are noted here. */
  within: (name: string, fields: Fields) => Reader
  has: (name: string) => boolean
  complain: (fault: Fault) => void
  /** The first fault met, if there was any: what was read is then of no use. */
  fault: () => Fault | undefined
}

/** Reads on after a fault, with empty values, so that a reader of many fields stays one straight line. */
export const readerOf = (fields: Fields, prefix = '', noted: { first?: Fault } = {}): Reader => {
  const complain = (found: Fault): void => {
    noted.first ??= found
  }
  const nameOf = (name: string): string => `${prefix}${name}`
  const has = (name: string): boolean => fields[name] !== undefined && fields[name] !== null
  const required = (name: string): boolean => {
    if (!has(name)) complain(fault(errorCodes.missing, nameOf(name), 'is missing'))
    return has(name)
  }
  const optionalText: Reader['optionalText'] = (name, { accepts, rule }) => {
    const value = fields[name]
    if (!has(name)) return undefined
    if (typeof value === 'string' && accepts(value)) return value
    complain(fault(errorCodes.format, nameOf(name), rule))
    return undefined
  }
  const optionalFlag: Reader['optionalFlag'] = (name) => {
    const value = fields[name]
    if (has(name) && typeof value !== 'boolean') {
      complain(fault(errorCodes.format, nameOf(name), 'must be true or false'))
    }
    return value === true
  }
  const within: Reader['within'] = (name, inside) => readerOf(inside, `${nameOf(name)}.`, noted)
  return {
    text: (name, rule) => (required(name) ? (optionalText(name, rule) ?? '') : ''),
    optionalText,
    flag: (name) => required(name) && optionalFlag(name),
    optionalFlag,
    inner: (name) => {
      const value = fields[name]
      if (!has(name)) return undefined
      if (isFields(value)) return within(name, value)
      complain(fault(errorCodes.format, nameOf(name), 'must be an object'))
      return undefined
    },
    within,
    has,
    complain,
    fault: () => noted.first,
  }
}

export const pattern = (expression: RegExp, rule: string): TextRule => ({
  accepts: (value) => expression.test(value),
  rule,
})

export const length = (from: number, to: number): TextRule => ({
  accepts: (value) => from <= value.length && value.length <= to,
  rule: `must be a text of ${from} to ${to} characters`,
})

export const oneOf = (values: readonly string[]): TextRule => ({
  accepts: (value) => values.includes(value),
  rule: `must be one of ${values.join(', ')}`,
})
