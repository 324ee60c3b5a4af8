/** Components: every schema that has a title, written once in an OpenAPI document and referred to from everywhere else. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from './json.ts'

export const refTo = (title: string): JsonObject => ({ $ref: `#/components/schemas/${title}` })

/** Puts titled schemas into `components` and returns the value with references in their place. */
export const liftSchemas = (value: Json, components: Map<string, Json>): Json => {
  if (Array.isArray(value)) return value.map((each: Json) => liftSchemas(each, components))
  if (!isObject(value)) return value
  const { title, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, liftSchemas(each, components)]),
  )
  // A field may be called title too; a schema's own title is a text beside a type.
  if (typeof title !== 'string' || !('type' in rest)) return title === undefined ? rest : { ...rest, title }
  const known = components.get(title)
  if (known !== undefined && !isDeepStrictEqual(known, rest)) throw new Error(`two schemas are called ${title}`)
  components.set(title, rest)
  return refTo(title)
}
