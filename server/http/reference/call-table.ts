/** Call table: every call of the merchant API by its name, as the reference and the OpenAPI document know it. */
import type { TSchema } from 'typebox'
import type { MerchantCall } from '#contract/calls.ts'
import * as merchantCalls from '#contract/merchant-calls.ts'
import * as merchantListCalls from '#contract/merchant-list-calls.ts'
import * as merchantSettingsCalls from '#contract/merchant-settings-calls.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import * as webhookCalls from '#contract/webhook-calls.ts'

/** A new file of calls is spread here; until then the server does not describe its routes, and says which. */
export const MERCHANT_API = { ...merchantCalls, ...merchantListCalls, ...merchantSettingsCalls, ...webhookCalls }

export type MerchantCallName = keyof typeof MERCHANT_API

/** A call of the table, with what only some have. */
export interface AnyMerchantCall extends MerchantCall<TSchema, TSchema, TSchema> {
  readonly contentType?: string
}

const isCallName = (name: string): name is MerchantCallName => Object.hasOwn(MERCHANT_API, name)

/** As OpenAPI writes it, such as `get /merchant/v1/checkouts/{checkoutId}`. */
export const openApiAddress = ({ method, path }: Pick<AnyMerchantCall, 'method' | 'path'>): string =>
  `${method.toLowerCase()} ${MERCHANT_BASE}${path.replaceAll(/:(\w+)/g, '{$1}')}`

const named = Object.keys(MERCHANT_API).filter(isCallName)
const byAddress = new Map(named.map((name) => [openApiAddress(MERCHANT_API[name]), name]))

/** The call at an address of the document. A route that is in no table would be described without examples. */
export const callAt = (
  method: string,
  path: string,
): { readonly name: MerchantCallName; readonly call: AnyMerchantCall } => {
  const name = byAddress.get(`${method} ${path}`)
  if (name === undefined) throw new Error(`${method} ${path} is not in server/http/reference/call-table.ts`)
  return { name, call: MERCHANT_API[name] }
}
