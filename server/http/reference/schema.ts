/** Schema of the contract as the reference reads it: the keywords of JSON Schema that the contract uses, and no others. */

export interface Schema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly (string | number)[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly maxProperties?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  /** Of a body that is a file: its types. */
  readonly content?: Readonly<Record<string, unknown>>
}

export interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
}

const OF_EVERY_TYPE = ['type', 'title', 'description']
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  boolean: [],
  null: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'propertyNames', 'maxProperties'],
}

const keywordsFor = ({ type, enum: values, anyOf }: Schema): readonly string[] => {
  if (values !== undefined) return ['enum']
  if (anyOf !== undefined) return ['anyOf']
  return (type === undefined ? undefined : KEYWORDS[type]) ?? []
}

/** A keyword that nobody has thought of would not be shown: the page is not drawn. The empty schema is a file of any bytes. */
export const assertShown = (schema: Schema): void => {
  const known = [...OF_EVERY_TYPE, ...keywordsFor(schema)]
  const unknown = Object.keys(schema).filter((keyword) => !known.includes(keyword))
  if (unknown.length > 0) throw new Error(`the reference cannot show ${unknown.join(', ')} of a schema`)
  if (schema.type !== undefined && !Object.hasOwn(KEYWORDS, schema.type))
    throw new Error(`the reference cannot show a schema of type ${schema.type}`)
}

export const fieldsOf = ({ properties = {}, required = [] }: Schema): readonly Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }))

/** The schema of the values of a map; undefined where the schema is none. */
export const valueOf = ({ additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' ? additionalProperties : undefined

const partsOf = (schema: Schema): readonly Schema[] =>
  [schema.items, valueOf(schema), ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})].filter(
    (part) => part !== undefined,
  )

/** Titles of the objects that a schema refers to. What such an object refers to in turn is not among them. */
export const titlesIn = (schema: Schema): readonly string[] =>
  schema.title === undefined ? titlesInside(schema) : [schema.title]

export const titlesInside = (schema: Schema): readonly string[] => partsOf(schema).flatMap(titlesIn)

/** Every object that has a title, at any depth, with its title; the inner ones first. */
export const titledIn = (schema: Schema): readonly (readonly [title: string, schema: Schema])[] => [
  ...partsOf(schema).flatMap(titledIn),
  ...(schema.title === undefined ? [] : [[schema.title, schema] as const]),
]
