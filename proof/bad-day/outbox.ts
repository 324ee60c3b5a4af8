/** Outbox: slow endpoints beside a healthy one, and a merchant that pulls events after a long rest. */
import { createServer } from 'node:http'
import { listenOnFreePort } from '../harness/server-process.ts'
import type { ShopClient } from '../harness/shop-client.ts'
import { until, wait, withAttackedServer, type Attack, type Measured } from './attacked-server.ts'
import { stoppedFor } from './shiftable-clock.ts'

const SLOW_MS = 14_000
const ENDPOINTS = 16
/** To each endpoint. */
const PINGS = 40
const HEALTHY_PINGS = 5
const DELIVERED_WITHIN_MS = 30_000

interface Endpoints {
  readonly origin: string
  /** When each event came to a path, by its id. */
  readonly received: ReadonlyMap<string, number>
}

/** Endpoints of merchants: `/slow` takes its time, all others answer at once, with `answer`. */
export const withEndpoints = async <T>(answer: string, work: (endpoints: Endpoints) => Promise<T>): Promise<T> => {
  const received = new Map<string, number>()
  const server = createServer((request, response) => {
    request.resume()
    received.set(String(request.headers['webhook-id']), performance.now())
    if (request.url?.startsWith('/slow') !== true) response.end(answer)
    else setTimeout(() => response.end('late'), SLOW_MS)
  })
  const port = await listenOnFreePort(server)
  try {
    return await work({ origin: `http://127.0.0.1:${port}`, received })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

export const register = async (shop: ShopClient, url: string): Promise<string> => {
  const made = await shop.merchant('POST', '/webhooks', { url })
  if (made.status !== 201) throw new Error(`no webhook: ${made.text.slice(0, 200)}`)
  return String(made.body['id'])
}

const ping = async (shop: ShopClient, webhookId: string): Promise<string> =>
  String((await shop.merchant('POST', `/webhooks/${webhookId}/ping`)).body['eventId'])

const slowEndpoints = (report: (line: string) => void): Promise<Measured> =>
  withEndpoints('ok', ({ origin, received }) =>
    withAttackedServer({}, async (server) => {
      const healthy = server.shop()
      const healthyHook = await register(healthy, `${origin}/healthy`)
      for (const label of ['slow1', 'slow2']) {
        const shop = await server.addShop(label)
        const hooks: string[] = []
        for (let each = 0; each < ENDPOINTS; each += 1)
          hooks.push(await register(shop, `${origin}/slow/${label}/${each}`))
        for (let each = 0; each < PINGS; each += 1) await Promise.all(hooks.map((hook) => ping(shop, hook)))
      }
      await wait(2000)
      let longest = 0
      for (let each = 0; each < HEALTHY_PINGS; each += 1) {
        const began = performance.now()
        const eventId = await ping(healthy, healthyHook)
        await until(DELIVERED_WITHIN_MS, async () => received.has(eventId), 20)
        longest = Math.max(longest, (received.get(eventId) ?? Number.POSITIVE_INFINITY) - began)
        if (longest > DELIVERED_WITHIN_MS) break
      }
      report(`${received.size} deliveries came`)
      return { 'healthy ping beside slow endpoints, seconds': Math.min(longest, DELIVERED_WITHIN_MS) / 1000 }
    }),
  )

/** The id of the newest event that the shop is told of. */
const newestEvent = async (shop: ShopClient): Promise<string> =>
  /"id":"(evt_[a-z2-7]+)"/.exec((await shop.merchant('GET', '/events?limit=1')).text)?.[1] ?? ''

const pullAfterRest = (): Promise<Measured> =>
  stoppedFor(
    '+91d',
    async (server) => {
      const shop = server.shop()
      await shop.payWhole(await shop.create())
      await until(10_000, async () => (await newestEvent(shop)) !== '')
      await wait(1000)
      return newestEvent(shop)
    },
    async (server, newest) => {
      const shop = server.shop()
      const kept = `SELECT count(*) AS n FROM events WHERE id = '${newest}'`
      if (!(await until(90_000, async () => (await server.count(kept)) === 0, 1000)))
        throw new Error('an event of 91 days ago is kept')
      const pull = () => shop.merchant('GET', `/events?newerThan=${newest}`)
      const { status } = await pull()
      await shop.payWhole(await shop.create())
      const isListed = await until(10_000, async () => (await pull()).text.includes('checkout.paid'))
      return {
        'pull after 91 quiet days, status': status,
        'new events pulled after 91 quiet days': isListed ? 1 : 0,
      }
    },
  )

export const outbox: readonly Attack[] = [
  { name: 'slow endpoints', run: slowEndpoints },
  { name: 'a pull after 91 quiet days', run: pullAfterRest },
]
