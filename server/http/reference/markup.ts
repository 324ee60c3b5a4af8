/** Markup: texts as HTML. Everything that is not markup of ours is escaped. */
import { escapeHtml } from '../escape-html.ts'

/** Stable names, so that a link to an error or an object goes on working. A call's anchor is its name. */
export const errorAnchor = (code: string): string => `error-${code}`
export const objectAnchor = (title: string): string => `object-${title}`

/** `code` stands in backticks. */
export const inlineHtml = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/** Paragraphs are lines; lines that begin with "- " are the items of a list. */
export const blocksHtml = (text: string): string => {
  const blocks: string[] = []
  let items: string[] = []
  const endList = (): void => {
    if (items.length > 0) blocks.push(`<ul>\n${items.join('\n')}\n</ul>`)
    items = []
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('- ')) items.push(`<li>${inlineHtml(line.slice(2))}</li>`)
    else {
      endList()
      blocks.push(`<p>${inlineHtml(line)}</p>`)
    }
  }
  endList()
  return blocks.join('\n')
}

/** A text to copy. Its aria-label names what it belongs to, for a screen reader; `kind` is its class. */
export const codeHtml = (label: string, source: string, of = '', kind = ''): string => {
  const name = of === '' ? label : `${of}: ${label}`
  const attributes = `${kind === '' ? '' : ` class="${escapeHtml(kind)}"`} aria-label="${escapeHtml(name)}"`
  return `<figure${attributes}><figcaption>${escapeHtml(label)}</figcaption>
<pre><code>${escapeHtml(source)}</code></pre></figure>`
}
