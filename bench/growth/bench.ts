/**
 * Bench of growth: what every operation reads of its database among ten thousand checkouts and among a million, in pages and
 * not in time: pages are the same on every machine, however busy it is.
 */
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'
import { limitFigures, limitTable } from '../limits/limits.ts'
import { openBenchDatabase } from '../../proof/filled-database/bench-database.ts'
import type { Engine } from '../../proof/filled-database/copy-checkout.ts'
import { growthFigures, growthLimits, growthsOf, growthTable, type Growth } from './growth-limits.ts'
import { measurePages, type PagesOfOperations } from './growth-operations.ts'

const FEWEST = 10_000
const DEFAULT_MOST = '1000000'

/** Autovacuum reads pages too, whenever it likes. A larger log of changes spares checkpoints while rows are made. */
const POSTGRES_SETTINGS = { autovacuum: 'off', max_wal_size: '8GB' }

const measureAt = async (engine: Engine, checkouts: number): Promise<PagesOfOperations> => {
  const began = performance.now()
  const bench = await openBenchDatabase(engine, POSTGRES_SETTINGS)
  try {
    return await measurePages(bench, checkouts, (what) => printProgress(`${engine}: ${what}, ${secondsSince(began)}`))
  } finally {
    await bench.remove()
  }
}

export const parameters = '[most checkouts]'

export const measure = async ([givenMost = DEFAULT_MOST]: readonly string[]): Promise<Figures> => {
  const most = wholeNumber('the most checkouts', givenMost, { from: FEWEST, to: 100_000_000 })
  const growths: Growth[] = []
  for (const engine of ['PostgreSQL', 'SQLite'] satisfies Engine[])
    growths.push(...growthsOf(engine, await measureAt(engine, FEWEST), await measureAt(engine, most)))
  const limits = growthLimits(growths)
  printProgress(['', growthTable(growths, [FEWEST, most]), limitTable(limits)].join('\n\n'))
  return { fewestCheckouts: FEWEST, mostCheckouts: most, ...growthFigures(growths), ...limitFigures(limits) }
}
