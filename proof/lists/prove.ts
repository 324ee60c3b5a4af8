/**
 * Proof, lists: what every pair of filters of the list of checkouts, every other call that reads and every round of the worker
 * look at among a million checkouts of one shop, on both engines, with and without statistics; and how busy an idle server is.
 */
import { LIMIT_DEFAULT } from '#contract/merchant/lists.ts'
import { writeCursor } from '../../server/http/routes/merchant/cursor.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { openBenchDatabase, type BenchDatabase } from '../filled-database/bench-database.ts'
import type { Engine } from '../filled-database/copy-checkout.ts'
import { analyse, MADE_AT, MEASURED_AT, openGrowthServer } from '../filled-database/filled-database.ts'
import { openPageCounter, type PageCounter } from '../filled-database/page-counter.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { checkoutFilters, describeFilters, pairsOf, type Filters } from './filters.ts'
import { measureFigures, type FirstPages } from './figures.ts'
import { prepareShop } from './prepare.ts'
import { prepareDue } from './prepare-due.ts'
import { callsThatRead, listOf, roundsOf, scrapeOf, signIn, type Reading, type Session } from './readings.ts'

const DEFAULT_CHECKOUTS = '1000000'
/** Of the list of all checkouts: an index, the row, its refunds and what is in flight. */
const FIRST_PAGE_MOST_OF_A_ROW = 10
/** In first pages of the same length: of a list of checkouts, and of all else, whose rows stand beside others. */
const MOST_TIMES = 3
const OTHERS_MOST_TIMES = 15
/** A text may mean five things, each of which is looked for by itself. */
const SEARCH_MOST_TIMES = 5
/** Of a shop with many in doubt: for each row that is examined, a look whether it is one of them. */
const PENDING_MOST_TIMES = 5
/** A scrape counts up to ten thousand rows in each of a few indexes. */
const SCRAPE_MOST_TIMES = 30
/** The most rows of a page. */
const LIMIT_MAX = 100

const SCOPE = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const

/** How the rows of the table lie, how many of them a page has, and whether the planner has statistics. */
interface Layout {
  readonly name: string
  readonly limit: number
  /** What comes before; of the layout before it stays what it does not change. */
  lay(bench: BenchDatabase): Promise<void>
  /** Whether the budget holds for this call; left out: for each. */
  isHeld?(name: string): boolean
}

/** They join the rows of a page with others, which PostgreSQL, as long as it has no statistics, does by reading all of both. */
const isHeldWithoutStatistics = (name: string): boolean => !/^list(Deliveries|Outbox)\b/.test(name)

const cluster =
  (index: string) =>
  async (bench: BenchDatabase): Promise<void> => {
    const database = await bench.open()
    await database.rows(`CLUSTER checkouts USING ${index}`)
    await database.close()
    await analyse(bench)
  }

/**
 * A shop's checkouts lie in the order of their creation: the newest are a few pages, rare ones as many as they are, however well
 * an index finds them. There the page is judged that is answered unless a caller asks for more. In no order each row that is
 * looked at is a page: there the longest page is judged by its rows.
 */
const LAYOUTS: Readonly<Record<Engine, readonly Layout[]>> = {
  PostgreSQL: [
    {
      name: 'PostgreSQL without statistics',
      limit: LIMIT_MAX,
      lay: async () => undefined,
      isHeld: isHeldWithoutStatistics,
    },
    { name: 'PostgreSQL', limit: LIMIT_DEFAULT, lay: cluster('checkouts_by_creation') },
    { name: 'PostgreSQL in no order', limit: LIMIT_MAX, lay: cluster('checkouts_pkey') },
  ],
  SQLite: [
    { name: 'SQLite without statistics', limit: LIMIT_MAX, lay: async () => undefined },
    { name: 'SQLite', limit: LIMIT_MAX, lay: analyse },
  ],
}

/** What one layout measured, and what looks at too many pages. */
export interface Judged {
  readonly figures: Figures
  readonly problems: readonly string[]
}

/** Nothing may look at more than so many first pages. */
export const judge = (layout: string, first: number, mostTimes: number, pages: ReadonlyMap<string, number>): Judged => {
  const dearestFirst = [...pages].toSorted(([, one], [, other]) => other - one)
  const [dearest = '', most = 0] = dearestFirst[0] ?? []
  return {
    figures: {
      [`${layout}: measured`]: pages.size,
      [`${layout}: firstPage`]: Math.round(first),
      [`${layout}: dearestPage`]: Math.round(most),
      [`${layout}: dearest`]: dearest,
    },
    problems: dearestFirst
      .filter(([, each]) => !(each <= mostTimes * first))
      .map(
        ([name, each]) =>
          `${layout}: ${name} looks at ${Math.round(each)} pages, the first page of all at ${Math.round(first)}`,
      ),
  }
}

/** A place with rows of every kind before and behind it: copies are made a millisecond after another, and a tenth are open. */
const middleOf = (checkouts: number): string => writeCursor([MADE_AT + Math.round(checkouts / 20), 'm'])

/** The first page and the next one. */
const measureReading = async (
  counter: PageCounter,
  { name, run }: Reading,
  into: Map<string, number>,
): Promise<void> => {
  let after: string | null = null
  const count = async (): Promise<number> =>
    counter.pagesOf(async () => {
      after = await run(null)
    })
  // Once uncounted: what is done only once a day is done then, and statements are planned.
  await run(null)
  into.set(name, await count())
  if (after !== null) into.set(`${name}, next page`, await counter.pagesOf(async () => void (await run(after))))
}

const firstPages = async (bench: BenchDatabase): Promise<FirstPages> => {
  const counter = await openPageCounter(bench)
  const { app } = await openGrowthServer(counter.database, virtualClock(MEASURED_AT))
  const of = (limit: number): Promise<number> =>
    counter.pagesOf(async () => void (await listOf(app)({ limit: String(limit) })(null)))
  const first = { usual: await of(LIMIT_DEFAULT), longest: await of(LIMIT_MAX) }
  await app.close()
  await counter.close()
  return first
}

const measureLayout = async (
  bench: BenchDatabase,
  layout: Layout,
  session: Session,
  checkouts: number,
): Promise<readonly Judged[]> => {
  await layout.lay(bench)
  const counter = await openPageCounter(bench)
  const server = await openGrowthServer(counter.database, virtualClock(MEASURED_AT))
  try {
    const list = listOf(server.app)
    const limit = String(layout.limit)
    const pagesOf = (run: Reading['run'], after: string | null): Promise<number> =>
      counter.pagesOf(async () => void (await run(after)))
    await list({ limit })(null)
    const first = await pagesOf(list({ limit }), null)
    if (first > FIRST_PAGE_MOST_OF_A_ROW * layout.limit)
      throw new CommandError(`${layout.name}: the first page of all looks at ${Math.round(first)} pages`)
    const [pages, searches, pending] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
    const groupOf = (filters: Filters): Map<string, number> => {
      if (filters['pending'] === 'true') return pending
      return Object.hasOwn(filters, 'search') ? searches : pages
    }
    for (const filters of pairsOf(checkoutFilters(checkouts))) {
      const run = list({ ...filters, limit })
      const into = groupOf(filters)
      into.set(describeFilters(filters), Math.max(await pagesOf(run, null), await pagesOf(run, middleOf(checkouts))))
    }
    const others = new Map<string, number>()
    const longest = await pagesOf(list({ limit: String(LIMIT_MAX) }), null)
    for (const reading of [...(await callsThatRead(server, session, checkouts)), ...roundsOf(server)])
      if (layout.isHeld?.(reading.name) !== false) await measureReading(counter, reading, others)
    const scrape = new Map<string, number>()
    await measureReading(counter, scrapeOf(server), scrape)
    return [
      judge(layout.name, first, MOST_TIMES, pages),
      judge(`${layout.name}, searches`, first, SEARCH_MOST_TIMES, searches),
      judge(`${layout.name}, pending`, longest, PENDING_MOST_TIMES, pending),
      judge(`${layout.name}, other calls and rounds`, longest, OTHERS_MOST_TIMES, others),
      judge(`${layout.name}, a scrape`, longest, SCRAPE_MOST_TIMES, scrape),
    ]
  } finally {
    await server.app.close()
    await counter.close()
  }
}

/** A session of the console, which all layouts use: time stands still. */
const sessionAt = async (bench: BenchDatabase): Promise<Session> => {
  const database = await bench.open()
  const server = await openGrowthServer(database, virtualClock(MEASURED_AT))
  const session = await signIn(server)
  await server.app.close()
  await database.close()
  return session
}

const measureOn = async (engine: Engine, checkouts: number): Promise<readonly Judged[]> => {
  const began = performance.now()
  const bench = await openBenchDatabase(engine, { autovacuum: 'off', max_wal_size: '8GB' })
  try {
    await prepareShop(bench, checkouts)
    await prepareDue(bench, checkouts)
    printProgress(`${engine}: ${checkouts} checkouts, ${secondsSince(began)}`)
    const session = await sessionAt(bench)
    const judged: Judged[] = []
    for (const layout of LAYOUTS[engine]) {
      const found = await measureLayout(bench, layout, session, checkouts)
      printProgress(`${JSON.stringify(found.map(({ figures }) => figures))}, ${secondsSince(began)}`)
      judged.push(...found)
    }
    const figures = await measureFigures(bench, SCOPE, await firstPages(bench))
    printProgress(`${JSON.stringify(figures)}, ${secondsSince(began)}`)
    judged.push({ figures, problems: [] })
    return judged
  } finally {
    await bench.remove()
  }
}

export const parameters = '[checkouts]'

export const measure = async ([given = DEFAULT_CHECKOUTS]: readonly string[]): Promise<Figures> => {
  const checkouts = wholeNumber('the checkouts', given, { from: 1000, to: 100_000_000 })
  const judged = [...(await measureOn('PostgreSQL', checkouts)), ...(await measureOn('SQLite', checkouts))]
  const problems = judged.flatMap((each) => each.problems)
  if (problems.length > 0)
    throw new CommandError(`${problems.length} look at too many pages:\n  ${problems.join('\n  ')}`)
  return Object.fromEntries([['checkouts', checkouts], ...judged.flatMap(({ figures }) => Object.entries(figures))])
}
