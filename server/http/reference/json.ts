/** JSON values as types, and any value as the JSON that it is written as. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [name: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Schemas carry marks of their library that are not enumerable: they are left out, as `JSON.stringify` does. */
export const toJson = (value: unknown): Json => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object') throw new Error(`a ${typeof value} is no JSON`)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[name, toJson(each)] as const])),
  )
}
