/** Document of the console: the same at every address of its host. Its scripts draw the screen that the address names. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ConsoleLocale, isConsoleLocale } from '#contract/console/locale.ts'
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { consoleHeaders } from '../headers.ts'
import { readHost } from '../hosts.ts'
import type { PageBuild } from '../page-build.ts'
import { inlineJson, newNonce } from '../pages/document.ts'
import { languageOf, sendHtml, type DocumentOptions } from '../pages/send-page.ts'
import { CONSOLE_DOCUMENT_WORDS } from './console-build.ts'

/** Until the console's own style is there: the mark in the middle, and a ring that turns when loading takes long. */
const STYLE = `
body { margin: 0; background: #f6f7f9; color: #14181f; font: 1rem/1.5 sans-serif; }
.splash { display: grid; gap: 24px; place-content: center; justify-items: center; min-height: 100vh; }
.ring { width: 24px; height: 24px; border: 3px solid #566070; border-right-color: transparent; border-radius: 50%;
  opacity: 0; animation: splash-appear 160ms 400ms forwards, splash-turn 900ms linear infinite; }
.failure { max-width: 520px; margin: 32px auto; padding: 24px; border-radius: 16px; background: #fff; }
@keyframes splash-appear { to { opacity: 1; } }
@keyframes splash-turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .ring { animation: splash-appear 160ms 400ms forwards; } }
`

const failureNotice = (locale: ConsoleLocale): string =>
  `<p class="failure" role="alert">${CONSOLE_DOCUMENT_WORDS[locale].failed}</p>`

/** Whoever runs no script may read either language: the browser’s own may be wrong on a borrowed machine. */
const NOSCRIPT = Object.entries(CONSOLE_DOCUMENT_WORDS)
  .map(([locale, { failed }]) => `<p class="failure" lang="${locale}">${failed}</p>`)
  .join('')

const styleIntegrity = (build: PageBuild): string => {
  const bytes = build.assets.get(build.console.style)?.bytes ?? ''
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`
}

const drawConsoleDocument = (build: PageBuild, locale: ConsoleLocale, nonce: string): string => {
  const { entry, preloads, style, integrity } = build.console
  const links = [entry, ...preloads].map(
    (file) => `<link rel="modulepreload" href="${file}" nonce="${nonce}" crossorigin integrity="${integrity[file]}">`,
  )
  // react-aria-components and Vite take the nonce of the style elements they add from this meta element.
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<title>Kaikei</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<meta property="csp-nonce" nonce="${nonce}">
<link rel="icon" href="${build.favicon}" type="image/svg+xml">
<style nonce="${nonce}">${STYLE}</style>
<link rel="stylesheet" href="${style}" nonce="${nonce}" crossorigin integrity="${styleIntegrity(build)}">
<script type="importmap" nonce="${nonce}">${inlineJson({ integrity })}</script>
${links.join('\n')}
</head>
<body>
<div id="console"><div class="splash"><img src="${build.favicon}" alt="Kaikei" width="48" height="48"><div class="ring" role="status" aria-label="${CONSOLE_DOCUMENT_WORDS[locale].loading}"></div></div></div>
<noscript>${NOSCRIPT}</noscript>
<template id="failure">${failureNotice(locale)}</template>
<script nonce="${nonce}">${build.watchdogScript}</script>
<script type="module" nonce="${nonce}" src="${entry}" crossorigin integrity="${integrity[entry]}"></script>
</body>
</html>
`
}

/** English for everybody who reads another language than Japanese. */
const consoleLocaleOf = (request: FastifyRequest): ConsoleLocale => {
  const locale = languageOf(request)
  return isConsoleLocale(locale) ? locale : 'en-US'
}

const isOfApi = (path: string): boolean =>
  [CONSOLE_BASE, MERCHANT_BASE, SHOPPER_BASE].some((base) => path === base || path.startsWith(`${base}/`))

/** At the console’s host, before any page of the other hosts is looked for. */
export const sendConsoleDocuments = (app: FastifyInstance, { deps, build }: DocumentOptions): void => {
  app.addHook('preHandler', async (request, reply) => {
    if (readHost(request.headers.host, deps.publicBase).host !== 'console') return undefined
    const [path = ''] = request.url.split('?', 1)
    if ((request.method !== 'GET' && request.method !== 'HEAD') || isOfApi(path)) return undefined
    const nonce = newNonce()
    const html = drawConsoleDocument(build, consoleLocaleOf(request), nonce)
    return sendHtml(request, reply.headers(consoleHeaders(nonce, deps.publicBase)), html)
  })
}
