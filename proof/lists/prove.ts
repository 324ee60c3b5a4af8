/** Proof, lists: what the first and a later page of 100 combinations of filters, and the figures of 90 days, read among a million checkouts, beside the first page of all. */
import { LIMIT_DEFAULT } from '#contract/merchant/lists.ts'
import { countPagesOn } from '../filled-database/count-pages.ts'
import { fillDatabase, MADE_AT, MEASURED_AT } from '../filled-database/filled-database.ts'
import { openBenchDatabase, type BenchDatabase } from '../filled-database/bench-database.ts'
import type { Engine } from '../filled-database/copy-checkout.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import type { CheckoutFilters } from '../../server/store/checkout/checkout-list-conditions.ts'
import { listCheckouts } from '../../server/store/checkout/checkout-list.ts'
import type { Database } from '../../server/store/engine/database.ts'
import type { Place } from '../../server/store/engine/list-page.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { combinationsOf, describeFilters } from './combinations.ts'
import { measureFigures } from './figures.ts'
import { scanIn } from './scans.ts'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'

const DEFAULT_CHECKOUTS = '1000000'
const COMBINATIONS = 100
const MOST_TIMES = 3
/** The most rows of a page. */
const LIMIT_MAX = 100

const SCOPE = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const

/** How the rows of the table lie, and how many of them a page has. */
interface Layout {
  readonly name: string
  /** The index whose order PostgreSQL gives the table; SQLite has its rows in the order of their creation. */
  readonly index: string | null
  readonly limit: number
}

/**
 * A shop's checkouts lie in the order of their creation: the newest are a few pages, rare ones as many as they are, however well
 * an index finds them. There the page is judged that is answered unless a caller asks for more. In no order each row that is
 * looked at is a page: there the longest page is judged by its rows.
 */
const LAYOUTS: Readonly<Record<Engine, readonly Layout[]>> = {
  PostgreSQL: [
    { name: 'PostgreSQL', index: 'checkouts_by_creation', limit: LIMIT_DEFAULT },
    { name: 'PostgreSQL in no order', index: 'checkouts_pkey', limit: LIMIT_MAX },
  ],
  SQLite: [{ name: 'SQLite', index: null, limit: LIMIT_MAX }],
}

/** Copies share all their values: rare and common ones are written over them, by the milliseconds of their creation. */
const vary = async (bench: BenchDatabase): Promise<void> => {
  const database = await bench.open()
  try {
    await database.rows(
      `UPDATE checkouts SET reference = 'order-' || (created_at % 50000), amount_yen = 100 + created_at % 20000,
         shopper_email = CASE WHEN paid_at IS NULL THEN NULL ELSE 'shopper-' || (created_at % 20000) || '@example.com' END,
         transaction_id = CASE WHEN paid_at IS NULL THEN NULL ELSE 'txn-' || created_at END,
         card_last_four = CASE WHEN paid_at IS NULL THEN NULL WHEN created_at % 10 = 0 THEN '1111' ELSE '4242' END`,
    )
    // A few that were given back: a status that is rare among the paid.
    await database.rows(
      "UPDATE checkouts SET status = 'refunded', closed_at = paid_at WHERE status = 'paid' AND created_at % 1000 = 7",
    )
  } finally {
    await database.close()
  }
}

const layRows = async (bench: BenchDatabase, { index }: Layout): Promise<void> => {
  if (index === null) return
  const database = await bench.open()
  try {
    await database.rows(`CLUSTER checkouts USING ${index}`)
    await database.rows('VACUUM ANALYZE')
  } finally {
    await database.close()
  }
}

/** Fails where a combination reads more than three first pages. */
export const judge = (layout: string, first: number, pages: ReadonlyMap<string, number>): Figures => {
  const [dearest = '', most = 0] = [...pages].toSorted(([, one], [, other]) => other - one)[0] ?? []
  if (pages.size < COMBINATIONS) throw new CommandError(`only ${pages.size} combinations were measured`)
  if (most > MOST_TIMES * first)
    throw new CommandError(`${layout}: ${dearest} reads ${most} pages, the first page of all ${first}`)
  return { [`${layout}: firstPage`]: first, [`${layout}: dearestPage`]: most, [`${layout}: dearest`]: dearest }
}

/** Counts the pages that a page of a list reads. What a connection and a plan read of the catalogue is the same for all: the second of two readings counts. */
const pageCounter =
  (bench: BenchDatabase, { limit }: Layout) =>
  (filters: CheckoutFilters, after: Place | null = null): Promise<number> =>
    countPagesOn(bench)(async (database: Database) => {
      await listCheckouts(database, SCOPE, filters, { after, limit }, MEASURED_AT)
    })

/** A place with rows of every kind before and behind it: copies are made a millisecond after another, and a tenth are open. */
const middleOf = (checkouts: number): Place => [MADE_AT + Math.round(checkouts / 20), 'm']

const measureLayout = async (bench: BenchDatabase, layout: Layout, checkouts: number): Promise<Figures> => {
  await layRows(bench, layout)
  const pagesOf = pageCounter(bench, layout)
  const first = await pagesOf({})
  const pages = new Map<string, number>()
  for (const filters of combinationsOf(COMBINATIONS, MEASURED_AT)) {
    const later = await pagesOf(filters, middleOf(checkouts))
    pages.set(describeFilters(filters), Math.max(await pagesOf(filters), later))
    const scanned = await scanIn(bench, async (database) => {
      await listCheckouts(database, SCOPE, filters, { after: null, limit: LIMIT_MAX }, 0)
    })
    if (scanned !== undefined) throw new CommandError(`${layout.name}: ${describeFilters(filters)} scans: ${scanned}`)
  }
  return judge(layout.name, first, pages)
}

const measureOn = async (engine: Engine, checkouts: number): Promise<Figures> => {
  const began = performance.now()
  const bench = await openBenchDatabase(engine, { autovacuum: 'off', max_wal_size: '8GB' })
  try {
    await fillDatabase(bench, checkouts)
    await vary(bench)
    printProgress(`${engine}: ${checkouts} checkouts, ${secondsSince(began)}`)
    const figures = {}
    for (const layout of LAYOUTS[engine]) Object.assign(figures, await measureLayout(bench, layout, checkouts))
    const firstOf = (limit: number): Promise<number> => pageCounter(bench, { name: engine, index: null, limit })({})
    const first = { usual: await firstOf(LIMIT_DEFAULT), longest: await firstOf(LIMIT_MAX) }
    Object.assign(figures, await measureFigures(bench, SCOPE, first))
    printProgress(`${engine}: ${JSON.stringify(figures)}, ${secondsSince(began)}`)
    return figures
  } finally {
    await bench.remove()
  }
}

export const parameters = '[checkouts]'

export const measure = async ([given = DEFAULT_CHECKOUTS]: readonly string[]): Promise<Figures> => {
  const checkouts = wholeNumber('the checkouts', given, { from: 1000, to: 100_000_000 })
  const figures = { checkouts, combinations: COMBINATIONS }
  return { ...figures, ...(await measureOn('PostgreSQL', checkouts)), ...(await measureOn('SQLite', checkouts)) }
}
