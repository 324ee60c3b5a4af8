import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFigures } from './figure-tables.ts'
import { pagePlots } from './page-plots.ts'

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

test('what stood between the markers is made anew, and the rest stays', () => {
  const text = withFigures(EMPTY, RESULTS)
  assert.doesNotMatch(text, /old figures/)
  assert.match(text, /^# Speed\n/)
  assert.match(text, /\| first paint, of the same words \| ≤ 1\.15 \| 1\.2 {3}\| card th \| does not hold \|/)
  assert.match(text, /\| card th \| the page {7}\| 1000 {2}\| {10}\| 600 /)
  assert.match(text, /\| card th \| the same words \| 500 {3}\|/)
  assert.match(
    text,
    /!\[First paint, of the same words as static HTML\]\(performance\/first-paint-to-same-words\.svg\)/,
  )
  assert.match(text, /## Lighthouse\n\n<!-- figures: lighthouse -->\n\nNot measured yet\.\n\n<!-- end/)
  assert.equal(withFigures(text, RESULTS), text)
})

test('a document that has lost a marker is refused', () => {
  assert.throws(() => withFigures('# Speed\n', {}), /no place for the figures of page/)
})

test('each ratio that was measured has its plot, and no other', () => {
  assert.deepEqual(
    pagePlots(RESULTS).map(({ file }) => file),
    ['first-paint-to-same-words.svg'],
  )
  assert.match(pagePlots(RESULTS)[0]?.svg ?? '', /card th 1\.2\.<\/desc>/)
  assert.deepEqual(pagePlots({}), [])
})

test('something other than figures is not drawn', () => {
  assert.throws(() => pagePlots({ page: { figures: { rounds: [9] } } }), /page holds no figures/)
})
