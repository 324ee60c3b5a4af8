/** Schemas as the reference understands them: JSON Schema read into a few kinds. What it does not understand, it refuses. */
import { titleOfRef } from './components.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

interface Described {
  readonly description: string
}

/** A union member carries what can be said about its kind. */
export type SchemaKind =
  | { readonly kind: 'text' | 'number' | 'flag' | 'null'; readonly name: string; readonly limits: readonly string[] }
  | { readonly kind: 'choice'; readonly values: readonly Json[] }
  | { readonly kind: 'list'; readonly item: Schema; readonly limits: readonly string[] }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'map'; readonly value: Schema; readonly limits: readonly string[] }
  | { readonly kind: 'either'; readonly schemas: readonly Schema[] }
  | { readonly kind: 'named'; readonly title: string }
  | { readonly kind: 'bytes' }

export type Schema = SchemaKind & Described

export interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
}

/** Reads the keywords of one schema, each once; one that nobody has read is one that the reference would not show. */
const keywordsOf = (schema: JsonObject) => {
  const left = new Set(Object.keys(schema))
  const take = (name: string): Json | undefined => {
    left.delete(name)
    return schema[name]
  }
  const number = (name: string): number | undefined => {
    const value = take(name)
    if (value !== undefined && typeof value !== 'number') throw new Error(`${name} is no number`)
    return value
  }
  const end = (): void => {
    if (left.size > 0) throw new Error(`the reference cannot show ${[...left].join(', ')} of a schema`)
  }
  return { take, number, end }
}
type Keywords = ReturnType<typeof keywordsOf>

const count = (value: number): string => value.toLocaleString('en-US')

/** Such as "1 to 100 characters". */
const rangeText = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  const of = unit === '' ? '' : ` ${unit}`
  if (least !== undefined && most !== undefined) return [`${count(least)} to ${count(most)}${of}`]
  if (least !== undefined) return [`at least ${count(least)}${of}`]
  return most === undefined ? [] : [`at most ${count(most)}${of}`]
}

/** PostgreSQL cannot hold it in a text; nobody sends it on purpose. */
const WITHOUT_NUL = /^\^\[\^\\u0000\][*+]\$$/

const textLimits = ({ take, number }: Keywords): string[] => {
  const pattern = take('pattern')
  return [
    ...rangeText(number('minLength'), number('maxLength'), 'characters'),
    ...(typeof pattern !== 'string' ? [] : [WITHOUT_NUL.test(pattern) ? 'without U+0000' : `pattern \`${pattern}\``]),
  ]
}

const listOf = (keywords: Keywords): SchemaKind => {
  const { take, number } = keywords
  const item = readSchema(take('items'))
  const isUnique = take('uniqueItems') === true
  const limits = [...rangeText(number('minItems'), number('maxItems'), 'items'), ...(isUnique ? ['no two alike'] : [])]
  return { kind: 'list', item, limits }
}

const mapOf = ({ take, number }: Keywords, value: JsonObject): SchemaKind => {
  const names = take('propertyNames')
  const nameSchema = names === undefined ? undefined : readSchema(names)
  const nameLimits = nameSchema?.kind === 'text' ? nameSchema.limits.map((limit) => `names of ${limit}`) : []
  return {
    kind: 'map',
    value: readSchema(value),
    limits: [...rangeText(number('minProperties'), number('maxProperties'), 'names'), ...nameLimits],
  }
}

const objectOf = (keywords: Keywords): SchemaKind => {
  const { take } = keywords
  const [more, properties, required] = [take('additionalProperties'), take('properties'), take('required')]
  if (isObject(more)) return mapOf(keywords, more)
  const needed = Array.isArray(required) ? required.map(String) : []
  return {
    kind: 'object',
    fields: Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
      name,
      isRequired: needed.includes(name),
      schema: readSchema(schema),
    })),
  }
}

const typedKinds: Readonly<Record<string, (keywords: Keywords) => SchemaKind>> = {
  string: (keywords) => ({ kind: 'text', name: 'string', limits: textLimits(keywords) }),
  integer: ({ number }) => ({
    kind: 'number',
    name: 'integer',
    limits: rangeText(number('minimum'), number('maximum'), ''),
  }),
  number: ({ number }) => ({
    kind: 'number',
    name: 'number',
    limits: rangeText(number('minimum'), number('maximum'), ''),
  }),
  boolean: () => ({ kind: 'flag', name: 'boolean', limits: [] }),
  null: () => ({ kind: 'null', name: 'null', limits: [] }),
  array: listOf,
  object: objectOf,
}

const kindOf = (keywords: Keywords, isEmpty: boolean): SchemaKind => {
  const { take } = keywords
  const [ref, values, anyOf, oneOf, type] = [take('$ref'), take('enum'), take('anyOf'), take('oneOf'), take('type')]
  if (typeof ref === 'string') return { kind: 'named', title: titleOfRef(ref) }
  if (Array.isArray(values)) return { kind: 'choice', values }
  const either = anyOf ?? oneOf
  if (Array.isArray(either)) return { kind: 'either', schemas: either.map(readSchema) }
  if (isEmpty) return { kind: 'bytes' }
  const read = typeof type === 'string' ? typedKinds[type] : undefined
  if (read === undefined) throw new Error(`the reference cannot show a schema of type ${JSON.stringify(type)}`)
  return read(keywords)
}

export const readSchema = (json: Json | undefined): Schema => {
  if (!isObject(json)) throw new Error('a schema is missing')
  const keywords = keywordsOf(json)
  const description = keywords.take('description')
  const kind = kindOf(keywords, Object.keys(json).length === 0)
  keywords.end()
  return { ...kind, description: typeof description === 'string' ? description : '' }
}
