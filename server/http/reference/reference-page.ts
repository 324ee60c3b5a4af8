/** Reference page of the merchant API: static HTML drawn from the OpenAPI document, whole without its one script. */
import { callAnchor, errorAnchor, objectAnchor } from './anchors.ts'
import { callSection, jsonText, titleOf } from './call-section.ts'
import { REFERENCE_SCRIPT } from './client-script.ts'
import { fieldTable, IN_ANSWERS } from './field-rows.ts'
import { introductionHtml, introductionLinks } from './introduction.ts'
import type { Json } from './json.ts'
import { codeHtml, escapeHtml, inlineHtml } from './markup.ts'
import { readDocument, type Reference, type ReferenceError } from './read-document.ts'
import type { Schema } from './read-schema.ts'
import { REFERENCE_STYLE } from './style.ts'

/** Titles of the objects that a schema refers to. */
const titlesIn = (schema: Schema): readonly string[] => {
  switch (schema.kind) {
    case 'named':
      return [schema.title]
    case 'list':
      return titlesIn(schema.item)
    case 'map':
      return titlesIn(schema.value)
    case 'either':
      return schema.schemas.flatMap(titlesIn)
    case 'object':
      return schema.fields.flatMap((field) => titlesIn(field.schema))
    case 'text':
    case 'number':
    case 'flag':
    case 'null':
    case 'choice':
    case 'bytes':
      return []
  }
}

/** Objects that are shown once, below the calls: those inside of others, those of several calls, and the error. */
const sharedObjects = ({ calls, objects }: Reference): ReadonlySet<string> => {
  const answered = calls.flatMap(({ answer }) => titlesIn(answer.schema))
  const several = answered.filter((title, place) => answered.indexOf(title) !== place)
  const bodies = calls.flatMap(({ body }) => (body === null ? [] : titlesIn(body.schema)))
  const inside = [...objects.values()].flatMap(titlesIn)
  return new Set([...several, ...bodies, ...inside, 'Error'])
}

const objectSection = (title: string, schema: Schema): string => `<section id="${objectAnchor(title)}">
<h3><a href="#${objectAnchor(title)}">${escapeHtml(title)}</a></h3>
${schema.description === '' ? '' : `<p>${inlineHtml(schema.description)}</p>`}
${fieldTable(`Fields of ${title}`, schema.kind === 'object' ? schema.fields : [], IN_ANSWERS)}
</section>`

const errorSection = ({
  code,
  status,
  when,
  mend,
  body,
}: ReferenceError): string => `<section id="${errorAnchor(code)}">
<h3><a href="#${errorAnchor(code)}"><code>${escapeHtml(code)}</code></a> <span class="status">${escapeHtml(status)}</span></h3>
<div class="columns">
<div>
<p><strong>When:</strong> ${inlineHtml(when)}</p>
<p><strong>Mend:</strong> ${inlineHtml(mend)}</p>
</div>
<div class="code">
${codeHtml(`Answer ${status}`, jsonText(body), code)}
</div>
</div>
</section>`

const links = (items: readonly (readonly [anchor: string, html: string])[]): string =>
  `<ul>\n${items.map(([anchor, html]) => `<li><a href="#${anchor}">${html}</a></li>`).join('\n')}\n</ul>`

const navigation = (reference: Reference, shared: readonly string[]): string => {
  const { groups, calls, errors } = reference
  const parts = [
    `<p class="heading">Basics</p>${links(introductionLinks(reference).map(([id, title]) => [id, inlineHtml(title)] as const))}`,
    ...groups.map(({ name }) => {
      const own = calls.filter(({ group }) => group === name)
      const items = own.map(
        (call) =>
          [
            callAnchor(call.id),
            `<span class="method ${call.method.toLowerCase()}">${call.method}</span> ${escapeHtml(titleOf(call))}`,
          ] as const,
      )
      return `<p class="heading">${escapeHtml(name)}</p>${links(items)}`
    }),
    `<p class="heading">Objects</p>${links(shared.map((title) => [objectAnchor(title), escapeHtml(title)] as const))}`,
    `<p class="heading">Errors</p>${links(errors.map(({ code }) => [errorAnchor(code), `<code>${escapeHtml(code)}</code>`] as const))}`,
  ]
  return parts.join('\n')
}

/** Draws the page. A document that it does not understand in every field is an error. */
export const drawReferencePage = (document: Json): string => {
  const reference = readDocument(document)
  const { version, groups, calls, objects, errors } = reference
  const shared = sharedObjects(reference)
  const shownObjects = [...objects].filter(([title]) => shared.has(title))
  const groupSections = groups.map(({ name, description }) => {
    const own = calls.filter(({ group }) => group === name)
    return `<section class="group">
<h2>${escapeHtml(name)}</h2>
<p>${inlineHtml(description)}</p>
${own.map((call) => callSection(call, reference, shared)).join('\n')}
</section>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Kaikei merchant API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<style>${REFERENCE_STYLE}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<nav aria-label="Calls">
<p class="brand"><a href="#content">Kaikei merchant API</a> <span>${escapeHtml(version)}</span></p>
<div class="search" role="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" maxlength="60" autocomplete="off" autocapitalize="off" spellcheck="false">
<p id="found" role="status"></p>
<ul id="results"></ul>
</div>
<details><summary>Contents</summary>
${navigation(
  reference,
  shownObjects.map(([title]) => title),
)}
</details>
</nav>
<main id="content">
<h1>Kaikei merchant API</h1>
<p class="lead">Create checkouts, send their links, refund them, and read what became of them.</p>
${introductionHtml(reference)}
${groupSections.join('\n')}
<section class="group">
<h2>Objects</h2>
${shownObjects.map(([title, schema]) => objectSection(title, schema)).join('\n')}
</section>
<section class="group">
<h2>Errors</h2>
${errors.map(errorSection).join('\n')}
</section>
</main>
<p id="copied" class="unseen" role="status"></p>
<script>${REFERENCE_SCRIPT}</script>
</body>
</html>
`
}
