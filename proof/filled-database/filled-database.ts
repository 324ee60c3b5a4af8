/** Filled database: checkouts of an invented shop two days after they were made, as the real operations write them. */
import type { Database } from '../../server/store/engine/database.ts'
import { readMigrations } from '../../server/store/engine/migrate.ts'
import { refund } from '../../server/operations/refund.ts'
import { text } from '../../server/store/engine/columns.ts'
import type { Mailer } from '../../server/background/mail/mailer.ts'
import { sendWebhooksOnce } from '../../server/background/webhooks/webhook-worker.ts'
import { workOnce } from '../../server/background/worker.ts'
import { findDueEndpoints } from '../../server/store/outbox/deliveries.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import { endpointWrite, type WebhookEndpoint } from '../../server/store/merchant/webhook-endpoints.ts'
import type { StatementLine } from '#payment/ports.ts'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { scriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { virtualClock, type TestClock } from '../harness/test-clocks.ts'
import { CARD, openTestServer, type TestServer } from '../harness/test-server.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { NO_CARD_TESTING_LIMITS } from '../harness/card-testing-parts.ts'
import type { BenchDatabase } from './bench-database.ts'
import { copyCheckout, type ColumnsOfCopies, type Engine } from './copy-checkout.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const MADE_AT = Date.parse('2026-11-15T03:00:00Z')
export const REFUNDED_MADE_AT = MADE_AT - 2 * DAY_MS
/** By now the card-testing counts of the filled rows are deleted, and their open links have some days left. */
export const MEASURED_AT = MADE_AT + 2 * DAY_MS

/** Of all checkouts; the others are open. */
const PAID_SHARE = 0.3
const EXPIRED_SHARE = 0.6

export interface GrowthServer extends TestServer {
  readonly gateway: FakeGateway
  /** Start, authenticate, pay. */
  payWhole(checkoutId: string): Promise<void>
  createUntil(validUntil: number): Promise<string>
}

/** The whole server on this database, at a time that stands still until it is moved. Its acquirer knows these charges. */
export const openGrowthServer = async (
  database: Database,
  clock: TestClock,
  charges: readonly StatementLine[] = [],
): Promise<GrowthServer> => {
  // Approved now: with the time of another day each payment would also mark that day's figures.
  const fake = fakeGateway(clock.now)
  const gateway: FakeGateway = Object.assign(fake, {
    inquire: async () =>
      ({ outcome: 'charged', transactionId: 'txn_1', approvedAt: clock.now(), amountYen: 1980 }) as const,
    statement: async (after: string | null) => {
      const [from, next] = [Number(after ?? 0), Number(after ?? 0) + 1000]
      return {
        outcome: 'page',
        lines: charges.slice(from, next),
        after: next < charges.length ? String(next) : null,
      } as const
    },
  })
  const server = await openTestServer({
    database,
    gateway,
    threeDSServer: scriptedThreeDSServer(),
    clock,
    cardTestingLimits: NO_CARD_TESTING_LIMITS,
    trustedProxies: [PROXY],
  })
  return {
    ...server,
    gateway,
    createUntil: (validUntil) => server.createCheckout({ validUntil: new Date(validUntil).toISOString() }),
    payWhole: async (checkoutId) => {
      payments += 1
      const started = await server.sendRequest({
        method: 'POST',
        url: `/api/v1/checkouts/${checkoutId}/3ds`,
        headers: { 'x-forwarded-for': exampleAddress(payments) },
        payload: { card: CARD },
      })
      const { orderCode = '' } = started.json<{ orderCode?: string }>()
      await server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
      await server.pay(checkoutId, orderCode)
    },
  }
}

/** The trusted proxy: the requests of a test come from this address. */
const PROXY = '127.0.0.1'

/** Every payment comes from another address: at each start the earlier attempts of its address are read. */
let payments = 0
const exampleAddress = (place: number): string => `10.0.${Math.floor(place / 256)}.${place % 256}`

/**
 * Without durability the filling takes a tenth of the time. The write-ahead log stays: the store reads over a second
 * connection, and SQLite refuses to leave the log while that is open ("database is locked").
 */
const QUICK_SQLITE = ['synchronous = OFF', 'cache_size = -1000000', 'temp_store = MEMORY']

export interface FilledIds {
  readonly paid: readonly string[]
  readonly expired: readonly string[]
  readonly open: readonly string[]
}

/** It receives every event. */
export const BENCH_ENDPOINT: WebhookEndpoint = {
  merchantId: TEA_MERCHANT.id,
  id: `we_${'b'.repeat(32)}`,
  mode: 'test',
  url: 'https://shop.example.com/hook',
  types: null,
  generation: 1,
  previousUntil: null,
  createdAt: MADE_AT,
  disabled: null,
  failingSince: null,
}

/** A mail server that takes everything. */
export const BENCH_MAILER: Mailer = { isSandbox: true, send: async () => ({ outcome: 'sent', answer: '250' }) }

/** A round tries a limited number of deliveries at an endpoint. */
export const sendAllWebhooks = async (deps: Dependencies): Promise<void> => {
  do await sendWebhooksOnce(deps)
  while ((await findDueEndpoints(deps.database, deps.clock.now())).length > 0)
}

/** Sends all webhooks and mails that wait. */
export const sendAll = async ({ deps }: GrowthServer): Promise<void> => {
  await sendAllWebhooks(deps)
  await workOnce(deps, BENCH_MAILER)
}

/** What a filled database has beside paid, expired and open checkouts that are all alike. */
export interface Filling {
  /** The share that was paid and given back, of the paid ones. */
  readonly refundedShare?: number
  readonly columns?: ColumnsOfCopies
}

/** One checkout of each kind, written by the real operations; all others are copies of these. */
const writeTemplates = async (database: Database) => {
  const clock = virtualClock(MADE_AT)
  const server = await openGrowthServer(database, clock)
  const paid = await server.createCheckout()
  await server.payWhole(paid)
  // Long before the events of the expired ones, so that no two events, and no two copies of them, have the same time.
  await sendAll(server)
  const expired = await server.createUntil(MADE_AT + HOUR_MS)
  const open = await server.createCheckout()
  clock.advance(MEASURED_AT - MADE_AT)
  await workOnce(server.deps)
  await sendAll(server)
  await server.app.close()
  return { paid, expired, open }
}

/** Made before all others, for the same reason. */
const writeRefunded = async (database: Database): Promise<string> => {
  const clock = virtualClock(REFUNDED_MADE_AT)
  const server = await openGrowthServer(database, clock)
  const refunded = await server.createCheckout()
  await server.payWhole(refunded)
  await sendAll(server)
  clock.advance(HOUR_MS)
  const request = { refundId: 'r1', amountYen: 1980, taxes: null, mode: 'test' } as const
  await refund(server.deps, { merchantId: TEA_MERCHANT.id, checkoutId: refunded }, request)
  await sendAll(server)
  // What is purged of a payment after a day.
  clock.advance(DAY_MS)
  await workOnce(server.deps)
  await server.app.close()
  return refunded
}

const INDEXES: Readonly<Record<Engine, string>> = {
  SQLite: "SELECT name, sql AS made FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
  PostgreSQL: `SELECT indexname AS name, indexdef AS made FROM pg_indexes WHERE schemaname = 'public'
    AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
}

/** An index that is made of all rows at once takes a tenth of the time of one that is kept row by row. */
const withoutIndexes = async <T>(database: Database, engine: Engine, work: () => Promise<T>): Promise<T> => {
  const indexes = (await database.rows(INDEXES[engine])).map((row) => ({
    name: text(row, 'name'),
    made: text(row, 'made'),
  }))
  for (const { name } of indexes) await database.rows(`DROP INDEX ${name}`)
  const result = await work()
  for (const { made } of indexes) await database.rows(made)
  return result
}

/** Fills an empty database. The planner has no statistics: `analyse` gives it some. */
export const fillDatabase = async (
  bench: BenchDatabase,
  checkouts: number,
  { refundedShare = 0, columns = {} }: Filling = {},
): Promise<FilledIds> => {
  const database = await bench.open()
  try {
    if (bench.engine === 'SQLite') for (const setting of QUICK_SQLITE) await database.rows(`PRAGMA ${setting}`)
    await database.migrate(await readMigrations(), MADE_AT)
    const { app } = await openGrowthServer(database, virtualClock(MADE_AT))
    await database.writeAll(endpointWrite(BENCH_ENDPOINT))
    await app.close()
    const refunded = refundedShare === 0 ? null : await writeRefunded(database)
    const templates = await writeTemplates(database)
    const copiesOf = (checkoutId: string, copies: number): Promise<string[]> =>
      copyCheckout(database, bench.engine, { merchantId: TEA_MERCHANT.id, checkoutId, copies, columns })
    return await withoutIndexes(database, bench.engine, async () => {
      const ofPaid = Math.round(checkouts * PAID_SHARE)
      const givenBack = refunded === null ? [] : await copiesOf(refunded, Math.round(ofPaid * refundedShare))
      const paid = await copiesOf(templates.paid, ofPaid - givenBack.length)
      const expired = await copiesOf(templates.expired, Math.round(checkouts * EXPIRED_SHARE))
      const open = await copiesOf(templates.open, checkouts - ofPaid - expired.length)
      return { paid, expired, open }
    })
  } finally {
    await database.close()
  }
}

/** Autovacuum would do so within minutes. The embedded database is never analysed in production. */
export const analyse = async (bench: BenchDatabase): Promise<void> => {
  const database = await bench.open()
  await database.rows(bench.engine === 'PostgreSQL' ? 'VACUUM ANALYZE' : 'ANALYZE')
  await database.close()
}
