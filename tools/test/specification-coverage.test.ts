import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../root.ts'

const DOCUMENT = 'docs/specification-coverage.md'

/** The specification's sections with the rows that each has at least: a line that is dropped is missed. */
const SECTIONS: Readonly<Record<string, number>> = {
  '1. What the product does and for whom': 26,
  '2. Screens and routes': 68,
  '3. Entities and their fields': 51,
  '4. States and transitions': 28,
  '5. Validation rules': 31,
  '6. Roles and permissions': 5,
  '7. The calls it makes': 27,
  '8. The error catalogue': 30,
  '9. Business constants and limits': 36,
}

interface Row {
  readonly line: string
  readonly proofs: readonly string[]
}

const rowOf = (text: string): Row => {
  const [line = '', proof = '', ...more] = text
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
  assert.deepEqual([text.startsWith('|'), text.endsWith('|'), more], [true, true, []], `no row of two cells: ${text}`)
  return { line, proofs: proof === '' ? [] : proof.split('<br>').map((part) => part.trim()) }
}

/** The rows under each heading, without the table's own head. */
const sectionsOf = (page: string): Map<string, Row[]> =>
  new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section): [string, Row[]] => {
        const [heading = '', ...lines] = section.split('\n')
        const table = lines.filter((line) => line.startsWith('|'))
        return [heading.trim(), table.slice(2).map(rowOf)]
      }),
  )

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The titles in a test file, and of the steps of a journey: quoted ones are themselves, template ones match whatever stands in their places. */
const titlesOf = (source: string): RegExp[] =>
  [...source.matchAll(/\btest(?:\.step)?\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g)].map(
    ([, single, double, template]) => {
      const plain = (text: string): string => text.replaceAll(/\\(.)/g, '$1')
      const fixed =
        template === undefined
          ? [single ?? double ?? '']
          : // A place may hold braces of its own, one deep.
            template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
      return new RegExp(`^${fixed.map((part) => escape(plain(part))).join('.+')}$`, 's')
    },
  )

const textOf = (path: string): string | undefined => {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const faultOf = (proof: string, read: (path: string) => string | undefined): string | undefined => {
  const [, path = '', title = ''] = /^`([^`]+?\.(?:test|spec)\.ts) › ([^`]+)`$/.exec(proof) ?? []
  if (path === '') return `is no test: ${proof}`
  const source = read(path)
  if (source === undefined) return `names a file that does not exist: ${path}`
  return titlesOf(source).some((known) => known.test(title)) ? undefined : `${path} has no test "${title}"`
}

const faultsOf = (page: string, read: (path: string) => string | undefined): string[] =>
  [...sectionsOf(page)].flatMap(([heading, rows]) =>
    rows.flatMap(({ line, proofs }) => {
      const where = `${heading.slice(0, 2)} ${line}`
      if (line === '') return [`${heading}: a row without a line`]
      if (proofs.length === 0) return [`${where}: no proof`]
      return proofs.flatMap((proof) => {
        const fault = faultOf(proof, read)
        return fault === undefined ? [] : [`${where}: ${fault}`]
      })
    }),
  )

test('every line of the specification is proven by tests that exist', () => {
  assert.deepEqual(faultsOf(readFileSync(join(ROOT, DOCUMENT), 'utf8'), textOf), [])
})

test('every section of the specification has its rows, each line once', () => {
  const sections = sectionsOf(readFileSync(join(ROOT, DOCUMENT), 'utf8'))
  assert.deepEqual([...sections.keys()], Object.keys(SECTIONS))
  for (const [heading, least] of Object.entries(SECTIONS)) {
    const lines = (sections.get(heading) ?? []).map(({ line }) => line)
    assert.ok(lines.length >= least, `${heading} has ${lines.length} rows, not ${least}`)
    assert.deepEqual(
      lines.filter((line, place) => lines.indexOf(line) !== place),
      [],
      heading,
    )
  }
})

test('a row without proof, a test that is gone or renamed, and a promise in place of a test are found', () => {
  const source = "test('a card is charged', () => {})\nfor (const n of []) test(`${n} yen are paid`, () => {})\n"
  const read = (path: string): string | undefined => (path === 'a.test.ts' ? source : undefined)
  const faults = (...proofs: readonly string[]): string[] =>
    faultsOf(
      `## 1. One\n\n| Line | Proof |\n| --- | --- |\n${proofs.map((proof) => `| Pays | ${proof} |`).join('\n')}`,
      read,
    )
  assert.deepEqual(faults('`a.test.ts › a card is charged`', '`a.test.ts › 5 yen are paid`'), [])
  assert.deepEqual(faults('', '`b.test.ts › a card is charged`', '`a.test.ts › a card is`', 'later: the modal'), [
    '1. Pays: no proof',
    '1. Pays: names a file that does not exist: b.test.ts',
    '1. Pays: a.test.ts has no test "a card is"',
    '1. Pays: is no test: later: the modal',
  ])
  assert.deepEqual(faults('`a.test.ts › yen are paid`', 'later', 'soon'), [
    '1. Pays: a.test.ts has no test "yen are paid"',
    '1. Pays: is no test: later',
    '1. Pays: is no test: soon',
  ])
})
