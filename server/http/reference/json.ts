/** JSON: its values as types, and any value turned into JSON. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [name: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Leaves out what `JSON.stringify` leaves out, such as the marks of the schema library, which are not enumerable. */
export const toJson = (value: unknown): Json => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object') throw new Error(`a ${typeof value} is no JSON`)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, toJson(each)] as const])),
  )
}
