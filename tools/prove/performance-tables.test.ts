import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../root.ts'
import { limitRow, withTables } from './performance-tables.ts'

const EMPTY = `# Speed

<!-- figures: page -->

old figures

<!-- end of figures: page -->

## Lighthouse

<!-- figures: lighthouse -->
<!-- end of figures: lighthouse -->
`

const RESULTS = {
  page: {
    figures: {
      rounds: 9,
      limits: {
        firstPaintToSameWords: {
          says: 'first paint, of the same words',
          limit: 1.15,
          worst: 1.2,
          at: 'card th',
          verdict: 'does not hold',
        },
      },
      screens: {
        card: {
          th: {
            rounds: 9,
            ours: { bytes: 1000, firstPaintMs: 600 },
            sameWords: { bytes: 500, firstPaintMs: 500 },
            ratios: { firstPaintToSameWords: 1.2 },
          },
        },
      },
    },
  },
}

test('docs/performance.md shows what docs/bench.json holds: else run the bench again', () => {
  const read = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8')
  const text = read('performance.md')
  assert.equal(text, withTables(text, JSON.parse(read('bench.json'))))
})

test('the text between the markers is written again, and the rest stays', () => {
  const text = withTables(EMPTY, RESULTS)
  assert.doesNotMatch(text, /old figures/)
  assert.match(text, /^# Speed\n/)
  assert.match(text, /\| first paint, of the same words \| ≤ 1\.15 \| 1\.2 {3}\| card th \| does not hold \|/)
  assert.match(text, /\| card th \| the page {7}\| 1000 {2}\| {10}\| 600 /)
  assert.match(text, /\| card th \| the same words \| 500 {3}\|/)
  assert.match(text, /## Lighthouse\n\n<!-- figures: lighthouse -->\n\nNot measured yet\.\n\n<!-- end/)
  assert.equal(withTables(text, RESULTS), text)
})

test('a document that has lost a marker is refused', () => {
  assert.throws(() => withTables('# Speed\n', {}), /no place for the figures of page/)
})

test('a limit is shown as at most, or as at least where more is better', () => {
  assert.equal(limitRow({ limit: 0 })[1], '≤ 0')
  assert.equal(limitRow({ least: 98 })[1], '≥ 98')
})
