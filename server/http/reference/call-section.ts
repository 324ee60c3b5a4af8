/** Call section: one call of the reference page. */
import type { KeyAccess } from '#contract/access.ts'
import { escapeHtml } from '../escape-html.ts'
import type { DescribedCall } from './described-calls.ts'
import { fieldTable, IN_ANSWERS, typeHtml } from './field-rows.ts'
import type { Json } from './json.ts'
import { blocksHtml, codeHtml, errorAnchor, inlineHtml } from './markup.ts'
import { fieldsOf, type Schema } from './schema.ts'

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const

const needs: Readonly<Record<KeyAccess, string>> = {
  read: 'Every key may make this call.',
  sales: 'Needs a key with the access `sales` or `full`.',
  full: 'Needs a key with the access `full`.',
}

const parameterTables = ({ parameters }: DescribedCall): string[] =>
  (['path', 'query', 'header'] as const).map((place) =>
    fieldTable(
      PLACES[place],
      parameters.filter((each) => each.place === place),
    ),
  )

const bodyHtml = ({ body, note }: DescribedCall): string[] => {
  if (body === null) return []
  const types = body.types.map((type) => `<code>${escapeHtml(type)}</code>`).join(', ')
  const what = note.example.upload === undefined ? `The body is ${types}.` : `The body is the file itself: ${types}.`
  return [`<p>${what}</p>`, fieldTable('Body', fieldsOf(body.schema))]
}

const headerList = ({ answerHeaders }: DescribedCall): string => {
  const items = Object.entries(answerHeaders).map(
    ([name, description]) => `<li><code>${escapeHtml(name)}</code>: ${inlineHtml(description)}</li>`,
  )
  return `<ul>\n${items.join('\n')}\n</ul>`
}

/** An object that several calls answer has a place of its own; one of a single call is shown with it. */
const answerHtml = (described: DescribedCall, shared: ReadonlySet<string>): string[] => {
  const { call, note, answerType } = described
  const schema: Schema = call.answer
  const isShared = schema.title !== undefined && shared.has(schema.title)
  const what = isShared ? `: ${typeHtml(schema)}` : ''
  return [
    `<h4>Answer</h4>`,
    `<p><code>${call.status}</code> <code>${escapeHtml(answerType)}</code>${what}. ${inlineHtml(note.answers)}</p>`,
    ...(schema.type === 'string' ? [`<p>${inlineHtml(schema.description ?? '')}</p>`] : []),
    isShared ? '' : fieldTable('Fields of the answer', fieldsOf(schema), IN_ANSWERS),
    headerList(described),
  ]
}

const errorsHtml = ({ errors }: DescribedCall): string[] => {
  const links = errors.map(
    ({ code, status, when }) =>
      `<li><a href="#${errorAnchor(code)}"><code>${status} ${escapeHtml(code)}</code></a> ${inlineHtml(when)}</li>`,
  )
  return ['<h4>Errors</h4>', `<ul class="errors">\n${links.join('\n')}\n</ul>`]
}

/** The summary of a call up to its first pause. */
export const titleOf = ({ call }: DescribedCall): string => call.summary.split(/[,;:]/, 1).join()

const jsonText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Which of the texts of an example is shown is chosen by style: every call has its own choice, and needs no script. */
const samplesHtml = ({ name, samples }: DescribedCall, title: string): string[] => {
  const choices = samples.map(
    ({ label, lang }, place) =>
      `<label><input type="radio" name="language-${name}" value="${lang.toLowerCase()}"${place === 0 ? ' checked' : ''}>${escapeHtml(label)}</label>`,
  )
  return [
    `<fieldset class="languages"><legend>Example in</legend>${choices.join('')}</fieldset>`,
    ...samples.map(({ label, lang, source }) => codeHtml(label, source, title, `sample ${lang.toLowerCase()}`)),
  ]
}

export const callSection = (described: DescribedCall, shared: ReadonlySet<string>): string => {
  const { name, path, call, note } = described
  const title = titleOf(described)
  const about = [
    blocksHtml(note.description),
    `<p class="access">${inlineHtml(needs[call.access])}</p>`,
    ...parameterTables(described),
    ...bodyHtml(described),
    ...answerHtml(described, shared),
    ...errorsHtml(described),
  ]
  const code = [
    ...samplesHtml(described, title),
    codeHtml(`Answer ${call.status}`, jsonText(note.example.answer), title),
  ]
  return `<section id="${name}" class="call" aria-labelledby="${name}-title">
<h3 id="${name}-title"><a href="#${name}">${escapeHtml(title)}</a></h3>
<p class="address"><span class="method ${call.method.toLowerCase()}">${call.method}</span> <code>${escapeHtml(path)}</code></p>
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
