import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const HEADING = '## Words of the Japanese console'

/** The rows of the glossary about the console: our word for a thing, and the others that were used for it. */
const rowsOf = (page: string) => {
  const [, section = ''] = page.split(HEADING)
  const [own = ''] = section.split(/^## /m)
  return own
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, , ours = '', others = '']) => ({ ours, others: others.split(', ') }))
}

const words = globSync('console/**/*words.ts', { cwd: ROOT })
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')

test('one thing has one Japanese name over all screens of the console, that of the glossary', () => {
  const rows = rowsOf(readFileSync(join(ROOT, 'docs/translation-glossary.md'), 'utf8'))
  assert.equal(rows.length, 5)
  const unused = rows.filter(({ ours }) => !words.includes(ours)).map(({ ours }) => ours)
  const used = rows.flatMap(({ others }) => others.filter((other) => words.includes(other)))
  assert.deepEqual({ unused, used }, { unused: [], used: [] })
})
