/** Control pages: static HTML that the page is compared to. They say the same words, or only have the fields. */
import type { DrawnPart } from './drawn-parts.ts'

export interface ControlPage {
  readonly locale: string
  readonly title: string
  readonly parts: readonly DrawnPart[]
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const STYLE =
  'body{max-width:480px;margin:0 auto;padding:0 16px;font:16px/1.5 system-ui,sans-serif}' +
  'label,input{display:block;width:100%;box-sizing:border-box}input{height:48px;font:inherit;margin:4px 0 16px}' +
  'a,button{display:block;margin:4px 0}button{font:inherit;min-height:48px}img{max-width:100%;object-fit:cover}'

/** All that it takes to group the digits of a card number. */
const GROUPING =
  'document.querySelector("[autocomplete=cc-number]").oninput=e=>{let t=e.target;' +
  't.value=t.value.replace(/\\D/g,"").slice(0,16).replace(/(.{4})(?=.)/g,"$1 ")}'

/** An address that is data keeps the browser from asking for a picture of its own. */
const documentOf = ({ locale, title }: ControlPage, body: string, hasNumber: boolean): string =>
  `<!doctype html><html lang="${locale}"><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
  '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">' +
  `<style>${STYLE}</style>${body}${hasNumber ? `<script>${GROUPING}</script>` : ''}\n`

const attributesText = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')

/** The path alone: the control's own server has the same pictures at the same paths. */
const pictureHtml = ({ text, attributes }: DrawnPart): string => {
  const src = new URL(attributes['src'] ?? '').pathname
  return `<img alt="${escapeHtml(text)}"${attributesText({ ...attributes, src })}>`
}

const textHtml = ({ text, within, field }: DrawnPart, fields: readonly string[]): string => {
  const words = escapeHtml(text)
  if (within === 'label') return `<label for="f${fields.indexOf(field)}">${words}</label>`
  if (within === 'a') return `<a href="#">${words}</a>`
  return `<${within}>${words}</${within}>`
}

const fieldHtml = ({ field, attributes }: DrawnPart, fields: readonly string[]): string =>
  `<input id="f${fields.indexOf(field)}"${attributesText(attributes)}>`

const isNumber = ({ attributes }: DrawnPart): boolean => attributes['autocomplete'] === 'cc-number'

const draw = (page: ControlPage, parts: readonly DrawnPart[]): string => {
  const fields = parts.filter(({ kind }) => kind === 'field').map(({ field }) => field)
  const html = parts.map((part) => {
    if (part.kind === 'picture') return pictureHtml(part)
    return part.kind === 'field' ? fieldHtml(part, fields) : textHtml(part, fields)
  })
  return documentOf(page, html.join(''), parts.some(isNumber))
}

/** The same words, the shop's pictures, plain fields and buttons, with the least markup. */
export const sameWords = (page: ControlPage): string => draw(page, page.parts)

const BARE_FIELDS = new Set(['cc-number', 'cc-exp', 'cc-csc', 'cc-name'])

/** The four fields of a card with their labels, and the first button that follows them. */
export const bareForm = (page: ControlPage): string => {
  const { parts } = page
  const fields = parts.filter(({ attributes }) => BARE_FIELDS.has(attributes['autocomplete'] ?? ''))
  const ids = new Set(fields.map(({ field }) => field))
  const first = parts.findIndex(isNumber)
  const button = parts.find(({ within }, at) => at > first && within === 'button')
  const bare = parts.filter(
    (part) => fields.includes(part) || (part.within === 'label' && ids.has(part.field)) || part === button,
  )
  return draw(page, bare)
}

/** The addresses of the shop's pictures. */
export const picturesOf = ({ parts }: ControlPage): string[] =>
  parts.filter(({ kind }) => kind === 'picture').map(({ attributes }) => attributes['src'] ?? '')
