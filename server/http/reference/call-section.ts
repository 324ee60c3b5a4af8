/** Call section: one call of the reference page. */
import { callAnchor, errorAnchor } from './anchors.ts'
import { fieldTable, IN_ANSWERS, typeHtml } from './field-rows.ts'
import type { Json } from './json.ts'
import { blocksHtml, codeHtml, escapeHtml, inlineHtml } from './markup.ts'
import type { Reference, ReferenceCall } from './read-document.ts'
import type { Field, Schema } from './read-schema.ts'

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const

const needs: Readonly<Record<string, string>> = {
  read: 'Every key may make this call.',
  sales: 'Needs a key with the access `sales` or `full`.',
  full: 'Needs a key with the access `full`.',
}

const fieldsOf = (schema: Schema, objects: Reference['objects']): readonly Field[] => {
  if (schema.kind === 'object') return schema.fields
  const named = schema.kind === 'named' ? objects.get(schema.title) : undefined
  return named === undefined ? [] : fieldsOf(named, objects)
}

const parameterTables = ({ parameters }: ReferenceCall): string[] =>
  (['path', 'query', 'header'] as const).map((place) =>
    fieldTable(
      PLACES[place],
      parameters.filter((each) => each.place === place),
    ),
  )

const bodyHtml = ({ body }: ReferenceCall, objects: Reference['objects']): string[] => {
  if (body === null) return []
  const types = body.types.map((type) => `<code>${escapeHtml(type)}</code>`).join(', ')
  const about = body.schema.kind === 'bytes' ? `The body is the file itself: ${types}.` : `The body is ${types}.`
  return [`<p>${about}</p>`, fieldTable('Body', fieldsOf(body.schema, objects))]
}

const headerList = ({ answer }: ReferenceCall): string => {
  const items = answer.headers.map(
    ({ name, description }) => `<li><code>${escapeHtml(name)}</code>: ${inlineHtml(description)}</li>`,
  )
  return `<ul>\n${items.join('\n')}\n</ul>`
}

/** An object that several calls answer has a place of its own; one of a single call is shown with it. */
const answerHtml = (call: ReferenceCall, { objects }: Reference, shared: ReadonlySet<string>): string[] => {
  const { status, description, schema, type } = call.answer
  const isShared = schema.kind === 'named' && shared.has(schema.title)
  const what = isShared ? `: ${typeHtml(schema)}` : ''
  return [
    `<h4>Answer</h4>`,
    `<p><code>${escapeHtml(status)}</code> <code>${escapeHtml(type)}</code>${what}. ${inlineHtml(description)}</p>`,
    ...(schema.kind === 'text' ? [`<p>${inlineHtml(schema.description)}</p>`] : []),
    isShared ? '' : fieldTable('Fields of the answer', fieldsOf(schema, objects), IN_ANSWERS),
    headerList(call),
  ]
}

const errorsHtml = ({ errors }: ReferenceCall): string[] => {
  const links = errors.map(
    ({ code, status, when }) =>
      `<li><a href="#${errorAnchor(code)}"><code>${status} ${escapeHtml(code)}</code></a> ${inlineHtml(when)}</li>`,
  )
  return ['<h4>Errors</h4>', `<ul class="errors">\n${links.join('\n')}\n</ul>`]
}

/** The summary of a call up to its first pause. */
export const titleOf = ({ summary }: ReferenceCall): string => summary.split(/[,;:]/, 1).join()

export const jsonText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Which of the texts of an example is shown is chosen by style: every call has its own choice, and needs no script. */
const samplesHtml = ({ id, samples }: ReferenceCall, title: string): string[] => {
  const choices = samples.map(
    ({ label, lang }, place) =>
      `<label><input type="radio" name="language-${id}" value="${lang.toLowerCase()}"${place === 0 ? ' checked' : ''}>${escapeHtml(label)}</label>`,
  )
  return [
    `<fieldset class="languages"><legend>Example in</legend>${choices.join('')}</fieldset>`,
    ...samples.map(({ label, lang, source }) => codeHtml(label, source, title, `sample ${lang.toLowerCase()}`)),
  ]
}

export const callSection = (call: ReferenceCall, reference: Reference, shared: ReadonlySet<string>): string => {
  const { id, method, path, description, access, answer } = call
  const title = titleOf(call)
  const about = [
    blocksHtml(description),
    `<p class="access">${inlineHtml(needs[access] ?? access)}</p>`,
    ...parameterTables(call),
    ...bodyHtml(call, reference.objects),
    ...answerHtml(call, reference, shared),
    ...errorsHtml(call),
  ]
  const code = [
    ...samplesHtml(call, title),
    ...(answer.example === undefined ? [] : [codeHtml(`Answer ${answer.status}`, jsonText(answer.example), title)]),
  ]
  return `<section id="${callAnchor(id)}" class="call" aria-labelledby="${callAnchor(id)}-title">
<h3 id="${callAnchor(id)}-title"><a href="#${callAnchor(id)}">${escapeHtml(title)}</a></h3>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></p>
<div class="columns">
<div>
${about.filter((part) => part !== '').join('\n')}
</div>
<div class="code">
${code.join('\n')}
</div>
</div>
</section>`
}
