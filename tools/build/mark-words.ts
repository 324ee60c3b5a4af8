/** Marks of line breaks in the page's words, made when it is built: browsers get them as part of the texts. */
import type { Plugin } from 'vite'
import { isPageLocale, type PageLocale } from '#contract/locale.ts'
import { withLineBreaks } from '#contract/line-breaks.ts'
import { isRecord } from '../is-record.mjs'

/** By the groups of the dictionary, the names of the texts that get marks. */
export type MarkedKeys = Readonly<Record<string, readonly string[]>>

const WORDS_FILE = /\/page\/words\/([\w-]+)\.ts$/
/** All of their words are headings, labels or short messages. */
const ALL_MARKED_FILES = /\/contract\/(?:receipt-words\/([\w-]+)|invoice-words)\.ts$/

interface Text {
  readonly path: readonly string[]
  readonly start: number
  readonly end: number
}

const nameOf = (key: unknown): string | undefined => {
  if (!isRecord(key)) return undefined
  const name = key['type'] === 'Identifier' ? key['name'] : key['value']
  return typeof name === 'string' ? name : undefined
}

/** Every text below a node of the syntax tree, under the names of the properties that lead to it. */
const textsBelow = (node: unknown, path: readonly string[]): Text[] => {
  if (Array.isArray(node)) return node.flatMap((each: unknown) => textsBelow(each, path))
  if (!isRecord(node)) return []
  const { type, start, end, value } = node
  if (typeof start === 'number' && typeof end === 'number') {
    if (type === 'Literal' && typeof value === 'string') return [{ path, start: start + 1, end: end - 1 }]
    if (type === 'TemplateElement') return [{ path, start, end }]
  }
  if (type === 'ImportDeclaration') return []
  if (type === 'Property') {
    const name = nameOf(node['key'])
    return name === undefined ? [] : textsBelow(value, [...path, name])
  }
  return Object.values(node).flatMap((child) => textsBelow(child, path))
}

/** Whose language a text is in, and undefined where it gets no marks. */
const localeOf = (id: string, { path }: Text, keys: MarkedKeys): PageLocale | undefined => {
  const [group = '', name = ''] = path
  const [, ofWords] = WORDS_FILE.exec(id) ?? []
  const locale = ofWords ?? ALL_MARKED_FILES.exec(id)?.[1] ?? group
  const isMarked = ofWords === undefined || keys[group]?.includes(name) === true
  return isMarked && isPageLocale(locale) ? locale : undefined
}

/** The source of a dictionary with marks in its texts. `program` is its syntax tree. */
export const markTexts = (code: string, program: unknown, id: string, keys: MarkedKeys): string =>
  textsBelow(program, [])
    .toSorted((a, b) => b.start - a.start)
    .reduce((marked, text) => {
      const locale = localeOf(id, text, keys)
      if (locale === undefined) return marked
      const { start, end } = text
      return marked.slice(0, start) + withLineBreaks(marked.slice(start, end), locale) + marked.slice(end)
    }, code)

export const markWords = (keys: MarkedKeys): Plugin => ({
  name: 'mark-words',
  enforce: 'pre',
  transform: {
    filter: { id: [WORDS_FILE, ALL_MARKED_FILES] },
    handler(code, id) {
      return { code: markTexts(code, this.parse(code, { lang: 'ts' }), id, keys), map: null }
    },
  },
})
