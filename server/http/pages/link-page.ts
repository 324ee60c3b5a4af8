/** Link page: what a visitor of a reusable link sees before a checkout is opened, or why none is. It runs no script. */
import { createHash } from 'node:crypto'
import { withLineBreaks } from '#contract/line-breaks.ts'
import { localeLabel, PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { yenText } from '#contract/yen.ts'
import type { ReusableLink } from '#payment/reusable-link.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import { escapeHtml } from '../escape-html.ts'
import { linkPageHeaders } from '../headers.ts'
import { linkPageWords, type ClosedLink, type LinkPageWords } from './link-page-words.ts'

const STYLE = `
*, *::before { box-sizing: border-box; }
body { margin: 0; background: #f6f7f9; color: #14181f; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
:lang(ko), h1, button { word-break: keep-all; }
main { max-width: 480px; margin: 32px auto; padding: 24px; border-radius: 16px; background: #fff;
  box-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 8px 24px rgb(0 0 0 / 6%); }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding-bottom: 16px; margin-bottom: 24px;
  font-weight: 600; }
header img { max-width: 184px; height: 56px; padding: 4px; border-radius: 8px; object-fit: contain; }
img.dark { background: #14181f; }
img.neutral { background: #6e747d; }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.4; text-wrap: balance; white-space: pre-line; }
p { margin: 12px 0 0; text-wrap: pretty; }
.amount { font-size: 2rem; font-weight: 700; line-height: 1.3; font-variant-numeric: tabular-nums; }
.note { padding: 8px 12px; border-radius: 8px; background: #fff4d6; color: #5c4300; font-size: 0.875rem; }
label { display: block; margin-top: 20px; font-weight: 600; }
.field { display: flex; align-items: center; gap: 8px; margin-top: 4px; padding: 0 12px; border: 1px solid #6e747d;
  border-radius: 8px; font-size: 1.25rem; }
.field:focus-within { outline: 3px solid #14181f; outline-offset: 1px; }
input { width: 100%; min-width: 0; padding: 10px 0; border: 0; outline: 0; background: none; color: inherit;
  font: inherit; font-variant-numeric: tabular-nums; }
.hint { margin-top: 4px; color: #566070; font-size: 0.875rem; }
.problem { margin-top: 4px; color: #b3261e; font-weight: 600; font-size: 0.875rem; }
button { margin-top: 24px; padding: 12px 24px; min-height: 3rem; width: 100%; border: 0; border-radius: 8px;
  background: #14181f; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid #14181f; outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: 0 16px; margin-top: 24px; padding-top: 12px; border-top: 1px solid #e4e7ec;
  font-size: 0.875rem; }
a { padding: 8px 0; color: #566070; text-underline-offset: 3px; }
a[aria-current] { color: #14181f; font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 3px solid #14181f; outline-offset: 2px; }
@media (max-width: 511px) { main { margin: 0; border-radius: 0; box-shadow: none; min-height: 100vh; } }
@media print { form, nav { display: none; } }`

/** What is wrong with what was typed. */
export type FormProblem = 'no amount' | 'too little' | 'too much'

/** A form that a visitor can send. `form` is its id; `typed` is kept when something is wrong. */
interface OpenPage {
  readonly form: string
  readonly typed: string
  readonly problem: FormProblem | null
}

export type LinkPage = OpenPage | { readonly closed: ClosedLink }

interface Drawing {
  readonly words: LinkPageWords
  readonly locale: PageLocale
}

const problemText = ({ amount }: ReusableLink, problem: FormProblem, { words, locale }: Drawing): string => {
  const { min, max } = amount.by === 'shopper' ? amount : { min: amount.yen, max: amount.yen }
  const texts: Record<FormProblem, string> = {
    'no amount': words.noAmount,
    'too little': words.tooLittle(yenText(min, locale)),
    'too much': words.tooMuch(yenText(max, locale)),
  }
  return `<p class="problem" id="problem" role="alert">${texts[problem]}</p>`
}

/** Inputs of a number would refuse full-width digits and commas, which people type; the server reads both. */
const amountField = (
  { min, max }: { readonly min: number; readonly max: number },
  { typed, problem }: OpenPage,
  { words, locale }: Drawing,
): string => {
  const isWrong = problem !== null
  return `<label for="amount">${words.amount}</label>
<div class="field"><span aria-hidden="true">¥</span><input id="amount" name="amount" inputmode="numeric" autocomplete="off" maxlength="40" required value="${escapeHtml(typed)}" aria-describedby="bounds${isWrong ? ' problem' : ''}"${isWrong ? ' aria-invalid="true" autofocus' : ''}></div>
<p class="hint" id="bounds">${words.bounds(yenText(min, locale), yenText(max, locale))}</p>`
}

const drawOpen = (link: ReusableLink, shopName: string, page: OpenPage, drawing: Drawing): string => {
  const { words, locale } = drawing
  const { amount, checkout, mode } = link
  const price = amount.by === 'merchant' ? `<p class="amount">${yenText(amount.yen, locale)}</p>` : ''
  const field = amount.by === 'shopper' ? amountField(amount, page, drawing) : ''
  const problem = page.problem === null ? '' : problemText(link, page.problem, drawing)
  // Without an action the form is sent to its own address. Scanners and prefetching browsers open links but press no button.
  return `<h1>${escapeHtml(checkout.subject ?? shopName)}</h1>
${price}${mode === 'test' ? `<p class="note">${words.testMode}</p>` : ''}
<form method="post"><input type="hidden" name="form" value="${page.form}">${field}${problem}
<button>${withLineBreaks(words.button, locale)}</button></form>`
}

const drawClosed = (
  why: ClosedLink,
  { shopPhoneNumber, shopEmail }: Merchant['settings']['receipt'],
  { words, locale }: Drawing,
): string => {
  const contact = [shopPhoneNumber, shopEmail].filter((each) => each !== '').map(escapeHtml)
  return `<h1>${withLineBreaks(words[why].title, locale)}</h1>
<p>${words[why].text}</p>${contact.length === 0 ? '' : `\n<p>${contact.join('<br>')}</p>`}`
}

export interface DrawnLinkPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** `link` may be paid in the mode that it says; the page is that of its shop. */
export const drawLinkPage = (
  link: ReusableLink,
  { setting, receipt }: Pick<Merchant['settings'], 'setting' | 'receipt'>,
  page: LinkPage,
  locale: PageLocale,
): DrawnLinkPage => {
  const drawing = { words: linkPageWords[locale], locale }
  const { logoUrl, logoPlate = 'light', colorCode, fontType } = setting
  // A colour of the shop cannot be read on in every case: it is a line, and no text stands on it.
  const style = `${STYLE}
header { border-bottom: 4px solid ${colorCode}; }${fontType === 'serif' ? '\nbody { font-family: serif; }' : ''}`
  const shopName = escapeHtml(receipt.shopName)
  const logo =
    logoUrl === undefined
      ? ''
      : `<img class="${logoPlate}" src="${escapeHtml(logoUrl)}" alt="" referrerpolicy="no-referrer"> `
  const content =
    'closed' in page ? drawClosed(page.closed, receipt, drawing) : drawOpen(link, receipt.shopName, page, drawing)
  const languages = PAGE_LOCALES.map(
    (other) =>
      `<a href="?locale=${other}" hreflang="${other}" lang="${other}"${other === locale ? ' aria-current="page"' : ''}>${localeLabel(other)}</a>`,
  )
  const html = `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<title>${shopName}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<style>${style}</style>
</head>
<body>
<main>
<header>${logo}${shopName}</header>
${content}
<nav aria-label="${drawing.words.languages}">${languages.join('\n')}</nav>
</main>
</body>
</html>
`
  return { html, headers: linkPageHeaders(`sha256-${createHash('sha256').update(style).digest('base64')}`) }
}
