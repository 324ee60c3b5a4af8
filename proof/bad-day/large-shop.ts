/** Large shop: a million payments of one shop, in a server with nothing to do and beside searches of that shop. */
import { createServer, type Socket } from 'node:net'
import { DAY_MS } from '#contract/jst.ts'
import { systemClock } from '../../server/dependencies.ts'
import { secondsSince } from '../../tools/progress.mjs'
import { copyCheckout, type Engine } from '../filled-database/copy-checkout.ts'
import { listenOnFreePort } from '../harness/server-process.ts'
import { isPaid, type ShopClient } from '../harness/shop-client.ts'
import {
  merchantIdOf,
  until,
  withAttackedServer,
  wait,
  type Attack,
  type AttackedServer,
  type Measured,
} from './attacked-server.ts'
import { beside } from './floods.ts'
import { besideQuiet, describePaid, payInRounds, warmUp } from './payers.ts'

export interface LargeShop {
  readonly label: string
  /** Paid, one as another. */
  readonly checkouts: number
  /** Of so many days, the last of them today. */
  readonly days: number
  /** More of today, as of a day with a sale. */
  readonly today?: number
}

const SUMMED_WITHIN_MS = 1_800_000

/** Copying needs no durability. */
const QUICK = ['synchronous = OFF', 'cache_size = -200000', 'temp_store = MEMORY']

/** What waits in the outbox, or for a look at the day. */
const WAITING = `SELECT (SELECT count(*) FROM mails WHERE next_try_at IS NOT NULL)
  + (SELECT count(*) FROM events WHERE fanned_out_at IS NULL) + (SELECT count(*) FROM deliveries WHERE due_at IS NOT NULL) AS n`

/**
 * A shop with so many payments, and a server that runs again beside them with an empty outbox and with all closed days summed.
 * The first payment is made by calls, all others are copies of its rows.
 */
const prepareLargeShop = async (
  server: AttackedServer,
  { label, checkouts, days, today = 0 }: LargeShop,
): Promise<ShopClient> => {
  const shop = await server.addShop(label)
  const checkoutId = await shop.create()
  const end = await shop.payWhole(checkoutId)
  if (!isPaid(end)) throw new Error(`the first payment of ${label} was not paid: ${end.answer.text.slice(0, 200)}`)
  // Else each copy would have a mail and an event to send.
  if (!(await until(30_000, async () => (await server.count(WAITING)) === 0))) throw new Error('the outbox stays full')
  const merchantId = await merchantIdOf(server, label)
  await server.kill()
  await server.sql(async (each) => {
    if (server.engine === 'SQLite') for (const setting of QUICK) await each.rows(`PRAGMA ${setting}`)
    const copies = checkouts - today - 1
    const of = { merchantId, checkoutId }
    await copyCheckout(each, server.engine, {
      ...of,
      copies,
      stepMs: -Math.max(1, Math.floor((days * DAY_MS) / copies)),
    })
    if (today > 0) await copyCheckout(each, server.engine, { ...of, copies: today, stepMs: -1 })
    // Copies leave no mark: all days are summed anew.
    await each.rows('DELETE FROM day_figures WHERE merchant_id = $1', merchantId)
    await each.rows('UPDATE day_figures_progress SET summed_until = 0 WHERE merchant_id = $1', merchantId)
    if (server.engine === 'PostgreSQL') await each.rows('VACUUM ANALYZE')
  })
  await server.start()
  // Until the worker begins with a shop, there is no row of it.
  const summed = `SELECT count(*) AS n FROM day_figures_progress
    WHERE merchant_id = '${merchantId}' AND mode = 'test' AND summed_until >= ${systemClock.now() - 2 * DAY_MS}`
  if (!(await until(SUMMED_WITHIN_MS, async () => (await server.count(summed)) === 1, 1000)))
    throw new Error('the days of the shop are not summed')
  return server.shop(label)
}

const [FEW, MANY] = [10_000, 1_000_000]
const DAYS = 300
const IDLE_SECONDS = 70
const WAITING_MAILS = 20_000
const SETTLED_SECONDS = 10
const PURGED_WITHIN_MS = 900_000
const SEARCHERS = 20
/** All have this amount, and nobody these last four digits: the search for them ends nowhere early. */
const SEARCH = '/merchant/v1/checkouts?status=paid&search=1980&limit=100'

/** The share of the time in which the main thread works while nobody calls. */
const busyPercent = async (server: AttackedServer, seconds: number): Promise<number> => {
  const before = await server.running().mainThreadMs()
  await wait(seconds * 1000)
  return ((await server.running().mainThreadMs()) - before) / (seconds * 10)
}

/** Over a minute, for what the worker does each minute. What is old of the copies is purged before: it is the work of days. */
const idlePercent = async (server: AttackedServer): Promise<number> => {
  await until(PURGED_WITHIN_MS, async () => (await busyPercent(server, SETTLED_SECONDS)) < 1.5)
  return busyPercent(server, IDLE_SECONDS)
}

/** Pays at the demo, quietly and beside searches of the large shop. */
const searchBesidePayers = async (
  { engine, running, shop }: AttackedServer,
  key: string,
  report: (line: string) => void,
): Promise<Measured> => {
  const { port } = running()
  await warmUp(shop())
  const quiet = await payInRounds(shop())
  const headers = { host: `localhost:${port}`, authorization: `Bearer ${key}` }
  const requests = [{ method: 'GET', path: SEARCH, headers }]
  const flood = { port, connections: SEARCHERS, keepAlive: true, requests }
  const paid = await beside(flood, report, () => payInRounds(shop()))
  report(`${engine}: quiet p99 ${quiet.payP99.toFixed(0)} ms, beside ${SEARCHERS} searches ${describePaid(paid)}`)
  return besideQuiet(`${engine}, ${SEARCHERS} searches among ${MANY} checkouts`, paid, quiet)
}

/** Mails that wait because the mail server takes connections and says nothing. */
const withSilentMailServer = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  const port = await listenOnFreePort(silent)
  try {
    return await work(`smtp://127.0.0.1:${port}`)
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
}

const makeMailsWait = (server: AttackedServer): Promise<unknown> =>
  server.sql((each) =>
    each.rows(
      `UPDATE mails SET state = 'waiting', next_try_at = $1, ended_at = NULL, created_at = $1
       WHERE (merchant_id, id) IN (SELECT merchant_id, id FROM mails WHERE recipient IS NOT NULL LIMIT ${WAITING_MAILS})`,
      systemClock.now(),
    ),
  )

const largeShopOn = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, async (server) => {
    const measured: Record<string, number> = {}
    const measureIdle = async (name: string): Promise<void> => {
      const percent = await idlePercent(server)
      report(`${engine}, ${name}: the main thread is ${percent.toFixed(2)} % busy`)
      measured[`${engine}, ${name}: main thread %`] = percent
    }
    await prepareLargeShop(server, { label: 'first', checkouts: FEW, days: DAYS })
    await measureIdle(`idle with ${FEW} checkouts`)
    const began = performance.now()
    const { key } = await prepareLargeShop(server, { label: 'second', checkouts: MANY - FEW, days: DAYS })
    report(`${engine}: ${MANY} checkouts, ${secondsSince(began)}`)
    await measureIdle(`idle with ${MANY} checkouts`)
    Object.assign(measured, await searchBesidePayers(server, key, report))
    await server.kill()
    await makeMailsWait(server)
    await withSilentMailServer(async (url) => {
      await server.start({ SMTP_URL: url })
      await measureIdle(`idle with ${WAITING_MAILS} mails that wait`)
      await server.kill()
    })
    return measured
  })

export const largeShop: readonly Attack[] = [
  { name: 'a large shop on SQLite', run: (report) => largeShopOn('SQLite', report) },
  { name: 'a large shop on PostgreSQL', run: (report) => largeShopOn('PostgreSQL', report) },
]
