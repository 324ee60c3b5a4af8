/** HTML document: the drawn page with its data, style and scripts, under one nonce. */
import { randomBytes } from 'node:crypto'
import type { DocumentData, InlinedData, PageAddress } from '#contract/page.ts'
import { beginsWithCardForm } from '#contract/screens.ts'
import { criticalCss } from '../critical-css.ts'
import { escapeHtml } from '../escape-html.ts'
import type { PageBuild } from '../page-build.ts'

/** 144 bits, fresh for every document: a guessed nonce would let an injected script run. */
export const newNonce = (): string => randomBytes(18).toString('base64')

/** JSON inside a script element: without this a subject that holds "</script>" would end it. */
export const inlineJson = (value: object): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** The hashes of all scripts that a document may load: that of the preview is loaded by a preview alone. */
const integrityFor = ({ integrity }: PageBuild, { path }: PageAddress): Readonly<Record<string, string>> =>
  path === '/preview'
    ? integrity
    : Object.fromEntries(Object.entries(integrity).filter(([script]) => !script.includes('/preview-page-')))

/** One HTML document: the page drawn for this checkout, its data, its style, and the scripts that bring it to life. */
export const drawDocument = async (
  build: PageBuild,
  address: PageAddress,
  inlined: InlinedData,
  nonce: string,
): Promise<string> => {
  const { html, drawn, title, theme, failureNotice } = await build.render(address, inlined)
  const isCardForm = beginsWithCardForm(address.path, inlined.checkout)
  // The card form needs them only after Pay; every other screen cannot come alive without them.
  const lazy = isCardForm ? [] : [build.lazyParts]
  // The same with their style: behind the card form it arrives when the form may be painted already. Every other screen is
  // painted with the few rules it needs. All of them follow, in their order, for whatever the page shows next.
  const { first, later } = build.style
  const styleBefore = isCardForm ? first : criticalCss(build.style, drawn, inlined.locale)
  const styleBehind = isCardForm ? later : `${first}${later}${theme}`
  // For whatever document holds the form, a preview's too.
  const preHydration = html.includes('<form') ? `\n<script nonce="${nonce}">${build.preHydrationScript}</script>` : ''
  // Asked for in the head, so that they arrive while the rest is parsed; behind the import map, which must stand before them. The
  // script itself stands behind all that is painted, and behind the watchdog, which must see it fail.
  const preloads = [build.entry, ...build.preloads(inlined.locale), ...lazy].map(
    (file) =>
      `<link rel="modulepreload" href="${file}" nonce="${nonce}" crossorigin integrity="${build.integrity[file]}">`,
  )
  const data: DocumentData = { ...inlined, drawnPath: address.path }
  return `<!doctype html>
<html lang="${inlined.locale}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${build.favicon}" type="image/svg+xml">
<style nonce="${nonce}">${styleBefore}${theme}</style>${preHydration}
<script type="importmap" nonce="${nonce}">${inlineJson({ integrity: integrityFor(build, address) })}</script>
${preloads.join('\n')}
</head>
<body>
<div id="page">${html}</div>
<style nonce="${nonce}">${styleBehind}</style>
<template id="failure">${failureNotice}</template>
<script type="application/json" id="inlined">${inlineJson(data)}</script>
<script nonce="${nonce}">${build.watchdogScript}</script>
<script type="module" nonce="${nonce}" src="${build.entry}" crossorigin integrity="${build.integrity[build.entry]}"></script>
</body>
</html>
`
}
