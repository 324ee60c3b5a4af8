import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../parts.ts'
import type { Database } from '../store/database.ts'
import { openPostgres } from '../store/postgres.ts'
import { openSqlite } from '../store/sqlite.ts'
import type { Acquirer } from '../testing/acquirer-process.ts'
import { browseThrough } from '../testing/form-browser.ts'
import { freePort, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { mintCanaries, withNumber, type Canary } from './canary.ts'
import { createClient } from './client.ts'
import {
  evidenceOfDataFolder,
  evidenceOfFolder,
  evidenceOfMetrics,
  evidenceOfRows,
  openPostgresFiles,
  textEvidence,
} from './evidence.ts'
import { halfABody } from './mistakes.ts'
import { payInDoubt, type Doubt } from './payments.ts'
import { createScanner, type Evidence, type Hit } from './scanner.ts'
import { open, pay, prepare, settled, wordOf, type Flow, type Order, type World } from './shopper.ts'

export interface Round {
  readonly signal: 'SIGKILL' | 'SIGTERM'
  readonly held: number
  readonly paying: number
}

export interface Plan {
  readonly acquirer: Acquirer
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
  readonly flows: readonly Flow[]
  readonly doubts: readonly Doubt[]
  readonly rounds: readonly Round[]
}

export interface Outcome {
  readonly flows: number
  readonly crashes: number
  readonly bytes: number
  readonly places: readonly string[]
  readonly hits: readonly string[]
  /** Flows that did not end as they should have: they may have proved nothing. */
  readonly astray: readonly string[]
  readonly filesUnreadable: string | null
}

const AT_ONCE = 12
const GATEWAY_TIMEOUT_MS = 1500
/** Booked at once and never answered: the payment is under way for as long as the server lives. */
const SILENT = '4100000000754003'
const MERCHANT_KEY = 'sk_test_canariesCanariesCanaries'

const inTurns = async (works: readonly (() => Promise<void>)[]): Promise<void> => {
  const queue = works.values()
  const lane = async (): Promise<void> => {
    for (const work of queue) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** Runs flows with canaries through the real server, ends it in the middle of some, and scans all that it wrote and said. */
export const runCanaries = async (plan: Plan): Promise<Outcome> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-canaries-'))
  const [dataDir, ownTmp] = [join(folder, 'data'), join(folder, 'tmp')]
  await mkdir(dataDir)
  await mkdir(ownTmp)
  const port = String(await freePort())
  const metricsPort = String(await freePort())
  const env = {
    PORT: port,
    METRICS_PORT: metricsPort,
    DATA_DIR: dataDir,
    TMPDIR: ownTmp,
    SANDBOX_PORT: new URL(plan.acquirer.origin).port,
    GATEWAY_TIMEOUT_MS: String(GATEWAY_TIMEOUT_MS),
    DEMO_MERCHANT_KEY: MERCHANT_KEY,
    LOG_LEVEL: 'debug',
    ...(plan.databaseUrl === null ? {} : { DATABASE_URL: plan.databaseUrl }),
  }
  const files = plan.databaseUrl === null ? null : await openPostgresFiles(plan.databaseUrl)
  const servers: ServerProcess[] = []
  const launch = async (): Promise<ServerProcess> => {
    const server = spawnServer(env)
    servers.push(server)
    await server.ready()
    return server
  }

  let server = await launch()
  const database: Database =
    plan.databaseUrl === null ? openSqlite(join(dataDir, 'kaikei.sqlite'), null) : await openPostgres(plan.databaseUrl)
  const client = createClient(port)
  const browser = browseThrough({
    hosts: `.localhost:${port}`,
    send: async ({ method, url, headers, payload }) => {
      const { status, body } = await client.send({
        method,
        path: url,
        headers,
        ...(payload === undefined ? {} : { body: payload }),
      })
      return { statusCode: status, body }
    },
  })
  const world: World = { client, browser, port, merchantKey: MERCHANT_KEY, database }

  const count =
    plan.flows.length + plan.doubts.length + plan.rounds.reduce((sum, { held, paying }) => sum + held + paying + 1, 0)
  const minted = mintCanaries(count, 'flows').values()
  const canaries: Canary[] = []
  const next = (number?: string): Canary => {
    const { value } = minted.next()
    if (value === undefined) throw new Error('too few canaries')
    const canary = number === undefined ? value : withNumber(value, number)
    canaries.push(canary)
    return canary
  }
  const astray: string[] = []
  const ended = (name: string, ends: string, word: string): void => {
    if (word !== ends) astray.push(`${name}: ${word}, not ${ends}`)
  }
  const evidence: Evidence[] = []

  /** Booked by the acquirer, of which the server has not heard. */
  const areBooked = async (orders: readonly Order[]): Promise<boolean> => {
    const booked = new Set((await plan.acquirer.orders()).map(({ orderId }) => orderId))
    return orders.every(({ orderCode }) => booked.has(orderCode))
  }

  /** Ends the server with cards in its memory, payments under way and half a request read; answers what is then due. */
  const crash = async ({ signal, held, paying }: Round): Promise<(() => Promise<void>)[]> => {
    const holding = Array.from({ length: held }, () => next())
    const charging = Array.from({ length: paying }, () => next(SILENT))
    const half = next()
    const orders = await Promise.all([...holding, ...charging].map((canary) => prepare(world, canary)))
    const cut = client.sendRaw(
      halfABody(half, await open(world, half)),
      signal === 'SIGKILL' ? 'wait for an answer' : 'cut off',
    )
    const underWay = orders.slice(held)
    const pays = underWay.map((order, place) => pay(world, charging[place] ?? half, order).catch(() => null))
    while (!(await areBooked(underWay))) await systemClock.sleep(20)
    server.child.kill(signal)
    await server.ended
    await Promise.all([cut, ...pays])
    evidence.push(...(await evidenceOfDataFolder(`data folder after ${signal}`, dataDir)))
    server = await launch()
    return orders.map((order, place) => async () => {
      const canary = [...holding, ...charging][place] ?? half
      if (place >= held) ended(`a payment at ${signal}`, 'paid', await settled(world, order.checkoutId))
      else ended(`a card held at ${signal}`, 'card_not_held', wordOf(await pay(world, canary, order)))
    })
  }

  const runDoubts = async (): Promise<void> => {
    const held = plan.doubts.map((doubt) => ({ doubt, canary: next(doubt.number) }))
    // All are started before the first is paid: five silences in a row keep new payments away.
    const orders = await Promise.all(held.map(({ canary }) => prepare(world, canary)))
    await Promise.all(
      held.map(async ({ doubt, canary }, place) => {
        const order = orders[place]
        if (order !== undefined) ended(doubt.name, doubt.ends, await payInDoubt(world, canary, order))
      }),
    )
  }

  try {
    const due: (() => Promise<void>)[] = []
    for (const round of plan.rounds) due.push(...(await crash(round)))
    await inTurns(
      plan.flows.map((flow) => async () => {
        const canary = next(flow.number)
        const word = await flow.run(world, canary).catch((error: unknown) => String(error))
        ended(flow.name, flow.ends, word)
      }),
    )
    await runDoubts()
    await Promise.all(due.map((finish) => finish()))
    if (plan.databaseUrl === null)
      evidence.push(...(await evidenceOfDataFolder('data folder of the running server', dataDir)))
    evidence.push(...(await evidenceOfRows(database)), await evidenceOfMetrics(metricsPort))
    server.child.kill('SIGTERM')
    await server.ended
    await database.close()
    evidence.push(
      ...(await evidenceOfDataFolder('data folder', dataDir)),
      ...(await evidenceOfFolder('temporary files', ownTmp)),
    )
    if (files !== null) evidence.push(...(await files.evidence()))
    const logs = servers.map(({ said, complained }) => textEvidence('logs', [...said(), ...complained()].join('\n')))
    const all = [...evidence, ...client.answers, ...logs]
    const scanner = createScanner(canaries)
    const nameOf = ({ place, what, form }: Hit): string => `${what} (${form}) in ${place}`
    return {
      flows: count,
      crashes: plan.rounds.length,
      bytes: all.reduce((sum, { bytes }) => sum + bytes.length, 0),
      places: [...new Set(all.map(({ place }) => place))].toSorted(),
      hits: all.flatMap((each) => scanner.scan(each)).map(nameOf),
      astray,
      filesUnreadable: files?.unreadable ?? null,
    }
  } finally {
    for (const { child, ended: over } of servers) {
      child.kill('SIGKILL')
      await over
    }
    await files?.close()
    await rm(folder, { recursive: true, force: true })
  }
}
