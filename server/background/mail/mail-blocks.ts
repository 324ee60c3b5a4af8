/** Mail blocks: what a mail is made of, and each block as plain text and as HTML. */

/** A name, the same in Japanese where the reader's language is another, and the value. */
export interface MailRow {
  readonly name: string
  readonly original?: string
  readonly value: string
  readonly note?: string
  /** The figure that the mail is about. */
  readonly isMain?: true
}

export type MailBlock =
  | { readonly block: 'warning' | 'mark'; readonly text: string }
  | { readonly block: 'heading'; readonly text: string }
  | { readonly block: 'subheading'; readonly text: string; readonly original?: string }
  | { readonly block: 'paragraph'; readonly text: string }
  | { readonly block: 'rows'; readonly rows: readonly MailRow[] }
  | { readonly block: 'address'; readonly name: string; readonly url: string }
  /** The foot is set apart by a line. */
  | { readonly block: 'small' | 'foot'; readonly lines: readonly string[] }

/** One line of a mail may hold no line break of a shop's or a subject's own: it would begin a line that looks like ours. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

const withOriginal = (text: string, original: string | undefined): string =>
  original === undefined ? text : `${text} ${original}`

const rowText = ({ name, original, value, note }: MailRow): string =>
  [`${withOriginal(name, original)}: ${oneLine(value)}`, ...(note === undefined ? [] : [`  ${note}`])].join('\n')

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
    case 'small':
    case 'foot':
      return block.lines.map(oneLine).join('\n')
  }
}

/** The whole mail as plain text. */
export const mailText = (shop: string, blocks: readonly MailBlock[]): string =>
  `${[oneLine(shop), ...blocks.map(blockText)].join('\n\n')}\n`

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
/** By attribute and not by a style sheet: several mail programs drop those. */
const cell = (style: string): string => `style="padding:0 0 20px;${TEXT};${style}"`

const original = (text: string | undefined): string =>
  text === undefined ? '' : ` <span lang="ja" style="${QUIET};white-space:nowrap">${escaped(text)}</span>`

/** Names stand above their values: side by side, Japanese and Thai would be squeezed on a phone. */
const rowHtml = ({ name, original: japanese, value, note, isMain }: MailRow): string => {
  const size = isMain === true ? 'font-size:20px;font-weight:bold' : 'font-size:15px'
  const below = note === undefined ? '' : `<div style="${QUIET};font-size:13px">${escaped(note)}</div>`
  return `<tr><td style="padding:10px 0;border-top:1px solid #d8dee4;${TEXT}"><div style="${QUIET};font-size:13px">${escaped(name)}${original(japanese)}</div><div style="${size};word-break:break-word;overflow-wrap:anywhere">${escaped(value)}</div>${below}</td></tr>`
}

const boxed = (look: string, text: string): string =>
  `<tr><td style="padding:0 0 16px"><div style="padding:8px 12px;${look};${TEXT};font-weight:bold">${escaped(text)}</div></td></tr>`

const small = (look: string, lines: readonly string[]): string =>
  `<tr><td style="${look};${QUIET};font-size:13px;overflow-wrap:anywhere">${lines.map(escaped).join('<br>')}</td></tr>`

const blockHtml = (block: MailBlock): string => {
  switch (block.block) {
    case 'warning':
      return boxed('background-color:#fff8c5;border:1px solid #d4a72c', block.text)
    case 'mark':
      return boxed('border:1px solid #59636e', block.text)
    case 'heading':
      return `<tr><td style="padding:0 0 8px;${TEXT}"><h1 style="margin:0;font-size:22px;line-height:1.4">${escaped(block.text)}</h1></td></tr>`
    case 'subheading':
      return `<tr><td style="padding:8px 0 8px;${TEXT}"><h2 style="margin:0;font-size:17px;line-height:1.4">${escaped(block.text)}${original(block.original)}</h2></td></tr>`
    case 'paragraph':
      return `<tr><td ${cell('')}>${escaped(block.text)}</td></tr>`
    case 'rows':
      return `<tr><td style="padding:0 0 20px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${block.rows.map(rowHtml).join('')}</table></td></tr>`
    case 'address':
      return `<tr><td ${cell('')}>${escaped(block.name)}<br><a href="${escaped(block.url)}" style="${TEXT};word-break:break-all">${escaped(block.url)}</a></td></tr>`
    case 'small':
      return small('padding:0 0 16px', block.lines)
    case 'foot':
      return small('padding:16px 0 16px;border-top:1px solid #d8dee4', block.lines)
  }
}

const HEX_COLOUR = /^#[0-9a-f]{6}$/i
const PLAIN_LINE = '#59636e'

const FONT =
  "font-family:-apple-system,'Segoe UI',Roboto,'Hiragino Sans','Noto Sans CJK JP','Noto Sans Thai',Meiryo,sans-serif"

export interface MailFace {
  readonly shop: string
  /** Shown as a thin line alone: text in a shop's colour may be unreadable. */
  readonly colorCode: string
  readonly locale: string
  readonly subject: string
}

/**
 * The whole mail as HTML: one column, no picture, no script, no style sheet, no address that is fetched. Both colour schemes
 * would have programs turn colours around by their own taste; `light` keeps dark text on white.
 */
export const mailHtml = ({ shop, colorCode, locale, subject }: MailFace, blocks: readonly MailBlock[]): string => {
  const colour = HEX_COLOUR.test(colorCode) ? colorCode : PLAIN_LINE
  return `<!doctype html>
<html lang="${escaped(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><meta name="format-detection" content="telephone=no, date=no, address=no, email=no"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:0;background-color:#ffffff;${TEXT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#ffffff"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left;${FONT};font-size:15px;line-height:1.6;${TEXT}">
<tr><td style="padding:0 0 12px;border-bottom:3px solid ${colour};font-size:17px;font-weight:bold;${TEXT};overflow-wrap:anywhere">${escaped(shop)}</td></tr>
<tr><td style="padding:0 0 20px;font-size:1px;line-height:1px">&nbsp;</td></tr>
${blocks.map(blockHtml).join('\n')}
</table>
</td></tr></table>
</body>
</html>
`
}
