/** HTML forms: what a page would submit, and what it frames, read of its markup without running its scripts. */

export interface HtmlForm {
  readonly id: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  /** How long the page's script waits before it submits; null: it never does. */
  readonly waitMs: number | null
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const unescaped = (markup: string): string =>
  markup.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (sign) => ENTITIES[sign] ?? sign)

/** What stands between the two, without them; null where they are not there. */
const between = (text: string, begin: string, end: string): string | null => {
  const from = text.indexOf(begin)
  const to = from === -1 ? -1 : text.indexOf(end, from + begin.length)
  return to === -1 ? null : text.slice(from + begin.length, to)
}

/** Of a tag without its angle brackets, its attributes in double quotes. */
const attributeOf = (tag: string, name: string): string | null => {
  const value = between(` ${tag.replaceAll(/\s/g, ' ')}`, ` ${name}="`, '"')
  return value === null ? null : unescaped(value)
}

/** The tags of this name, each with all that follows up to the next of them. */
const tagsIn = (markup: string, name: string): { readonly tag: string; readonly after: string }[] =>
  markup
    .split(`<${name}`)
    .slice(1)
    .map((piece) => {
      const end = piece.indexOf('>')
      return { tag: piece.slice(0, Math.max(0, end)), after: piece.slice(end + 1) }
    })

export const formsIn = (markup: string): HtmlForm[] =>
  tagsIn(markup, 'form').map(({ tag, after }) => {
    const [inner = ''] = after.split('</form>', 1)
    const wait = attributeOf(tag, 'data-wait-ms')
    return {
      id: attributeOf(tag, 'id') ?? '',
      action: attributeOf(tag, 'action') ?? '',
      fields: Object.fromEntries(
        tagsIn(inner, 'input').map((input) => [
          attributeOf(input.tag, 'name') ?? '',
          attributeOf(input.tag, 'value') ?? '',
        ]),
      ),
      waitMs: wait === '' ? null : Number(wait ?? 0),
    }
  })

/** The address that the bridge's script loads into the first frame; null where there is none. */
export const frameIn = (markup: string): string | null => {
  const [frame] = tagsIn(markup, 'iframe')
  return frame === undefined ? null : attributeOf(frame.tag, 'data-src')
}

/** What the bridge's event page would tell the card page; null where this is another page. */
export const messageIn = (markup: string): string | null => between(markup, ')({"event":"', '"})</script>')
