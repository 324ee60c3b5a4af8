/** Field rows: a schema as the rows of a table, the fields of nested objects below their owner. */
import { mendOfPattern } from '#contract/text-rules.ts'
import { escapeHtml } from '../escape-html.ts'
import { inlineHtml, objectAnchor } from './markup.ts'
import { assertShown, fieldsOf, valueOf, type Field, type Schema } from './schema.ts'

/** What a field may hold, in a few words. */
export const typeHtml = (schema: Schema): string => {
  assertShown(schema)
  const { title, items, anyOf, type = 'bytes of a file' } = schema
  if (title !== undefined) return `<a href="#${objectAnchor(title)}">${escapeHtml(title)}</a>`
  if (schema.enum !== undefined) return 'one of'
  if (anyOf !== undefined) return anyOf.map(typeHtml).join(' or ')
  if (items !== undefined) return items.enum === undefined ? `list of ${typeHtml(items)}` : 'list'
  const value = valueOf(schema)
  return value === undefined ? type : `map of ${typeHtml(value)}`
}

/** One for all: the format of a language takes longer to make than the whole table. */
const COUNTS = new Intl.NumberFormat('en-US')
const count = (value: number): string => COUNTS.format(value)

/** Such as "1 to 100 characters". */
const rangeText = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  const of = unit === '' ? '' : ` ${unit}`
  if (least !== undefined && most !== undefined) return [`${count(least)} to ${count(most)}${of}`]
  if (least !== undefined) return [`at least ${count(least)}${of}`]
  return most === undefined ? [] : [`at most ${count(most)}${of}`]
}

/** A regular expression in the words of its refusal, such as "four digits, such as 4242". */
const patternText = (pattern: string | undefined): string[] => {
  if (pattern === undefined) return []
  const mend = mendOfPattern(pattern)
  if (mend === undefined) throw new Error(`contract/text-rules.ts has no words for ${pattern}`)
  return [/^must be (.*)\.$/.exec(mend)?.[1] ?? 'without U+0000']
}

/** Limits of a value. Those of an object with a title are shown with the object. */
const limitsHtml = (schema: Schema): string[] => {
  if (schema.title !== undefined) return []
  const { items, anyOf = [], propertyNames = {}, enum: values = [], uniqueItems = false } = schema
  const value = valueOf(schema)
  return [
    ...(values.length === 0 ? [] : [values.map((each) => `<code>${escapeHtml(String(each))}</code>`).join(', ')]),
    ...(items === undefined ? [] : limitsHtml(items)),
    ...anyOf.flatMap(limitsHtml),
    ...[
      ...rangeText(schema.minLength, schema.maxLength, 'characters'),
      ...patternText(schema.pattern),
      ...rangeText(schema.minimum, schema.maximum, ''),
      ...rangeText(schema.minItems, schema.maxItems, 'items'),
      ...(uniqueItems ? ['no two alike'] : []),
      ...rangeText(undefined, schema.maxProperties, 'names'),
      ...rangeText(undefined, propertyNames.maxLength, 'characters').map((limit) => `names of ${limit}`),
    ].map(inlineHtml),
    ...(value === undefined ? [] : limitsHtml(value).map((limit) => `values: ${limit}`)),
  ]
}

/** The words for an object with a title stand with the object. */
const descriptionOf = ({ title, description, anyOf = [] }: Schema): string =>
  (title === undefined ? description : undefined) ??
  anyOf.find((each) => each.description !== undefined)?.description ??
  ''

/** The fields inside of a field, wherever they are nested. */
const fieldsInside = (schema: Schema, name: string): readonly Field[] => {
  if (schema.title !== undefined) return []
  const value = valueOf(schema)
  return [
    ...fieldsOf(schema).map((field) => ({ ...field, name: `${name}.${field.name}` })),
    ...(schema.items === undefined ? [] : fieldsInside(schema.items, `${name}[]`)),
    ...(value === undefined ? [] : fieldsInside(value, `${name}.*`)),
    ...(schema.anyOf ?? []).flatMap((each) => fieldsInside(each, name)),
  ]
}

/** The words for a field that must be there, and for one that need not. */
interface Presence {
  readonly heading: string
  readonly always: string
  readonly sometimes: string
}
const IN_REQUESTS: Presence = { heading: 'Required', always: 'required', sometimes: 'optional' }
export const IN_ANSWERS: Presence = { heading: 'Present', always: 'always', sometimes: 'may be missing' }

const rowsOf = ({ name, isRequired, schema }: Field, presence: Presence): string[] => {
  const limits = limitsHtml(schema)
  const isChoice = schema.enum !== undefined
  const cells = [
    `<th scope="row" role="rowheader"><code>${escapeHtml(name)}</code></th>`,
    `<td role="cell">${typeHtml(schema)}${isChoice ? ` ${limits.join(', ')}` : ''}</td>`,
    `<td role="cell">${isRequired ? presence.always : presence.sometimes}</td>`,
    `<td role="cell">${inlineHtml(descriptionOf(schema))}${isChoice || limits.length === 0 ? '' : ` <small>${limits.join('; ')}</small>`}</td>`,
  ]
  return [
    `<tr role="row">${cells.join('')}</tr>`,
    ...fieldsInside(schema, name).flatMap((field) => rowsOf(field, presence)),
  ]
}

export const fieldTable = (caption: string, fields: readonly Field[], presence = IN_REQUESTS): string =>
  fields.length === 0
    ? ''
    : `<table role="table"><caption>${escapeHtml(caption)}</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Name</th><th scope="col" role="columnheader">Type</th><th scope="col" role="columnheader">${presence.heading}</th><th scope="col" role="columnheader">Meaning and limits</th></tr></thead>
<tbody role="rowgroup">
${fields.flatMap((field) => rowsOf(field, presence)).join('\n')}
</tbody></table>`
