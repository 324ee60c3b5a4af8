/** Confirmation page: a button that registers an address for mails, or why its link no longer works. It runs no script. */
import { createHash } from 'node:crypto'
import { withLineBreaks } from '#contract/line-breaks.ts'
import type { PageLocale } from '#contract/locale.ts'
import type { ConfirmationLink } from '../../operations/mail-addresses.ts'
import { confirmationWords } from './confirmation-words.ts'
import { staticPageHeaders } from '../headers.ts'

const STYLE = `
*, *::before { box-sizing: border-box; }
body { margin: 0; background: #f6f7f9; color: #14181f; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
:lang(ko), h1, button { word-break: keep-all; }
main { max-width: 480px; margin: 32px auto; padding: 32px 24px; border-radius: 16px; background: #fff;
  box-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 8px 24px rgb(0 0 0 / 6%); }
header { color: #566070; font-size: 0.875rem; font-weight: 600; }
h1 { margin: 4px 0 0; font-size: 1.5rem; line-height: 1.3; text-wrap: balance; }
p { margin: 12px 0 0; text-wrap: pretty; }
button { margin-top: 24px; padding: 12px 24px; min-height: 3rem; width: 100%; border: 0; border-radius: 8px;
  background: #14181f; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid #14181f; outline-offset: 2px; }
@media (max-width: 511px) { main { margin: 0; border-radius: 0; box-shadow: none; min-height: 100vh; } }`

const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

/** Its one form goes to its own address. */
export const CONFIRMATION_HEADERS = staticPageHeaders(STYLE_HASH, "'self'")

/** `host` is that of a merchant's pages: letters, digits, dots and hyphens. */
export const drawConfirmationPage = (link: ConfirmationLink, locale: PageLocale, host: string): string => {
  const words = confirmationWords[locale]
  const { title, text } = words[link]
  // Without an action the form is sent to its own address. A mail scanner opens links but presses no button.
  const form =
    link === 'open' ? `<form method="post"><button>${withLineBreaks(words.open.button, locale)}</button></form>\n` : ''
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<style>${STYLE}</style>
</head>
<body>
<main>
<header>${host}</header>
<h1>${withLineBreaks(title, locale)}</h1>
<p>${text}</p>
${form}</main>
</body>
</html>
`
}
