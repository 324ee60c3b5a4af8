/** npm run bench -- plots: draws docs/performance/*.svg and writes the tables of docs/performance.md, from docs/bench.json. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withFigures } from './figure-tables.ts'
import { pagePlots, type Plot } from './page-plots.ts'

/** What the files must hold. */
export interface Drawing {
  readonly document: string
  readonly plots: readonly Plot[]
}

const documentIn = (docs: string): string => join(docs, 'performance.md')
export const plotsIn = (docs: string): string => join(docs, 'performance')

/** Of the folder's figures; before the first measurement there is no file of them. */
export const drawingOf = (docs: string): Drawing => {
  const file = join(docs, 'bench.json')
  const results: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return { document: withFigures(readFileSync(documentIn(docs), 'utf8'), results), plots: pagePlots(results) }
}

/** Plots that no figure draws any more are removed with their folder. */
export const drawPlots = (docs: string): number => {
  const { document, plots } = drawingOf(docs)
  writeFileSync(documentIn(docs), document)
  rmSync(plotsIn(docs), { recursive: true, force: true })
  if (plots.length > 0) mkdirSync(plotsIn(docs))
  for (const { file, svg } of plots) writeFileSync(join(plotsIn(docs), file), svg)
  process.stdout.write(`plots: ${plots.length}\n`)
  return 0
}
