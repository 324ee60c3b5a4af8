/** Links: strangers who open a reusable link 100,000 times, and strangers who keep links busy while others want to pay by them. */
import { Agent, request } from 'node:http'
import type { Engine } from '../filled-database/copy-checkout.ts'
import { integer } from '../../server/store/engine/columns.ts'
import { CALL_TIMEOUT_MS, CARDS, isPaid, send, type ShopClient } from '../harness/shop-client.ts'
import { until, wait, withAttackedServer, type Attack, type AttackedServer, type Measured } from './attacked-server.ts'
import { register, withEndpoints } from './outbox.ts'
import { withShiftableClock } from './shiftable-clock.ts'

const OPENINGS = 100_000
const CONNECTIONS = 16
const NETWORKS = 10_000
/** Longer than a checkout of a link can be paid, and than the worker needs for what has ended meanwhile. */
const A_DAY_LATER = '+25h'
const WORKER_MS = 10_000

const createLink = async (shop: ShopClient): Promise<string> => {
  const made = await shop.merchant('POST', '/links', { amount: 1980 })
  if (made.status !== 201) throw new Error(`no link: ${made.text.slice(0, 200)}`)
  return String(made.body['id'])
}

const press = (port: number, agent: Agent, link: string, from: string): Promise<number> =>
  new Promise((resolve) => {
    const headers = {
      host: `demo.localhost:${port}`,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': from,
    }
    const sent = request({ host: '127.0.0.1', port, agent, method: 'POST', path: `/links/${link}`, headers })
    sent.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end()
  })

const openManyTimes = async ({ port }: ShopClient, link: string): Promise<ReadonlyMap<number, number>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const answers = new Map<number, number>()
  let begun = 0
  const openAgain = async (): Promise<void> => {
    while (begun < OPENINGS) {
      const network = (begun += 1) % NETWORKS
      const status = await press(port, agent, link, `198.18.${Math.floor(network / 250)}.${network % 250}`)
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, openAgain))
  agent.destroy()
  return answers
}

const SIZE: Readonly<Record<Engine, string>> = {
  SQLite: 'SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size',
  // A server that starts a day later stores the files of its page anew.
  PostgreSQL: `SELECT pg_database_size(current_database()) - pg_total_relation_size('page_assets') AS n`,
}

/** Of a fresh database the first vacuum makes some files for each table, of which the openings know nothing. */
const sizeOf = (server: AttackedServer): Promise<number> =>
  server.sql(async (each) => {
    if (server.engine === 'PostgreSQL') await each.rows('VACUUM ANALYZE')
    return integer((await each.rows(SIZE[server.engine]))[0] ?? {}, 'n')
  })

const openings = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withEndpoints('ok', ({ origin, received }) =>
    withShiftableClock((clock) =>
      withAttackedServer({ engine, sandboxMore: clock.env }, async (server) => {
        await register(server.shop(), `${origin}/`)
        const link = await createLink(server.shop())
        const size = await sizeOf(server)
        const began = performance.now()
        const answers = await openManyTimes(server.shop(), link)
        const counts = [...answers].map(([status, times]) => `${times} of ${status}`).join(', ')
        report(`${engine}: answered ${counts} in ${((performance.now() - began) / 1000).toFixed(0)} s`)
        await server.kill()
        await clock.shift(A_DAY_LATER)
        await server.start(clock.env)
        await wait(WORKER_MS)
        return {
          [`${engine}, openings of 100,000 that led to a checkout`]: answers.get(303) ?? 0,
          [`${engine}, MB that they added to the database a day later`]: ((await sizeOf(server)) - size) / 1e6,
          [`${engine}, webhooks about them`]: received.size,
        }
      }),
    ),
  )

const HONEST = 31
const HONEST_EVERY_MS = 400
/** What one link can be asked for at once, and twice as much. */
const FIRST_ROUND = 400

interface Strangers {
  readonly name: string
  readonly perSecond: number
  /** The address of the stranger of this number. */
  readonly from: (stranger: number) => string
}

const STRANGERS: readonly Strangers[] = [
  { name: '12 networks, 6.7 a second', perSecond: 6.7, from: (stranger) => `198.18.0.${stranger % 12}` },
  { name: '200 networks, 11.8 a second', perSecond: 11.8, from: (stranger) => `198.19.0.${stranger % 200}` },
  {
    name: 'one IPv6 /48, 11.8 a second',
    perSecond: 11.8,
    from: (stranger) => `2001:db8:7:${(stranger % 65_536).toString(16)}::1`,
  },
]

/** Presses the button and sends a card, as the page of a visitor does. Undefined: it led to no checkout. */
const openByLink = async ({ port }: ShopClient, link: string, from: string): Promise<string | undefined> => {
  const { status, headers } = await send(port, {
    method: 'POST',
    path: `/links/${link}`,
    headers: {
      host: `demo.localhost:${port}`,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': from,
    },
    timeoutMs: CALL_TIMEOUT_MS,
  })
  return status === 303 ? headers.location?.slice(1) : undefined
}

const CARD = CARDS['without a challenge']

/** Opens checkouts and begins to pay them until it is told to stop. */
const keepBusy = (shop: ShopClient, link: string, { perSecond, from }: Strangers) => {
  let strangers = 0
  const isOver = { now: false }
  const begin = async (): Promise<void> => {
    const address = from((strangers += 1))
    const checkout = await openByLink(shop, link, address)
    if (checkout !== undefined) await shop.start(checkout, { number: CARD, from: address })
  }
  const beginAgain = async (): Promise<void> => {
    while (!isOver.now) {
      void begin().catch(() => undefined)
      await wait(1000 / perSecond)
    }
  }
  return {
    firstRound: async (): Promise<void> => {
      for (let at = 0; at < FIRST_ROUND; at += 10) await Promise.allSettled(Array.from({ length: 10 }, begin))
    },
    beginAgain,
    stop: () => {
      isOver.now = true
    },
  }
}

/** Visitors, each of a network that nobody else has, one after another. */
const visit = async (shop: ShopClient, link: string, place: number, report: (line: string) => void) => {
  const visits = Array.from({ length: HONEST }, async (_none, visitor) => {
    await wait(visitor * HONEST_EVERY_MS)
    const site = (0x9000 + place * 256 + visitor).toString(16)
    const from = visitor % 2 === 0 ? `203.0.113.${place * 50 + visitor}` : `2001:db8:${site}::1`
    const checkout = await openByLink(shop, link, from)
    if (checkout === undefined) return { isServed: false, paid: false }
    const end = await shop.payWhole(checkout, { number: CARD, from })
    if (!isPaid(end)) report(`a visitor: ${end.call} ${end.answer.status} ${end.answer.text.slice(0, 120)}`)
    return { isServed: end.call !== 'start', paid: isPaid(end) }
  })
  const ends = await Promise.all(visits)
  return { served: ends.filter(({ isServed }) => isServed).length, paid: ends.filter(({ paid }) => paid).length }
}

const busyLink = async (server: AttackedServer, place: number, report: (line: string) => void): Promise<Measured> => {
  const strangers = STRANGERS[place]
  if (strangers === undefined) throw new Error('no such strangers')
  const shop = server.shop()
  const link = await createLink(shop)
  const busy = keepBusy(shop, link, strangers)
  await busy.firstRound()
  const strangersGoOn = busy.beginAgain()
  const { served, paid } = await visit(shop, link, place, report)
  busy.stop()
  await strangersGoOn
  report(`${server.engine}, ${strangers.name}: ${served} served, ${paid} paid of ${HONEST}`)
  return { [`${server.engine}, kept busy by ${strangers.name}: visitors of 100 served`]: (100 * served) / HONEST }
}

const busyLinks = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, async (server) => {
    await until(10_000, async () => (await server.get('/readyz')).status === 200)
    const measured: Record<string, number> = {}
    const busy = STRANGERS.map(async (_strangers, place) =>
      Object.assign(measured, await busyLink(server, place, report)),
    )
    await Promise.all(busy)
    return measured
  })

export const links: readonly Attack[] = (['SQLite', 'PostgreSQL'] as const).flatMap((engine) => [
  { name: `100,000 openings of one link on ${engine}`, run: (report) => openings(engine, report) },
  { name: `busy links on ${engine}`, run: (report) => busyLinks(engine, report) },
])
