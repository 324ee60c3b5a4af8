/** Field reader: goes on after an error with empty values, so that code for many fields needs no branches. */
import { isJsonObject, type JsonObject } from '../http/json.ts'
import { protocolError, type ProtocolError } from './errors.ts'

export interface TextRule {
  accepts(value: string): boolean
  /** Completes a sentence that begins with the field's name. */
  readonly rule: string
}

export interface FieldReader {
  text(name: string, rule: TextRule): string
  optionalText(name: string, rule: TextRule): string | undefined
  flag(name: string): boolean
  /** False where it is absent. */
  optionalFlag(name: string): boolean
  nested(name: string): FieldReader | undefined
  /** A reader of fields found elsewhere: its errors have this name as a prefix and are collected here. */
  readerFor(name: string, fields: JsonObject): FieldReader
  has(name: string): boolean
  addError(error: ProtocolError): void
  /** The first error, if there was any: what was read is then of no use. */
  firstError(): ProtocolError | undefined
}

export const createFieldReader = (fields: JsonObject, prefix = '', errors: ProtocolError[] = []): FieldReader => {
  const addError = (error: ProtocolError): void => {
    errors.push(error)
  }
  const nameOf = (name: string): string => `${prefix}${name}`
  const has = (name: string): boolean => fields[name] !== undefined && fields[name] !== null
  const required = (name: string): boolean => {
    if (!has(name)) addError(protocolError('missing', nameOf(name), 'is missing'))
    return has(name)
  }
  const optionalText: FieldReader['optionalText'] = (name, { accepts, rule }) => {
    const value = fields[name]
    if (!has(name)) return undefined
    if (typeof value === 'string' && accepts(value)) return value
    addError(protocolError('format', nameOf(name), rule))
    return undefined
  }
  const optionalFlag: FieldReader['optionalFlag'] = (name) => {
    const value = fields[name]
    if (has(name) && typeof value !== 'boolean') {
      addError(protocolError('format', nameOf(name), 'must be true or false'))
    }
    return value === true
  }
  const readerFor: FieldReader['readerFor'] = (name, inside) => createFieldReader(inside, `${nameOf(name)}.`, errors)
  return {
    text: (name, rule) => (required(name) ? (optionalText(name, rule) ?? '') : ''),
    optionalText,
    flag: (name) => required(name) && optionalFlag(name),
    optionalFlag,
    nested: (name) => {
      const value = fields[name]
      if (!has(name)) return undefined
      if (isJsonObject(value)) return readerFor(name, value)
      addError(protocolError('format', nameOf(name), 'must be an object'))
      return undefined
    },
    readerFor,
    has,
    addError,
    firstError: () => errors[0],
  }
}

export const matching = (expression: RegExp, rule: string): TextRule => ({
  accepts: (value) => expression.test(value),
  rule,
})

export const lengthBetween = (from: number, to: number): TextRule => ({
  accepts: (value) => from <= value.length && value.length <= to,
  rule: `must be a text of ${from} to ${to} characters`,
})

export const oneOf = (values: readonly string[]): TextRule => ({
  accepts: (value) => values.includes(value),
  rule: `must be one of ${values.join(', ')}`,
})
