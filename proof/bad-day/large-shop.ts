/** Large shop: hundreds of thousands of payments of one shop, in a server with nothing to do and beside searches of that shop. */
import { DAY_MS } from '#contract/jst.ts'
import { systemClock } from '../../server/dependencies.ts'
import { copyCheckout, type Engine } from '../filled-database/copy-checkout.ts'
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

export interface LargeShop {
  readonly label: string
  /** Paid, one as another. */
  readonly checkouts: number
  /** Of so many days, the last of them today. */
  readonly days: number
  /** More of today, as of a day with a sale. */
  readonly today?: number
}

/** Copying needs no durability. */
const QUICK = ['synchronous = OFF', 'cache_size = -200000', 'temp_store = MEMORY']

/** What waits in the outbox, or for a look at the day. */
const WAITING = `SELECT (SELECT count(*) FROM mails WHERE next_try_at IS NOT NULL)
  + (SELECT count(*) FROM events WHERE fanned_out_at IS NULL) + (SELECT count(*) FROM deliveries WHERE due_at IS NOT NULL) AS n`

/**
 * A shop with so many payments, and a server that runs again beside them with an empty outbox and with all closed days summed.
 * The first payment is made by calls, all others are copies of its rows.
 */
export const prepareLargeShop = async (
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
  const behind = `SELECT count(*) AS n FROM day_figures_progress WHERE summed_until < ${systemClock.now() - 2 * DAY_MS}`
  if (!(await until(600_000, async () => (await server.count(behind)) === 0, 1000)))
    throw new Error('the days of the shop are not summed')
  return server.shop(label)
}

const SIZES = [10_000, 210_000]
const DAYS = 300
const IDLE_SECONDS = 70

/** The share of a second that the main thread works while nobody calls: a minute and more, for what the worker does each minute. */
const idlePercent = async (server: AttackedServer): Promise<number> => {
  const before = await server.running().mainThreadMs()
  await wait(IDLE_SECONDS * 1000)
  return ((await server.running().mainThreadMs()) - before) / (IDLE_SECONDS * 10)
}

const idleServer = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, async (server) => {
    const measured: Record<string, number> = {}
    let filled = 0
    for (const size of SIZES) {
      await prepareLargeShop(server, { label: `of${size}`, checkouts: size - filled, days: DAYS })
      filled = size
      const percent = await idlePercent(server)
      report(`${engine}, ${size} payments: the idle main thread is ${percent.toFixed(2)} % busy`)
      measured[`${engine}, idle with ${size} checkouts: main thread %`] = percent
    }
    return measured
  })

export const largeShop: readonly Attack[] = [
  { name: 'an idle server on SQLite', run: (report) => idleServer('SQLite', report) },
  { name: 'an idle server on PostgreSQL', run: (report) => idleServer('PostgreSQL', report) },
]
