/** Filled database: checkouts of an invented shop two days after they were made, as the real operations write them. */
import type { Database } from '../../server/store/engine/database.ts'
import { readMigrations } from '../../server/store/engine/migrate.ts'
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
import { copyCheckout } from './copy-checkout.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const MADE_AT = Date.parse('2026-11-15T03:00:00Z')
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
  id: 'we_bench',
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

/** One checkout of each kind, written by the real operations; all others are copies of these. */
const writeTemplates = async (database: Database) => {
  const clock = virtualClock(MADE_AT)
  const server = await openGrowthServer(database, clock)
  await database.writeAll(endpointWrite(BENCH_ENDPOINT))
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

export const fillDatabase = async (bench: BenchDatabase, checkouts: number): Promise<FilledIds> => {
  const database = await bench.open()
  try {
    if (bench.engine === 'SQLite') for (const setting of QUICK_SQLITE) await database.rows(`PRAGMA ${setting}`)
    await database.migrate(await readMigrations(), MADE_AT)
    const templates = await writeTemplates(database)
    const copiesOf = (checkoutId: string, copies: number): Promise<string[]> =>
      copyCheckout(database, bench.engine, { merchantId: TEA_MERCHANT.id, checkoutId, copies })
    const paid = await copiesOf(templates.paid, Math.round(checkouts * PAID_SHARE))
    const expired = await copiesOf(templates.expired, Math.round(checkouts * EXPIRED_SHARE))
    const open = await copiesOf(templates.open, checkouts - paid.length - expired.length)
    // Autovacuum would do so within minutes. The embedded database is never analysed, here as in production.
    if (bench.engine === 'PostgreSQL') await database.rows('VACUUM ANALYZE')
    return { paid, expired, open }
  } finally {
    await database.close()
  }
}
