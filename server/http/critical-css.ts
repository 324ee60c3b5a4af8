/** Critical CSS: of a whole style sheet, the rules that the first paint of a document can need. */
import type { DrawnStyle } from '#contract/page.ts'

/** What an element must be for a selector: of these classes, in one of these languages. */
interface Selector {
  readonly classes: readonly string[]
  readonly languages: readonly string[]
}

type Rule =
  | { readonly kind: 'style'; readonly text: string; readonly selectors: readonly Selector[] }
  /** A condition, such as a media query, around other rules. */
  | { readonly kind: 'group'; readonly condition: string; readonly rules: readonly Rule[] }
  /** Without selectors, such as the frames of an animation. */
  | { readonly kind: 'other'; readonly text: string }

export type StyleSheet = readonly Rule[]

/** Splits behind each end that is outside of quotes and brackets. Files of style end with a line end. */
const splitOutside = (text: string, end: '}' | ','): string[] => {
  const deps: string[] = []
  let [depth, start, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const found = text.charAt(at)
    if (found === '\\') at += 1
    if (found === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if ('({['.includes(found)) depth += 1
    if (')}]'.includes(found)) depth -= 1
    if (depth > 0 || found !== end) continue
    deps.push(text.slice(start, at + 1).trim())
    start = at + 1
  }
  const rest = text.slice(start)
  return rest.trim() === '' ? deps : [...deps, rest]
}

const namesIn = (text: string, name: RegExp): string[] => [...text.matchAll(name)].map(([, found = '']) => found)

const parseSelector = (text: string): Selector => {
  // What an element must not be, or may be, is nothing that must be drawn.
  const required = text.replaceAll(/\[[^\][]*\]/g, '').replaceAll(/:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)/g, '')
  return { classes: namesIn(required, /\.([\w-]+)/g), languages: namesIn(required, /:lang\(([\w-]+)\)/g) }
}

/** A style sheet as the page's build has minified it: without comments. */
export const parseStyleSheet = (css: string): StyleSheet =>
  splitOutside(css, '}').map((text): Rule => {
    const open = text.indexOf('{')
    const [head, body] = [text.slice(0, open), text.slice(open + 1, -1)]
    if (open < 0 || head.includes(';') || !text.endsWith('}')) throw new Error(`not a style rule: ${text.slice(0, 80)}`)
    if (!head.startsWith('@'))
      return { kind: 'style', text, selectors: splitOutside(head, ',').map((selector) => parseSelector(selector)) }
    if (/^@(?:media|supports)\b/.test(head)) return { kind: 'group', condition: head, rules: parseStyleSheet(body) }
    return { kind: 'other', text }
  })

const isIn = (language: string, range: string): boolean => language === range || language.startsWith(`${range}-`)

const mayMatch = ({ classes, languages }: Selector, drawn: DrawnStyle): boolean =>
  classes.every((name) => drawn.classes.has(name)) &&
  languages.every((range) => [...drawn.languages].some((language) => isIn(language, range)))

const textFor = (rules: StyleSheet, drawn: DrawnStyle): string =>
  rules
    .map((rule) => {
      if (rule.kind === 'style') return rule.selectors.some((each) => mayMatch(each, drawn)) ? rule.text : ''
      if (rule.kind === 'other') return rule.text
      const inside = textFor(rule.rules, drawn)
      return inside === '' ? '' : `${rule.condition}{${inside}}`
    })
    .join('')

/** The rules that this drawing can need in a document of this language, in their order. */
export const criticalCss = (sheet: StyleSheet, { classes, languages }: DrawnStyle, language: string): string =>
  textFor(sheet, { classes, languages: new Set([language, ...languages]) })
