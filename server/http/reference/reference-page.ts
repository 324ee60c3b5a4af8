/** Reference page of the merchant API: static HTML drawn from the calls of the contract, whole without its one script. */
import { escapeHtml } from '../escape-html.ts'
import { callSection, titleOf } from './call-section.ts'
import { REFERENCE_SCRIPT } from './client-script.ts'
import { describedCalls, ERROR_SCHEMA, errorsOf, type DescribedCall } from './described-calls.ts'
import type { DescribedError } from './error-notes.ts'
import { fieldTable, IN_ANSWERS } from './field-rows.ts'
import { introductionHtml, introductionLinks } from './introduction.ts'
import { codeHtml, errorAnchor, inlineHtml, objectAnchor } from './markup.ts'
import { GROUPS } from './note.ts'
import type { ApiFacts } from './openapi.ts'
import { fieldsOf, titledIn, titlesIn, titlesInside, type Schema } from './schema.ts'
import { REFERENCE_STYLE } from './style.ts'

/** Objects that are shown once, below the calls: those inside of others, those of several calls, and the error. */
const sharedObjects = (calls: readonly DescribedCall[]): ReadonlyMap<string, Schema> => {
  const answers: readonly Schema[] = calls.map(({ call }) => call.answer)
  const bodies = calls.flatMap(({ body }) => (body === null ? [] : [body.schema]))
  const objects = new Map<string, Schema>([['Error', ERROR_SCHEMA], ...[...bodies, ...answers].flatMap(titledIn)])
  const answered = answers.flatMap(titlesIn)
  const shared = new Set([
    'Error',
    ...answered.filter((title, place) => answered.indexOf(title) !== place),
    ...bodies.flatMap(titlesIn),
    ...[...objects.values()].flatMap(titlesInside),
  ])
  return new Map([...objects].filter(([title]) => shared.has(title)))
}

const objectSection = (title: string, schema: Schema): string => `<section id="${objectAnchor(title)}">
<h3><a href="#${objectAnchor(title)}">${escapeHtml(title)}</a></h3>
${schema.description === undefined ? '' : `<p>${inlineHtml(schema.description)}</p>`}
${fieldTable(`Fields of ${title}`, fieldsOf(schema), IN_ANSWERS)}
</section>`

const errorSection = ({
  code,
  status,
  when,
  mend,
  body,
}: DescribedError): string => `<section id="${errorAnchor(code)}">
<h3><a href="#${errorAnchor(code)}"><code>${escapeHtml(code)}</code></a> <span class="status">${status}</span></h3>
<div class="columns">
<div>
<p><strong>When:</strong> ${inlineHtml(when)}</p>
<p><strong>Mend:</strong> ${inlineHtml(mend)}</p>
</div>
<div class="code">
${codeHtml(`Answer ${status}`, JSON.stringify(body, null, 2), code)}
</div>
</div>
</section>`

const links = (items: readonly (readonly [anchor: string, html: string])[]): string =>
  `<ul>\n${items.map(([anchor, html]) => `<li><a href="#${anchor}">${html}</a></li>`).join('\n')}\n</ul>`

interface Contents {
  readonly origin: string
  readonly groups: readonly (readonly [name: string, description: string, calls: readonly DescribedCall[]])[]
  readonly objects: ReadonlyMap<string, Schema>
  readonly errors: readonly DescribedError[]
}

const navigation = ({ origin, groups, objects, errors }: Contents): string => {
  const parts = [
    `<p class="heading">Basics</p>${links(introductionLinks(origin).map(([id, title]) => [id, inlineHtml(title)] as const))}`,
    ...groups.map(([name, , calls]) => {
      const items = calls.map((described) => {
        const { method } = described.call
        const badge = `<span class="method ${method.toLowerCase()}">${method}</span>`
        return [described.name, `${badge} ${escapeHtml(titleOf(described))}`] as const
      })
      return `<p class="heading">${escapeHtml(name)}</p>${links(items)}`
    }),
    `<p class="heading">Objects</p>${links([...objects.keys()].map((title) => [objectAnchor(title), escapeHtml(title)] as const))}`,
    `<p class="heading">Errors</p>${links(errors.map(({ code }) => [errorAnchor(code), `<code>${escapeHtml(code)}</code>`] as const))}`,
  ]
  return parts.join('\n')
}

/** Draws the page. A schema that it cannot show in every field is an error. */
export const drawReferencePage = ({ release, origin }: ApiFacts): string => {
  const calls = describedCalls()
  const objects = sharedObjects(calls)
  const shared = new Set(objects.keys())
  const errors = errorsOf(calls)
  const groups = Object.entries(GROUPS).map(
    ([name, description]) => [name, description, calls.filter(({ note }) => note.group === name)] as const,
  )
  const groupSections = groups.map(
    ([name, description, own]) => `<section class="group">
<h2>${escapeHtml(name)}</h2>
<p>${inlineHtml(description)}</p>
${own.map((described) => callSection(described, shared)).join('\n')}
</section>`,
  )
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
<p class="brand"><a href="#content">Kaikei merchant API</a> <span>${escapeHtml(release)}</span></p>
<div class="search" role="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" maxlength="60" autocomplete="off" autocapitalize="off" spellcheck="false">
<p id="found" role="status"></p>
<ul id="results"></ul>
</div>
<details><summary>Contents</summary>
${navigation({ origin, groups, objects, errors })}
</details>
</nav>
<main id="content">
<h1>Kaikei merchant API</h1>
<p class="lead">Create checkouts, send their links, refund them, and read what became of them.</p>
${introductionHtml(origin)}
${groupSections.join('\n')}
<section class="group">
<h2>Objects</h2>
${[...objects].map(([title, schema]) => objectSection(title, schema)).join('\n')}
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
