import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../../tools/setup/setup.mjs'
import { temporaryFolder } from '../../tools/testing/temporary-folder.ts'
import { drawingOf, drawPlots, plotsIn } from './draw-plots.ts'

const DOCUMENT = ['page', 'lighthouse']
  .map((name) => `<!-- figures: ${name} -->\n<!-- end of figures: ${name} -->\n`)
  .join('\n')

const drawnIn = (docs: string): string[] => (existsSync(plotsIn(docs)) ? readdirSync(plotsIn(docs)).toSorted() : [])

test('docs/performance.md and its plots show what docs/bench.json holds: else run npm run bench -- plots', () => {
  const docs = join(ROOT, 'docs')
  const { document, plots } = drawingOf(docs)
  assert.equal(readFileSync(join(docs, 'performance.md'), 'utf8'), document)
  assert.deepEqual(drawnIn(docs), plots.map(({ file }) => file).toSorted())
  for (const { file, svg } of plots) assert.equal(readFileSync(join(plotsIn(docs), file), 'utf8'), svg)
})

test('drawing twice gives the same files, and a plot without figures is removed', (t) => {
  const docs = temporaryFolder(t, { 'performance.md': DOCUMENT, 'performance/old.svg': '<svg/>' })
  assert.equal(drawPlots(docs), 0)
  const first = readFileSync(join(docs, 'performance.md'), 'utf8')
  assert.match(first, /Not measured yet\./)
  assert.deepEqual(drawnIn(docs), [])
  drawPlots(docs)
  assert.equal(readFileSync(join(docs, 'performance.md'), 'utf8'), first)
})
