/** Data of Stripe: its schemas of parameters and its sample objects, read from vendor/ once (see vendor/README.md). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, parseJsonObject, type JsonObject } from '../http/json.ts'

const read = (file: string): JsonObject => {
  const value = parseJsonObject(readFileSync(join(import.meta.dirname, 'vendor', file), 'utf8'))
  if (value === undefined) throw new Error(`vendor/${file} holds no JSON object`)
  return value
}

const memberOf = (value: JsonObject, name: string): JsonObject => {
  const member = value[name]
  if (!isJsonObject(member)) throw new Error(`a vendor file lacks ${name}`)
  return member
}

/** Draft 7, each named as in Stripe's own types: PaymentIntentCreateParams. */
export const definitions = memberOf(read('request-bodies.schema.json'), 'definitions')

const fixtures = read('fixtures.json')
export const fixtureOf = (name: 'payment_intent' | 'charge' | 'refund' | 'payment_method' | 'balance'): JsonObject =>
  memberOf(fixtures, name)
