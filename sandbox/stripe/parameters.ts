/**
 * Parameters: a form, checked against Stripe's own schema. A field that Stripe does not know is refused as Stripe
 * refuses it, so that a misspelt name is found here and not in production.
 */
import { Errors } from 'typebox/schema'
import { isJsonObject, type JsonObject } from '../http/json.ts'
import { refused, type Answer } from './answers.ts'
import { parseForm } from './form.ts'
import { definitions } from './vendor.ts'

const RETRIEVE = { type: 'object', properties: { expand: { type: 'array', items: { type: 'string' } } } }

const schemaOf = (definition: string) => ({ definitions: { ...definitions }, $ref: `#/definitions/${definition}` })

/** Per call: its schema, and the parameters that this double acts upon; one that it would ignore is refused. */
const calls = {
  createIntent: {
    schema: schemaOf('PaymentIntentCreateParams'),
    supported:
      /^(amount|currency|capture_method|description|transfer_group|allowed_payment_method_types|metadata|expand)\b/,
  },
  confirmIntent: {
    schema: schemaOf('PaymentIntentConfirmParams'),
    supported:
      /^(payment_method|error_on_requires_action|expand\[\d+\]|payment_method_options\[card\]\[three_d_secure\]\[(version|cryptogram|transaction_id|electronic_commerce_indicator|ares_trans_status)\])$/,
  },
  cancelIntent: { schema: schemaOf('PaymentIntentCancelParams'), supported: /^(cancellation_reason|expand)\b/ },
  createPaymentMethod: {
    schema: schemaOf('PaymentMethodCreateParams'),
    supported: /^(type$|card\[(number|exp_month|exp_year|cvc)\]$|billing_details\[|metadata\[)/,
  },
  createRefund: {
    schema: schemaOf('RefundCreateParams'),
    supported: /^(payment_intent|charge|amount|reason|metadata|expand)\b/,
  },
  listRefunds: {
    schema: schemaOf('RefundListParams'),
    supported: /^(payment_intent|charge|created|limit|starting_after|expand)\b/,
  },
  listCharges: {
    schema: schemaOf('ChargeListParams'),
    supported: /^(payment_intent|transfer_group|created|limit|starting_after|expand)\b/,
  },
  // The parameters of a list of disputes are those of a list of refunds (DisputeListParams of stripe@23.1.0).
  listDisputes: {
    schema: schemaOf('RefundListParams'),
    supported: /^(payment_intent|charge|created|limit|starting_after|expand)\b/,
  },
  retrieve: { schema: { ...RETRIEVE, additionalProperties: false }, supported: /^expand\b/ },
} as const
export type CallName = keyof typeof calls

type ReadParameters =
  | { readonly kind: 'parameters'; readonly values: JsonObject }
  | { readonly kind: 'refused'; readonly answer: Answer }

type Path = readonly string[]

const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

/** `card[number]`: how Stripe names a parameter. A name of many digits may be a card number in the wrong place. */
const nameOf = ([first = '', ...rest]: Path): string =>
  [first, ...rest.map((segment) => `[${segment}]`)]
    .join('')
    .slice(0, 200)
    .replace(/\d{12,}/g, '…')

const valueAt = (value: unknown, [first, ...rest]: Path): unknown => {
  if (first === undefined) return value
  if (Array.isArray(value)) return valueAt(value[Number(first)], rest)
  return isJsonObject(value) ? valueAt(value[first], rest) : undefined
}

const replaceAt = (value: unknown, [first, ...rest]: Path, next: unknown): unknown => {
  if (first === undefined) return next
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (String(index) === first ? replaceAt(each, rest, next) : each))
  return isJsonObject(value) ? { ...value, [first]: replaceAt(value[first], rest, next) } : value
}

const asNumber = (text: string): number | undefined => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined)
const asBoolean = (text: string): boolean | undefined => (text === 'true' ? true : text === 'false' ? false : undefined)

type ValidationError = ReturnType<typeof Errors>[1][number]

/** What a form cannot say, because it holds texts alone: the number or the boolean that the schema asks for. */
const convertedOf = (values: JsonObject, error: ValidationError): unknown => {
  const text = valueAt(values, pathOf(error.instancePath))
  if (error.keyword !== 'type' || typeof text !== 'string') return undefined
  const types = [error.params.type].flat()
  if (types.includes('number')) return asNumber(text)
  return types.includes('boolean') ? asBoolean(text) : undefined
}

/** Converts where the schema complains, until it complains of nothing that can be converted. */
const convert = (schema: JsonObject, values: JsonObject): JsonObject => {
  const [isValid, errors] = Errors(schema, values)
  if (isValid) return values
  for (const error of errors) {
    const converted = convertedOf(values, error)
    if (converted === undefined) continue
    const next = replaceAt(values, pathOf(error.instancePath), converted)
    if (isJsonObject(next)) return convert(schema, next)
  }
  return values
}

const refusalOf = (errors: readonly ValidationError[]): Answer => {
  const unknown = errors.find(({ keyword }) => keyword === 'boolean')
  if (unknown !== undefined) {
    const param = nameOf(pathOf(unknown.instancePath))
    return refused(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  for (const error of errors) {
    if (error.keyword !== 'required') continue
    const param = nameOf([...pathOf(error.instancePath), ...error.params.requiredProperties.slice(0, 1)])
    return refused(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  const deepest = errors.toSorted((a, b) => pathOf(b.instancePath).length - pathOf(a.instancePath).length)
  const param = nameOf(pathOf(deepest[0]?.instancePath ?? ''))
  const isInteger = deepest.some(
    ({ keyword, params }) => keyword === 'type' && 'type' in params && params.type === 'number',
  )
  return isInteger
    ? refused(400, `Invalid integer: ${param}`, { code: 'parameter_invalid_integer', param })
    : refused(400, `Invalid value: ${param}`, { param })
}

const leavesOf = (value: unknown, path: Path): Path[] => {
  if (Array.isArray(value)) return value.flatMap((each: unknown, index) => leavesOf(each, [...path, String(index)]))
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]))
  return [path]
}

export const readParameters = (call: CallName, text: string): ReadParameters => {
  const form = parseForm(text)
  if (form.kind === 'malformed') {
    return { kind: 'refused', answer: refused(400, `Invalid request: ${nameOf([form.key])} cannot be read`) }
  }
  const { schema, supported } = calls[call]
  const values = convert(schema, form.values)
  const [isValid, errors] = Errors(schema, values)
  if (!isValid) return { kind: 'refused', answer: refusalOf(errors) }
  const ignored = leavesOf(values, [])
    .map(nameOf)
    .find((name) => name !== '' && !supported.test(name))
  if (ignored !== undefined) {
    const message = `This double of Stripe does not act upon ${ignored}; Stripe itself knows the parameter`
    return { kind: 'refused', answer: refused(400, message, { param: ignored }) }
  }
  return { kind: 'parameters', values }
}

export const textAt = (values: JsonObject, ...path: Path): string | undefined => {
  const value = valueAt(values, path)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const numberAt = (values: JsonObject, ...path: Path): number | undefined => {
  const value = valueAt(values, path)
  return typeof value === 'number' ? value : undefined
}

export const flagAt = (values: JsonObject, ...path: Path): boolean => valueAt(values, path) === true

export const textsAt = (values: JsonObject, ...path: Path): readonly string[] => {
  const value = valueAt(values, path)
  return Array.isArray(value) ? value.map(String) : []
}

export const metadataOf = (values: JsonObject): Record<string, string> => {
  const value = values['metadata']
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
    : {}
}
