/** Operations that must cost the same among a million checkouts as among ten thousand. */
import type { StatementLine } from '#payment/ports.ts'
import { RETENTION } from '#payment/retention.ts'
import { sendMail } from '../../server/background/mail/send-mail.ts'
import { deliverNext } from '../../server/background/webhooks/deliver.ts'
import { workOnce } from '../../server/background/worker.ts'
import type { Parts } from '../../server/parts.ts'
import { forgetOldAddresses } from '../../server/store/addresses.ts'
import { findDueEndpoints, forgetOldSendings } from '../../server/store/deliveries.ts'
import { forgetOldEvents } from '../../server/store/events.ts'
import { fanOut } from '../../server/store/fan-out.ts'
import { findMailsDue } from '../../server/store/mail-claims.ts'
import { emptyOldMails } from '../../server/store/mails.ts'
import { readCheckout } from '../../server/operations/read-checkout.ts'
import { reconcile } from '../../server/operations/reconcile.ts'
import { refund } from '../../server/operations/refund.ts'
import { forgetOldQuestions } from '../../server/store/card-testing.ts'
import { integer, text, type Database } from '../../server/store/database.ts'
import { findInquiriesDue, findPastDeadline } from '../../server/store/due.ts'
import { readUnsettled } from '../../server/store/metrics-query.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-server.ts'
import type { BenchDatabase } from '../rows/bench-database.ts'
import { countPagesOn } from '../rows/count-pages.ts'
import {
  BENCH_ENDPOINT,
  BENCH_MAILER,
  fillDatabase,
  MEASURED_AT,
  openGrowthServer,
  sendAll,
  type FilledIds,
  type GrowthServer,
} from '../rows/filled-database.ts'

/** Of each kind: one alone may meet a page that is about to be split. */
const BATCH = 200
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const times = async (count: number, work: (place: number) => Promise<unknown>): Promise<void> => {
  for (let place = 0; place < count; place += 1) await work(place)
}

const spread = (ids: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, place) => ids[Math.floor((place * ids.length) / count)] ?? '')

interface GrowthOperation {
  readonly name: string
  /** Not counted: what there must be before. */
  prepare?(server: GrowthServer): Promise<unknown>
  run(server: GrowthServer): Promise<unknown>
  /** How many were run; a batch where nothing is said. */
  readonly count?: number
}

/** As many payments as a batch has, whose events and mails wait, and nothing else does. */
const payAfterSendingAll = async (server: GrowthServer): Promise<void> => {
  await sendAll(server)
  await times(BATCH, async () => server.payWhole(await server.createCheckout()))
}

const mustDeliver = async (parts: Parts): Promise<void> => {
  const { merchantId, id: endpointId } = BENCH_ENDPOINT
  const outcome = await deliverNext(parts, { merchantId, endpointId })
  if (outcome !== 'delivered') throw new Error(`a delivery ended otherwise: ${outcome}`)
}

/** When nothing is old enough. */
const forgetByRetention = async ({ database, clock }: Parts): Promise<void> => {
  const now = clock.now()
  await forgetOldSendings(database, now - RETENTION.deliveriesMs)
  await forgetOldEvents(database, now - RETENTION.eventsMs)
  await emptyOldMails(database, now - RETENTION.mailsMs)
  await forgetOldAddresses(database, now - RETENTION.addressesMs)
}

const operationsOn = (ids: FilledIds, charges: readonly StatementLine[]): GrowthOperation[] => {
  const third = Math.floor(BATCH / 3)
  const read = [...spread(ids.paid, third), ...spread(ids.expired, third), ...spread(ids.open, BATCH - 2 * third)]
  const paid = spread(ids.paid.slice(1), BATCH)
  const open = spread(ids.open, BATCH)
  return [
    {
      name: 'read',
      run: ({ parts }) =>
        times(BATCH, (place) => readCheckout(parts, { merchantId: TEA_MERCHANT.id, checkoutId: read[place] ?? '' })),
    },
    { name: 'create', run: (server) => times(BATCH, () => server.createCheckout()) },
    { name: 'payment', run: (server) => times(BATCH, (place) => server.payWhole(open[place] ?? '')) },
    {
      name: 'refund',
      run: ({ parts }) =>
        times(BATCH, (place) =>
          refund(
            parts,
            { merchantId: TEA_MERCHANT.id, checkoutId: paid[place] ?? '' },
            { refundId: 'r1', amountYen: 980, taxes: null, mode: 'test' },
          ),
        ),
    },
    {
      name: 'worker: look for inquiries due',
      run: ({ parts }) => times(BATCH, () => findInquiriesDue(parts.database, parts.clock.now(), 50)),
    },
    {
      name: 'worker: look for deadlines',
      run: ({ parts }) => times(BATCH, () => findPastDeadline(parts.database, parts.clock.now(), 50)),
    },
    {
      name: 'worker: forget cards and addresses',
      run: ({ parts }) => times(BATCH, () => forgetOldQuestions(parts.database, parts.clock.now())),
    },
    {
      name: 'worker: forget by retention',
      run: ({ parts }) => times(BATCH, () => forgetByRetention(parts)),
    },
    {
      name: 'webhooks: look for events and deliveries due',
      prepare: sendAll,
      run: ({ parts }) =>
        times(BATCH, async () => {
          await fanOut(parts.database, parts.clock.now())
          await findDueEndpoints(parts.database, parts.clock.now())
        }),
    },
    {
      name: 'webhooks: fan-out, each event',
      prepare: payAfterSendingAll,
      run: async ({ parts }) => {
        while ((await fanOut(parts.database, parts.clock.now())) > 0);
      },
    },
    {
      name: 'webhooks: delivery',
      prepare: async (server) => {
        await payAfterSendingAll(server)
        while ((await fanOut(server.parts.database, server.clock.now())) > 0);
      },
      run: ({ parts }) => times(BATCH, () => mustDeliver(parts)),
    },
    {
      name: 'mails: look for those due',
      prepare: sendAll,
      run: ({ parts }) => times(BATCH, () => findMailsDue(parts.database, parts.clock.now(), 50)),
    },
    {
      name: 'mails: send',
      prepare: payAfterSendingAll,
      run: async ({ parts }) => {
        const due = await findMailsDue(parts.database, parts.clock.now(), BATCH + 1)
        if (due.length !== BATCH) throw new Error(`${due.length} mails are due`)
        for (const mail of due) await sendMail(parts, BENCH_MAILER, mail)
      },
    },
    {
      name: 'worker: expiry',
      prepare: async (server) => {
        await times(BATCH, () => server.createUntil(server.clock.now() + HOUR_MS))
        server.clock.advance(HOUR_MS + 1)
      },
      run: ({ parts }) => workOnce(parts),
    },
    {
      name: 'worker: doubt',
      prepare: async (server) => {
        server.gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
        await times(BATCH, async () => server.payWhole(await server.createCheckout()))
        server.clock.advance(MINUTE_MS)
      },
      run: ({ parts }) => workOnce(parts),
    },
    { name: 'metrics', run: ({ parts }) => times(BATCH, () => readUnsettled(parts.database, parts.clock.now())) },
    {
      name: 'reconciliation, each charge',
      count: charges.length,
      run: async ({ parts }) => {
        const outcome = await reconcile(parts.database, parts.gateway, () => undefined)
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
  return rows.map((row) => ({
    orderCode: text(row, 'entry').replace('charge ', ''),
    chargedYen: integer(row, 'amount_yen'),
    refunds: [],
  }))
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
  const pages = new Map<string, number>()
  // Reconciliation first: the acquirer has charged nothing else yet.
  for (const { name, prepare, run, count = BATCH } of operationsOn(ids, charges).toReversed()) {
    if (prepare !== undefined) await countPages(withServer(prepare))
    const opening = await countPages(withServer(async () => undefined))
    pages.set(name, ((await countPages(withServer(run))) - opening) / count)
    onProgress(`${name}: ${pages.get(name)?.toFixed(2)} pages`)
  }
  return pages
}
