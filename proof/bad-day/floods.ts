/** Floods: many connections and one merchant's dear calls, beside payers of another shop. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import lz from 'lz-string'
import { copyCheckout, type Engine } from '../filled-database/copy-checkout.ts'
import { fixture } from '../../server/pictures/testing/fixtures.ts'
import { systemClock } from '../../server/dependencies.ts'
import {
  merchantIdOf,
  wait,
  withAttackedServer,
  type Attack,
  type AttackedServer,
  type Measured,
} from './attacked-server.ts'
import { besideQuiet, describePaid, payInRounds, warmUp } from './payers.ts'
import { blownUpJpeg } from './request-cost.ts'
import type { Flood, FloodRequest } from './flood-process.ts'
import type { RawFlood } from './raw-flood-process.ts'

const FLOOD_PROCESS = fileURLToPath(new URL('./flood-process.ts', import.meta.url))
/** For a flood to build up. */
const WARM_UP_MS = 2000
const EXPORTED_ROWS = 4570
/** Before the next flood the server works off what is left of the last one. */
const PAUSE_MS = 3000

/** Floods while `work` goes on. */
export const beside = async <T>(
  flood: Flood | RawFlood,
  report: (line: string) => void,
  work: () => Promise<T>,
  floodProcess = FLOOD_PROCESS,
): Promise<T> => {
  const child = fork(floodProcess)
  try {
    child.send(flood)
    await wait(WARM_UP_MS)
    const result = await work()
    child.send('answers')
    report(`  the flood was answered ${JSON.stringify((await once(child, 'message')).at(0))}`)
    return result
  } finally {
    child.kill('SIGKILL')
  }
}

type Requests = readonly Omit<FloodRequest, 'headers'>[]

/** What one merchant's key can ask for that costs much. */
const costlyCalls = (day: string): Readonly<Record<string, Requests>> => {
  const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
  const ligatures = { amount: 1980, subject: '\ufdfa'.repeat(200), remarks: '\ufdfa'.repeat(2000) }
  const settings = {
    shopName: 'あ'.repeat(100),
    shopAddress: '茶'.repeat(200),
    shopUrl: `https://shop.example.com/${'a'.repeat(1475)}`,
  }
  return {
    exports: [{ method: 'GET', path: `/merchant/v1/exports/movements.csv?from=${day}&to=${day}` }],
    'changed settings': [{ method: 'PATCH', path: '/merchant/v1/settings', body: json(settings) }],
    'creates with ligatures': [{ method: 'POST', path: '/merchant/v1/checkouts', body: json(ligatures) }],
    'JPEGs of fill bytes': [
      {
        method: 'PUT',
        path: '/merchant/v1/settings/logo',
        body: blownUpJpeg([0xff], 'before the tables').toString('base64'),
      },
    ],
    lists: [{ method: 'GET', path: '/merchant/v1/checkouts?limit=100' }],
  }
}

export const withKey = (requests: Requests, port: number, key: string): FloodRequest[] =>
  requests.map((each) => ({
    ...each,
    headers: {
      host: `localhost:${port}`,
      authorization: `Bearer ${key}`,
      'if-match': '*',
      ...(each.method === 'PUT' ? {} : { 'content-type': 'application/json' }),
    },
  }))

/** Every flood by its name, with all that its requests need. */
const floodsOf = async (server: AttackedServer): Promise<Readonly<Record<string, Flood>>> => {
  const { port } = server.shop()
  const flooder = await server.addShop('flooder')
  const paid = await flooder.create()
  await flooder.payWhole(paid)
  const merchantId = await merchantIdOf(server, 'flooder')
  await server.sql((each) =>
    copyCheckout(each, server.engine, { merchantId, checkoutId: paid, copies: EXPORTED_ROWS - 1 }),
  )
  const day = new Date(systemClock.now() + 9 * 3_600_000).toISOString().slice(0, 10)
  const shopHost = { host: `demo.localhost:${port}`, merchant: 'demo' }
  const reading = [{ method: 'GET', path: `/api/v1/checkouts/${await server.shop().create()}`, headers: shopHost }]
  const guessed = [{ method: 'GET', path: '/merchant/v1/checkouts' }]
  const preview = (text: string): FloodRequest => ({
    method: 'GET',
    path: `/preview?shopName=${lz.compressToEncodedURIComponent(text)}`,
    headers: shopHost,
  })
  const calls = costlyCalls(day)
  const flood = (connections: number, requests: readonly FloodRequest[], keepAlive = true): Flood => ({
    port,
    connections,
    keepAlive,
    requests,
  })
  const ofKey = (connections: number, requests: Requests = []): Flood =>
    flood(connections, withKey(requests, port, flooder.key))
  return {
    '300 readers of a link': flood(300, reading),
    '1,000 readers of a link': flood(1000, reading),
    '1,000 made-up keys': flood(1000, withKey(guessed, port, `sk_test_${'z'.repeat(32)}`), false),
    '100 exports': ofKey(100, calls['exports']),
    ...Object.fromEntries(Object.entries(calls).map(([name, requests]) => [`20 ${name}`, ofKey(20, requests)])),
    'previews in a loop': flood(1, ["'".repeat(2000), '\ufdfa'.repeat(1000), '<'.repeat(3000)].map(preview)),
  }
}

/** What the engine has a part in; the others are the same there. */
const ON_POSTGRES = ['1,000 readers of a link', '1,000 made-up keys', '100 exports', '20 lists']

const payersBeside = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, async (server) => {
    const floods = await floodsOf(server)
    await warmUp(server.shop())
    const quiet = await payInRounds(server.shop())
    report(`${engine}, quiet: ${describePaid(quiet)}`)
    const measured: Record<string, number> = { [`${engine}, quiet: pay p99 ms`]: quiet.payP99 }
    for (const [name, flood] of Object.entries(floods)) {
      if (engine === 'PostgreSQL' && !ON_POSTGRES.includes(name)) continue
      const paid = await beside(flood, report, () => payInRounds(server.shop()))
      report(`${engine}, ${name}: ${describePaid(paid)}`)
      Object.assign(measured, besideQuiet(`${engine}, ${name}`, paid, quiet))
      await wait(PAUSE_MS)
    }
    return measured
  })

const UPLOADS = 20
/** Slower than its own budget: what is refused is refused because of the other. */
const UPLOAD_EVERY_MS = 300

/** Ten uploads of one merchant that never end, and another merchant's uploads meanwhile. */
const slowUploads = (report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const { port } = server.shop()
    const flooder = await server.addShop('flooder')
    const slow = { method: 'PUT', path: '/merchant/v1/settings/logo', promisedBytes: 200_000 }
    const flood = { port, connections: 10, keepAlive: true, requests: withKey([slow], port, flooder.key) }
    const statuses = await beside(flood, report, async () => {
      const found: number[] = []
      for (let each = 0; each < UPLOADS; each += 1) {
        const picture = fixture(each % 2 === 0 ? 'canvas.png' : 'gray-16.png')
        found.push((await server.shop().merchant('PUT', '/settings/logo', picture)).status)
        await wait(UPLOAD_EVERY_MS)
      }
      return found
    })
    return { 'uploads of another merchant refused, of 20': statuses.filter((status) => status >= 300).length }
  })

export const floods: readonly Attack[] = [
  { name: 'floods on SQLite', run: (report) => payersBeside('SQLite', report) },
  { name: 'floods on PostgreSQL', run: (report) => payersBeside('PostgreSQL', report) },
  { name: 'slow uploads', run: slowUploads },
]
