import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { invoiceWords } from '#contract/invoice-words.ts'
import { loadWords } from './load-words.ts'

const TERMS = 24
const COLUMNS = ['Term', 'Our word', 'Where it stands (key)', 'Source', 'Excerpt']
const NONE_FOUND = 'none found'

interface Row {
  readonly term: string
  readonly word: string
  readonly keys: readonly string[]
  readonly source: string
  readonly excerpt: string
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

const rowOf = (line: string): Row => {
  const cells = cellsOf(line)
  assert.equal(cells.length, COLUMNS.length, `the row needs ${COLUMNS.length} cells: ${line}`)
  const [term = '', word = '', keys = '', source = '', excerpt = ''] = cells
  return { term, word, keys: keys.split(',').map((key) => key.trim()), source, excerpt }
}

const page = readFileSync(new URL('../../docs/translation-glossary.md', import.meta.url), 'utf8')

/** A language's table is under a heading that ends with its code. */
const tableOf = (locale: string): string[] => {
  const section = page.split(/^## /m).find((part) => part.split('\n', 1)[0]?.endsWith(`(\`${locale}\`)`))
  assert.ok(section !== undefined, `docs/glossary.md has no heading that ends with (\`${locale}\`)`)
  return section.split('\n').filter((line) => line.startsWith('|'))
}

const rowsOf = (locale: string): Row[] => tableOf(locale).slice(2).map(rowOf)

const partOf = (whole: unknown, name: string): unknown => {
  if (typeof whole !== 'object' || whole === null) return undefined
  const parts: Readonly<Record<string, unknown>> = { ...whole }
  return parts[name]
}

const textAt = (words: unknown, key: string): string | undefined => {
  const entry = key.split('.').reduce(partOf, words)
  const text: unknown = typeof entry === 'function' ? Reflect.apply(entry, undefined, ['‹1›', '‹2›', '‹3›']) : entry
  return typeof text === 'string' ? text : undefined
}

/** A repository with a path in it, each in backticks, or the address of a page. */
const namesASource = (source: string): boolean =>
  /`[\w.-]+\/[\w.-]+` \[?`[^`]+\.\w+`/.test(source) || /\(https?:\/\/[^\s)]+\)/.test(source)

const sourceFault = ({ term, source, excerpt }: Row): string[] => {
  if (source === NONE_FOUND) return excerpt === '—' ? [] : [`${term}: an excerpt without a source`]
  if (!namesASource(source)) return [`${term}: name a repository and path, an address, or write "${NONE_FOUND}"`]
  return excerpt === '' || excerpt === '—' ? [`${term}: the source needs an excerpt`] : []
}

for (const locale of PAGE_LOCALES) {
  test(`${locale}: every word of the payment glossary stands in the dictionary where the glossary says`, async () => {
    const words = { ...(await loadWords(locale)), invoice: invoiceWords[locale] }
    const faults = rowsOf(locale).flatMap(({ term, word, keys }) =>
      keys
        .filter((key) => word === '' || textAt(words, key)?.includes(word) !== true)
        .map((key) => `${term}: "${word}" does not stand at ${key}, which says "${textAt(words, key) ?? 'nothing'}"`),
    )
    assert.deepEqual(faults, [])
  })

  test(`${locale}: the payment glossary has its ${TERMS} terms, each once, and a source or "${NONE_FOUND}" for each`, () => {
    assert.deepEqual(cellsOf(tableOf(locale)[0] ?? ''), COLUMNS)
    const rows = rowsOf(locale)
    assert.ok(rows.length >= TERMS, `${locale} has ${rows.length} rows; ${TERMS} are the fewest`)
    assert.equal(new Set(rows.map(({ term }) => term)).size, rows.length)
    assert.deepEqual(rows.flatMap(sourceFault), [])
  })
}

test('the payment glossary explains the same terms in every language', () => {
  const termsOf = (locale: string): string[] => rowsOf(locale).map(({ term }) => term)
  for (const locale of PAGE_LOCALES) assert.deepEqual(termsOf(locale), termsOf('en-US'), locale)
})
