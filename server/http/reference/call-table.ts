/** Call table: every call of the merchant API by its name, as the reference and the OpenAPI document know it. */
import { MERCHANT_API, type AnyMerchantCall } from '#contract/merchant/api.ts'
import type { MerchantCallName } from '#contract/access.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'

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
