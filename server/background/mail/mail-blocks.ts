/** Mail blocks: what a mail is made of, and each block as plain text and as HTML. */
import { withLineBreaks } from '#contract/line-breaks.ts'
import { DEFAULT_PAGE_LOCALE, type PageLocale } from '#contract/locale.ts'
import { fontOf, wordsOf } from './mail-fonts.ts'

/** A name, the same in Japanese where the reader's language is another, and the value. */
export interface MailRow {
  readonly name: string
  readonly original?: string
  readonly value: string
  /** What is contained in the value. */
  readonly parts?: readonly Pick<MailRow, 'name' | 'original' | 'value'>[]
  /** The figure that the mail is about. */
  readonly isMain?: true
}

/** One thing to do, and what to type for it. */
export interface MailStep {
  readonly name: string
  readonly lines: readonly string[]
}

export type MailBlock =
  | { readonly block: 'warning' | 'mark'; readonly text: string }
  | { readonly block: 'heading'; readonly text: string }
  | { readonly block: 'subheading'; readonly text: string; readonly original?: string }
  | { readonly block: 'paragraph'; readonly text: string }
  | { readonly block: 'rows'; readonly rows: readonly MailRow[] }
  | { readonly block: 'address'; readonly name: string; readonly url: string }
  | { readonly block: 'steps'; readonly steps: readonly MailStep[] }
  /** The foot is set apart by a line. */
  | { readonly block: 'small' | 'foot'; readonly lines: readonly string[] }

/** The mail in one language; few mails have more than one part. */
export interface MailPart {
  readonly locale: PageLocale
  readonly blocks: readonly MailBlock[]
}

/**
 * One line of a mail may hold no line break of a shop's or a subject's own: it would begin a line, or a header, that looks
 * like ours. Nor what turns the direction of writing around: an amount after it would be read backwards.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()

const withOriginal = (text: string, original: string | undefined): string =>
  original === undefined ? text : `${text} ${original}`

const rowText = ({ name, original, value, parts = [] }: MailRow): string =>
  [`${withOriginal(name, original)}: ${oneLine(value)}`, ...parts.map((part) => `  ${rowText(part)}`)].join('\n')

const blockText = (block: MailBlock): string => {
  switch (block.block) {
    case 'warning':
    case 'mark':
      return `*** ${block.text} ***`
    case 'heading':
    case 'paragraph':
      return oneLine(block.text)
    case 'subheading':
      return `--- ${withOriginal(oneLine(block.text), block.original)} ---`
    case 'rows':
      return block.rows.map(rowText).join('\n')
    case 'address':
      return `${block.name}:\n${block.url}`
    case 'steps':
      return block.steps.map(({ name, lines }) => [`${name}:`, ...lines.map(oneLine)].join('\n')).join('\n\n')
    case 'small':
    case 'foot':
      return block.lines.map(oneLine).join('\n')
  }
}

/** The whole mail as plain text. */
export const mailText = (name: string, parts: readonly MailPart[]): string => {
  const texts = parts.map(({ blocks }) => blocks.map(blockText).join('\n\n'))
  return `${oneLine(name)}\n\n${texts.join(`\n\n${'-'.repeat(24)}\n\n`)}\n`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => oneLine(text).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

const TEXT = 'color:#1f2328'
const QUIET = 'color:#59636e'
const LINE = '1px solid #d8dee4'
const BREAKS = 'word-break:break-word;overflow-wrap:anywhere'
/** Where a program knows how: no word is left alone on the last line. */
const EVEN = 'text-wrap:pretty'
/** For headings and labels, which are broken at their marks alone. */
const MARKED = 'word-break:keep-all'
const marked = (text: string, locale: PageLocale): string => escaped(withLineBreaks(text, locale))

/** A Japanese word beside its translation goes to the next line as a whole. */
const original = (text: string | undefined): string =>
  text === undefined ? '' : ` <span lang="ja" style="display:inline-block">${marked(text, 'ja')}</span>`

/** Chinese fonts draw each of the dots before a card's last digits as wide as a character. */
const valueHtml = (value: string): string =>
  escaped(value).replace('••••', '<span style="font-family:Arial,Helvetica,sans-serif">••••</span>')

/** A code has no words: broken anywhere, its two lines can be of one length. A date with its time is broken at its spaces. */
const breaksOf = (value: string): string => {
  if (/^[!-~]+$/.test(value)) return 'word-break:break-all'
  return / \d\d:\d\d( \(JST\))?$/.test(value) ? MARKED : BREAKS
}

const nameLook = `${QUIET};font-size:13px;line-height:22px;${MARKED}`
const nameHtml = ({ name, original: japanese }: MailRow, locale: PageLocale): string =>
  `${marked(name, locale)}${original(japanese)}`

/** Values end at the right edge, where figures stand below each other digit by digit. */
const lineHtml = (row: MailRow, locale: PageLocale, nameWidth: string, look: string): string =>
  `<tr><td width="${nameWidth}" valign="top" style="padding:0 12px 0 0;${nameLook}">${nameHtml(row, locale)}</td><td align="right" valign="top" style="text-align:right;${look};line-height:22px;text-wrap:balance;font-variant-numeric:tabular-nums;${breaksOf(row.value)}">${valueHtml(row.value)}</td></tr>`

const tableOf = (rows: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${rows}</table>`

/** The figure that the mail is about stands above the others, large and alone. */
const mainHtml = (row: MailRow, locale: PageLocale): string =>
  `<tr><td style="padding:12px 0 8px;${TEXT}"><div style="${nameLook}">${nameHtml(row, locale)}</div><div style="font-size:30px;line-height:1.3;font-weight:600;white-space:nowrap;font-variant-numeric:tabular-nums">${escaped(row.value)}</div></td></tr>`

/** About a line of a phone, where a sign of Chinese, Japanese or Korean takes two places. */
const PLACES_OF_A_LINE = 44
const isLong = (value: string): boolean =>
  Array.from(value).reduce((places, sign) => places + (sign > '\u2e7f' ? 2 : 1), 0) > PLACES_OF_A_LINE

/** What needs several lines stands below its name and begins at the left, as texts do. */
const longHtml = (row: MailRow, locale: PageLocale): string =>
  `<tr><td style="${TEXT};font-size:15px;line-height:22px;${breaksOf(row.value)}"><div style="${nameLook}">${nameHtml(row, locale)}</div>${escaped(row.value)}</td></tr>`

const rowHtml = (row: MailRow, locale: PageLocale): string => {
  const { value, parts = [] } = row
  const nameWidth = parts.length === 0 ? '36%' : '62%'
  const lines = isLong(value) ? longHtml(row, locale) : lineHtml(row, locale, nameWidth, `${TEXT};font-size:15px`)
  const below = parts.map((part) => lineHtml(part, locale, nameWidth, `${QUIET};font-size:13px`))
  return `<tr><td style="padding:10px 0;border-top:${LINE}">${tableOf(`${lines}${below.join('')}`)}</td></tr>`
}

const rowsHtml = (rows: readonly MailRow[], locale: PageLocale): string => {
  const main = rows.filter(({ isMain }) => isMain === true).map((row) => mainHtml(row, locale))
  const others = rows.filter(({ isMain }) => isMain !== true).map((row) => rowHtml(row, locale))
  return `${main.join('')}<tr><td style="padding:12px 0 20px">${tableOf(others.join(''))}</td></tr>`
}

const boxed = (look: string, text: string): string =>
  `<tr><td style="padding:0 0 20px"><div style="padding:8px 12px;border-radius:6px;${look};${TEXT};font-size:14px;font-weight:600">${escaped(text)}</div></td></tr>`

const small = (look: string, lines: readonly string[]): string =>
  `<tr><td style="${look};${QUIET};font-size:13px;line-height:1.6;overflow-wrap:anywhere;${EVEN}">${lines.map(escaped).join('<br>')}</td></tr>`

/** An address is broken anywhere, so that the method before it stays on its line. */
const MONO =
  'word-break:break-all;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px;line-height:1.5'

const stepHtml = ({ name, lines }: MailStep): string =>
  `<tr><td style="padding:0 0 16px;${TEXT}">${escaped(name)}<div lang="en" style="margin-top:6px;padding:8px 12px;background-color:#f6f8fa;border-radius:6px;${MONO}">${lines.map(escaped).join('<br>')}</div></td></tr>`

const blockHtml = (block: MailBlock, locale: PageLocale): string => {
  switch (block.block) {
    case 'warning':
      return boxed('background-color:#fff8c5;border:1px solid #d4a72c', block.text)
    case 'mark':
      return boxed('border:1px solid #59636e', block.text)
    case 'heading':
      return `<tr><td style="padding:0 0 8px;${TEXT}"><h1 style="margin:0;font-size:22px;line-height:1.4;font-weight:600;${MARKED};text-wrap:balance">${marked(block.text, locale)}</h1></td></tr>`
    case 'subheading':
      return `<tr><td style="padding:4px 0 12px;${TEXT}"><h2 style="margin:0;font-size:16px;line-height:1.4;font-weight:600;${MARKED}">${marked(block.text, locale)}${original(block.original)}</h2></td></tr>`
    case 'paragraph':
      return `<tr><td style="padding:0 0 8px;${TEXT};${EVEN}">${escaped(block.text)}</td></tr>`
    case 'rows':
      return rowsHtml(block.rows, locale)
    case 'address':
      return `<tr><td style="padding:0 0 24px;${TEXT}"><div style="${nameLook}">${marked(block.name, locale)}</div><a href="${escaped(block.url)}" style="${TEXT};font-size:14px;word-break:break-all">${escaped(block.url)}</a></td></tr>`
    case 'steps':
      return block.steps.map(stepHtml).join('')
    case 'small':
      return small('padding:4px 0 16px', block.lines)
    case 'foot':
      return small(`padding:16px 0;border-top:${LINE}`, block.lines)
  }
}

const HEX_COLOUR = /^#[0-9a-f]{6}$/i
const PLAIN_LINE = '#59636e'

export interface MailFace {
  /** Of the shop, or of who else writes. */
  readonly name: string
  /** Shown as a thin line alone: text in a shop's colour may be unreadable. */
  readonly colorCode: string
  readonly subject: string
}

const partHtml = ({ locale, blocks }: MailPart, at: number): string => {
  const gap = at === 0 ? '' : `<tr><td style="padding:24px 0 0;border-top:${LINE}"></td></tr>`
  const rows = blocks.map((block) => blockHtml(block, locale)).join('\n')
  return `<tr><td lang="${locale}" style="${fontOf(locale)};font-size:15px;line-height:1.6;line-break:strict;${wordsOf(locale)}${TEXT}">
${tableOf(`${gap}${rows}`)}
</td></tr>`
}

/**
 * The whole mail as HTML: one column, no picture, no script, no style sheet, no address that is fetched. Both colour schemes
 * would have programs turn colours around by their own taste; `light` keeps dark text on white.
 */
export const mailHtml = ({ name, colorCode, subject }: MailFace, parts: readonly MailPart[]): string => {
  const colour = HEX_COLOUR.test(colorCode) ? colorCode : PLAIN_LINE
  const locale = parts[0]?.locale ?? DEFAULT_PAGE_LOCALE
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><meta name="format-detection" content="telephone=no, date=no, address=no, email=no"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:0;background-color:#ffffff;${TEXT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#ffffff"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left;${TEXT}">
<tr><td style="padding:0 0 12px;border-bottom:3px solid ${colour};${fontOf(locale)};font-size:17px;line-height:1.4;font-weight:600;${TEXT};${BREAKS}">${escaped(name)}</td></tr>
<tr><td style="padding:0 0 24px;font-size:1px;line-height:1px">&nbsp;</td></tr>
${parts.map(partHtml).join('\n')}
</table>
</td></tr></table>
</body>
</html>
`
}
