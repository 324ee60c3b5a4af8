/** Field rows: a schema as the rows of a table, the fields of nested objects below their owner. */
import { objectAnchor } from './anchors.ts'
import { escapeHtml, inlineHtml } from './markup.ts'
import type { Field, Schema } from './read-schema.ts'

const listed = (values: readonly unknown[]): string =>
  values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ')

/** What a field may hold, in a few words. */
export const typeHtml = (schema: Schema): string => {
  switch (schema.kind) {
    case 'text':
    case 'number':
    case 'flag':
    case 'null':
      return schema.name
    case 'choice':
      return 'one of'
    case 'list':
      return schema.item.kind === 'choice' ? 'list' : `list of ${typeHtml(schema.item)}`
    case 'object':
      return 'object'
    case 'map':
      return `map of ${typeHtml(schema.value)}`
    case 'either':
      return schema.schemas.map(typeHtml).join(' or ')
    case 'named':
      return `<a href="#${objectAnchor(schema.title)}">${escapeHtml(schema.title)}</a>`
    case 'bytes':
      return 'bytes of a file'
  }
}

/** Limits of a value, the allowed values first. */
const limitsHtml = (schema: Schema): string[] => {
  switch (schema.kind) {
    case 'text':
    case 'number':
    case 'flag':
    case 'null':
      return schema.limits.map(inlineHtml)
    case 'choice':
      return [listed(schema.values)]
    case 'list':
      return [...limitsHtml(schema.item), ...schema.limits.map(inlineHtml)]
    case 'map':
      return [...schema.limits.map(inlineHtml), ...limitsHtml(schema.value).map((limit) => `values: ${limit}`)]
    case 'either':
      return schema.schemas.flatMap(limitsHtml)
    case 'object':
    case 'named':
    case 'bytes':
      return []
  }
}

const descriptionOf = (schema: Schema): string =>
  schema.description === '' && schema.kind === 'either'
    ? (schema.schemas.find(({ description }) => description !== '')?.description ?? '')
    : schema.description

/** The fields inside of a field, wherever they are nested. */
const fieldsInside = (schema: Schema, name: string): readonly (readonly [name: string, field: Field])[] => {
  switch (schema.kind) {
    case 'object':
      return schema.fields.map((field) => [`${name}.${field.name}`, field] as const)
    case 'list':
      return fieldsInside(schema.item, `${name}[]`)
    case 'map':
      return fieldsInside(schema.value, `${name}.*`)
    case 'either':
      return schema.schemas.flatMap((each) => fieldsInside(each, name))
    case 'text':
    case 'number':
    case 'flag':
    case 'null':
    case 'choice':
    case 'named':
    case 'bytes':
      return []
  }
}

/** The words for a field that must be there, and for one that need not. */
interface Presence {
  readonly heading: string
  readonly always: string
  readonly sometimes: string
}
const IN_REQUESTS: Presence = { heading: 'Required', always: 'required', sometimes: 'optional' }
export const IN_ANSWERS: Presence = { heading: 'Present', always: 'always', sometimes: 'may be missing' }

const rowsOf = (name: string, { isRequired, schema }: Field, presence: Presence): string[] => {
  const limits = limitsHtml(schema)
  const isChoice = schema.kind === 'choice'
  const cells = [
    `<th scope="row" role="rowheader"><code>${escapeHtml(name)}</code></th>`,
    `<td role="cell">${typeHtml(schema)}${isChoice ? ` ${limits.join(', ')}` : ''}</td>`,
    `<td role="cell">${isRequired ? presence.always : presence.sometimes}</td>`,
    `<td role="cell">${inlineHtml(descriptionOf(schema))}${isChoice || limits.length === 0 ? '' : ` <small>${limits.join('; ')}</small>`}</td>`,
  ]
  return [
    `<tr role="row">${cells.join('')}</tr>`,
    ...fieldsInside(schema, name).flatMap(([inner, field]) => rowsOf(inner, field, presence)),
  ]
}

export const fieldTable = (caption: string, fields: readonly Field[], presence = IN_REQUESTS): string =>
  fields.length === 0
    ? ''
    : `<table role="table"><caption>${escapeHtml(caption)}</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Name</th><th scope="col" role="columnheader">Type</th><th scope="col" role="columnheader">${presence.heading}</th><th scope="col" role="columnheader">Meaning and limits</th></tr></thead>
<tbody role="rowgroup">
${fields.flatMap((field) => rowsOf(field.name, field, presence)).join('\n')}
</tbody></table>`
