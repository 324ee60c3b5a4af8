/** Cost of a request: the dearest of many thousand, of the known dear ones, and one short address beside a payer. */
import lz from 'lz-string'
import type { InjectOptions } from 'fastify'
import { copyCheckout } from '../filled-database/copy-checkout.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { PICTURE_BYTES_MAX } from '#contract/merchant/pictures.ts'
import { END, fixture, png, pngHeader, pngPixels } from '../../server/pictures/testing/fixtures.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { send } from '../harness/shop-client.ts'
import { API_KEYS, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { NO_KEY_LIMITS } from '../harness/no-limits.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'
import { learn } from '../fuzz/episode.ts'
import type { KnownIds } from '../fuzz/fuzz-request.ts'
import { generatedRequests, toInject } from '../whole-server/request-cost/generated-requests.ts'
import { cpuTimeMs, leastOfSome, longestPieceMs } from '../whole-server/request-cost/measure.ts'
import { wait, withAttackedServer, type Attack, type Measured } from './attacked-server.ts'

const REQUESTS = 100_000
const SEED = 1
/** Above it a request is repeated, three times in all: of a request that is too dear, each is. */
const LIMIT_MS = 20
/** Where requests are so dear that they take longer than this, there are fewer of them, and the proof fails. */
const TIME_LIMIT_MS = 300_000
const EXPORTED_ROWS = 4570
const DAY_MS = 86_400_000
const KEY = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }

const openServer = async (gateway = fakeGateway()): Promise<TestServer> =>
  openTestServer({
    gateway,
    database: await openSqliteInMemory(),
    build: await readPageBuild(),
    keyLimits: NO_KEY_LIMITS,
  })

const generated = async (report: (line: string) => void): Promise<Measured> => {
  const server = await openServer()
  const [asset = ''] = (await readPageBuild()).assets.keys()
  const site = { port: 3000, base: 'localhost:3000', merchant: 'tea', key: API_KEYS.tea, asset }
  const checkoutId = await server.createCheckout()
  const orderCode = await server.startAttempt(checkoutId)
  const ids: KnownIds = {
    checkoutId,
    orderCode,
    ticket: orderCode + orderCode,
    refundId: 'r',
    linkId: checkoutId,
    webhookId: 'we_',
    eventId: 'evt_',
  }
  const end = performance.now() + TIME_LIMIT_MS
  let [worst, requests] = [0, 0]
  for (const { route, request } of generatedRequests(site, ids, SEED, REQUESTS)) {
    if (performance.now() > end) break
    const options = toInject(request)
    const once = async (): Promise<void> => {
      const { statusCode, body } = await server.app.inject(options)
      learn(ids, { status: statusCode, headers: new Map(), body })
    }
    const least = await leastOfSome(() => cpuTimeMs(once), LIMIT_MS)
    requests += 1
    if (least > Math.max(worst, LIMIT_MS)) report(`${least.toFixed(1)} ms: ${route} ${request.target.slice(0, 80)}`)
    worst = Math.max(worst, least)
    // Time moves, so that no limit by address or card stops everything.
    server.clock.advance(1000)
  }
  await server.app.close()
  return { 'generated requests': requests, 'dearest generated request, ms of CPU': worst }
}

/** A real picture that is blown up to the size that is allowed, by these bytes at this place. */
export const blownUpJpeg = (bytes: readonly number[], place: 'before the tables' | 'among the pixels'): Buffer => {
  const file = fixture('canvas.jpg')
  const at = place === 'before the tables' ? 2 : file.length - 20
  // Of whole pairs, so that the last of them is stuffed too.
  const more = Buffer.alloc(PICTURE_BYTES_MAX - file.length - (file.length % 2), Buffer.from(bytes))
  return Buffer.concat([file.subarray(0, at), more, file.subarray(at)])
}

const japanese = (): string => {
  const signs = Array.from({ length: 4000 }, (_, place) => String.fromCodePoint(0x4e00 + ((place * 7919) % 20_000)))
  return lz.compressToEncodedURIComponent(signs.join('')).slice(0, 3000)
}

/** What was dear on the day of the attack: what counts is for how long no payment has a turn. */
const known = async (report: (line: string) => void): Promise<Measured> => {
  const gateway = fakeGateway()
  const server = await openServer(gateway)
  const charged = { outcome: 'charged', transactionId: 'txn_1', amountYen: 1980 } as const
  gateway.chargeOutcome = { ...charged, approvedAt: server.clock.now() }
  const checkoutId = await server.createCheckout()
  const orderCode = await server.startAttempt(checkoutId)
  await server.pay(checkoutId, orderCode)
  const copying = { merchantId: TEA_MERCHANT.id, checkoutId, copies: EXPORTED_ROWS - 1 } as const
  await copyCheckout(server.deps.database, 'SQLite', copying)
  const dayOf = (days: number): string => new Date(server.clock.now() + days * DAY_MS).toISOString().slice(0, 10)
  const host = { host: 'tea.localhost:3000' }
  const upload = (payload: Buffer): InjectOptions => ({
    method: 'PUT',
    url: '/merchant/v1/settings/logo',
    headers: KEY,
    payload,
  })
  const preview = (query: string): InjectOptions => ({ url: `/preview?${query}`, headers: host })
  const text = japanese()
  const requests: Readonly<Record<string, InjectOptions>> = {
    'preview of three compressed Japanese texts': preview(`subject=${text}&shopName=${text}&remarks=${text}`),
    'preview of 3,000 apostrophes': preview(`shopName=${lz.compressToEncodedURIComponent("'".repeat(3000))}`),
    'export of 4,570 rows': {
      url: `/merchant/v1/exports/movements.csv?from=${dayOf(-1)}&to=${dayOf(1)}`,
      headers: KEY,
    },
    'JPEG of fill bytes': upload(blownUpJpeg([0xff], 'before the tables')),
    'JPEG of stuffed bytes': upload(blownUpJpeg([0xff, 0], 'among the pixels')),
    'PNG of 4096 × 4096 in 16 bits': upload(png(pngHeader(4096, 4096, 16, 6), pngPixels(4096 * (4096 * 8 + 1)), END)),
  }
  const measured: Record<string, number> = {}
  for (const [name, request] of Object.entries(requests)) {
    let answer = ''
    const once = async (): Promise<void> => {
      const { statusCode, body } = await server.app.inject(request)
      answer = `${statusCode} with ${body.length} characters`
    }
    const cpuMs = await leastOfSome(() => cpuTimeMs(once), LIMIT_MS)
    const pieceMs = await leastOfSome(() => longestPieceMs(once), LIMIT_MS)
    measured[`${name}, ms of CPU`] = cpuMs
    measured[`${name}, ms of its longest piece`] = pieceMs
    report(`${name}: ${cpuMs.toFixed(1)} ms of CPU, ${pieceMs.toFixed(1)} at a time, answered ${answer}`)
  }
  await server.app.close()
  return measured
}

/** One address of 224 characters over a socket, and a payment 150 ms later. */
const oneShortAddress = (): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const shop = server.shop()
    // Warm: what is measured is the attack, not the first payment of a process.
    for (let each = 0; each < 5; each += 1) await shop.payWhole(await shop.create())
    const link = await shop.create()
    const { body } = await shop.start(link)
    const before = await server.running().cpuMs()
    const path = `/preview?shopName=${lz.compressToEncodedURIComponent("'".repeat(16_384))}`
    const headers = { host: `demo.localhost:${shop.port}` }
    // A connection that waits for so long may be closed: then it is the time until that.
    const drawn = send(shop.port, { method: 'GET', path, headers, timeoutMs: 120_000 }).catch(() => undefined)
    await wait(150)
    const began = performance.now()
    await shop.pay(link, String(body['orderCode'])).catch(() => undefined)
    const payMs = performance.now() - began
    await drawn
    return {
      'one short address, ms of CPU': (await server.running().cpuMs()) - before,
      'pay 150 ms after the short address, ms': payMs,
    }
  })

export const requestCost: readonly Attack[] = [
  { name: 'generated requests', run: generated },
  { name: 'requests that were dear', run: known },
  { name: 'one short address', run: oneShortAddress },
]
