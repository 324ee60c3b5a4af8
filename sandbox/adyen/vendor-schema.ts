/**
 * Vendor schema: Adyen's own OpenAPI description, against which every request body is checked. The files in `vendor/`
 * come from github.com/Adyen/adyen-openapi at aa014f0c (2026-07-01), CheckoutService-v72.json and Webhooks-v1.json,
 * MIT: the calls that we make, without descriptions; paymentMethod is a card, additionalData a map of texts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Schema, { type Validator } from 'typebox/schema'
import { isJsonObject, type JsonObject } from '../http/json.ts'

type RequestName =
  | 'PaymentRequest'
  | 'PaymentCaptureRequest'
  | 'PaymentRefundRequest'
  | 'PaymentCancelRequest'
  | 'StandalonePaymentCancelRequest'

interface Problem {
  /** As a JSON pointer. */
  readonly at: string
  readonly message: string
}

export interface VendorSchema {
  /** The first thing that is wrong with a body; undefined where it is as Adyen describes it. */
  problemOf(name: RequestName, body: JsonObject): Problem | undefined
  /** The value of one of Adyen's own examples. */
  example(name: string): JsonObject
}

const objectAt = (value: unknown, ...names: readonly string[]): JsonObject => {
  const found = names.reduce<unknown>((each, name) => (isJsonObject(each) ? each[name] : undefined), value)
  if (!isJsonObject(found)) throw new Error(`the vendor's schema file has no ${names.join('/')}`)
  return found
}

/** A name that is none of a field, a card number for one, is not repeated. */
const nameOf = (name: string): string => (/^[A-Za-z][A-Za-z._]{0,40}$/.test(name) ? name : 'a name that no field has')

export const readVendorSchema = (file = join(import.meta.dirname, 'vendor', 'checkout-v72.json')): VendorSchema => {
  const document: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const components = objectAt(document, 'components')
  const validators = new Map<RequestName, Validator>()

  const validatorOf = (name: RequestName): Validator => {
    const known = validators.get(name)
    if (known !== undefined) return known
    const compiled = Schema.Compile({ $ref: `#/components/schemas/${name}`, components })
    validators.set(name, compiled)
    return compiled
  }

  return {
    problemOf: (name, body) => {
      const [isValid, errors] = validatorOf(name).Errors(body)
      if (isValid) return undefined
      for (const error of errors) {
        const at = error.instancePath.split('/').map(nameInPath).join('/')
        if (error.keyword === 'additionalProperties')
          return { at, message: `unknown field ${error.params.additionalProperties.map(nameOf).join(', ')}` }
        if (error.keyword === 'required')
          return { at, message: `missing field ${error.params.requiredProperties.join(', ')}` }
        // An unknown field is told twice, first without its name.
        if (error.keyword !== 'boolean') return { at, message: error.message }
      }
      return { at: '', message: 'does not match the schema' }
    },
    example: (name) => objectAt(components, 'examples', name, 'value'),
  }
}

const nameInPath = (name: string): string => (name === '' ? '' : nameOf(name))
