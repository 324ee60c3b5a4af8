/** Operations that must cost the same among a million checkouts as among ten thousand. */
import type { StatementLine } from '#payment/ports.ts'
import type { Mailer } from '../../server/background/mail/mailer.ts'
import { sendWebhooksOnce } from '../../server/background/webhooks/webhook-worker.ts'
import { purgeOld } from '../../server/background/purge-old.ts'
import { runDueWork } from '../../server/background/worker.ts'
import { findMailsDue } from '../../server/store/outbox/mail-claims.ts'
import { readAfterInquiry } from '../../server/operations/read-checkout.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcile } from '../../server/operations/reconcile.ts'
import { refund } from '../../server/operations/refund.ts'
import type { Database, Sql } from '../../server/store/engine/database.ts'
import { integer, text } from '../../server/store/engine/columns.ts'
import { findInquiriesDue, findPastDeadline } from '../../server/store/checkout/due-checkouts.ts'
import { readBacklog } from '../../server/store/reports/metrics.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import type { BenchDatabase } from '../../proof/filled-database/bench-database.ts'
import { countPagesOn } from '../../proof/filled-database/count-pages.ts'
import {
  analyse,
  BENCH_MAILER,
  fillDatabase,
  MEASURED_AT,
  openGrowthServer,
  sendAll,
  sendAllWebhooks,
  type FilledIds,
  type GrowthServer,
} from '../../proof/filled-database/filled-database.ts'

/** Operations of each kind. A single one may happen to split an index page, and would read more. */
const BATCH = 200
const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS

const times = async (count: number, work: (place: number) => Promise<unknown>): Promise<void> => {
  for (let place = 0; place < count; place += 1) await work(place)
}

const spread = (ids: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, place) => ids[Math.floor((place * ids.length) / count)] ?? '')

interface GrowthOperation {
  readonly name: string
  /** Makes what the operation needs; its pages are not counted. */
  prepare?(server: GrowthServer): Promise<unknown>
  run(server: GrowthServer): Promise<unknown>
  /** How many operations `run` does; a batch by default. */
  readonly count?: number
}

/** A batch of payments whose events and mails are due, and nothing else is. */
const payAfterSendingAll = async (server: GrowthServer): Promise<void> => {
  await sendAll(server)
  await times(BATCH, async () => server.payWhole(await server.createCheckout()))
}

interface DueInTurn {
  readonly name: string
  make(server: GrowthServer): Promise<unknown>
  /** How long after it was made it is due. */
  readonly afterMs: number
  find(sql: Sql, now: number, limit: number): Promise<readonly unknown[]>
  readonly mailer: Mailer | null
}

/** One due item in each round of the worker, as on an ordinary day: the items are made a millisecond apart. */
const inItsRound = ({ name, make, afterMs, find, mailer }: DueInTurn): GrowthOperation => ({
  name,
  prepare: async (server) => {
    const { clock, deps } = server
    await sendAll(server)
    await times(BATCH, async () => {
      await make(server)
      clock.advance(1)
    })
    clock.advance(afterMs - BATCH)
    for (const [later, expected] of [
      [-1, 0],
      [0, 1],
      [BATCH - 1, BATCH],
    ] as const) {
      const due = await find(deps.database, clock.now() + later, BATCH + 1)
      if (due.length !== expected) throw new Error(`${name}: ${due.length} are due, not ${expected}`)
    }
  },
  run: ({ deps, clock }) =>
    times(BATCH, async () => {
      await runDueWork(deps, mailer)
      clock.advance(1)
    }),
})

const operationsOn = (ids: FilledIds, charges: readonly StatementLine[]): GrowthOperation[] => {
  const third = Math.floor(BATCH / 3)
  const read = [...spread(ids.paid, third), ...spread(ids.expired, third), ...spread(ids.open, BATCH - 2 * third)]
  const paid = spread(ids.paid.slice(1), BATCH)
  const open = spread(ids.open, BATCH)
  return [
    {
      name: 'read',
      run: ({ deps }) =>
        times(BATCH, (place) => readAfterInquiry(deps, { merchantId: TEA_MERCHANT.id, checkoutId: read[place] ?? '' })),
    },
    { name: 'create', run: (server) => times(BATCH, () => server.createCheckout()) },
    { name: 'payment', run: (server) => times(BATCH, (place) => server.payWhole(open[place] ?? '')) },
    {
      name: 'refund',
      run: ({ deps }) =>
        times(BATCH, (place) =>
          refund(
            deps,
            { merchantId: TEA_MERCHANT.id, checkoutId: paid[place] ?? '' },
            { refundId: 'r1', amountYen: 980, taxes: null, mode: 'test' },
          ),
        ),
    },
    {
      name: 'worker: a round in which nothing is due',
      prepare: sendAll,
      run: ({ deps }) => times(BATCH, () => runDueWork(deps, BENCH_MAILER)),
    },
    { name: 'worker: forgetting when nothing is old', run: ({ deps }) => times(BATCH, () => purgeOld(deps)) },
    {
      name: 'webhooks: a round in which nothing is due',
      prepare: sendAll,
      run: ({ deps }) => times(BATCH, () => sendWebhooksOnce(deps)),
    },
    {
      name: 'webhooks: an event, fanned out and delivered',
      prepare: payAfterSendingAll,
      run: ({ deps }) => sendAllWebhooks(deps),
    },
    inItsRound({
      name: 'worker: a mail, in its round',
      make: async (server) => server.payWhole(await server.createCheckout()),
      afterMs: 0,
      find: findMailsDue,
      mailer: BENCH_MAILER,
    }),
    inItsRound({
      name: 'worker: an expiry, in its round',
      make: (server) => server.createUntil(server.clock.now() + HOUR_MS),
      // Past its deadline.
      afterMs: HOUR_MS + 1,
      find: findPastDeadline,
      mailer: null,
    }),
    inItsRound({
      name: 'worker: a doubt, in its round',
      make: async (server) => {
        server.gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
        await server.payWhole(await server.createCheckout())
      },
      // The first inquiry.
      afterMs: SECOND_MS,
      find: findInquiriesDue,
      mailer: null,
    }),
    { name: 'metrics', run: ({ deps }) => times(BATCH, () => readBacklog(deps.database, deps.clock.now())) },
    {
      name: 'reconciliation, each charge',
      count: charges.length,
      run: async ({ deps }) => {
        const outcome = await reconcile(deps.database, await deps.gateways.accounts(), ALL_TIME, () => undefined)
        if (outcome.outcome !== 'compared' || outcome.charges !== charges.length || outcome.discrepancies > 0)
          throw new Error(`the books do not agree: ${JSON.stringify(outcome)}`)
      },
    },
  ]
}

/** The acquirer's list, as our ledger has it. */
const chargesIn = async (bench: BenchDatabase): Promise<StatementLine[]> => {
  const database = await bench.open()
  const rows = await database.rows("SELECT entry, amount_yen FROM ledger_lines WHERE account = 'acquirer'")
  await database.close()
  return rows.map((row) => {
    const orderCode = text(row, 'entry').replace('charge ', '')
    return { kind: 'charge', orderCode, reference: orderCode, amountYen: integer(row, 'amount_yen'), movedAt: 0 }
  })
}

export type PagesOfOperations = ReadonlyMap<string, number>

/** Fills a database and counts, for every operation, the pages of one. */
export const measurePages = async (
  bench: BenchDatabase,
  checkouts: number,
  onProgress: (what: string) => void,
): Promise<PagesOfOperations> => {
  const countPages = countPagesOn(bench)
  const ids = await fillDatabase(bench, checkouts)
  if (bench.engine === 'PostgreSQL') await analyse(bench)
  onProgress(`${checkouts} checkouts filled`)
  const charges = await chargesIn(bench)
  const clock = virtualClock(MEASURED_AT)
  const withServer =
    (work: (server: GrowthServer) => Promise<unknown>) =>
    async (database: Database): Promise<void> => {
      const server = await openGrowthServer(database, clock, charges)
      await work(server)
      await server.app.close()
    }
  const measured = new Map<string, number>()
  // Reconciliation first: the acquirer has charged nothing else yet.
  for (const { name, prepare, run, count = BATCH } of operationsOn(ids, charges).toReversed()) {
    if (prepare !== undefined) await countPages(withServer(prepare))
    const opening = await countPages(withServer(async () => undefined))
    const pages = ((await countPages(withServer(run))) - opening) / count
    measured.set(name, pages)
    onProgress(`${name}: ${pages.toFixed(2)} pages`)
  }
  return measured
}
