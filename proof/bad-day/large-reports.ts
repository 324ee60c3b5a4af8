/** Large reports: what a shop with a year of 210,000 movements, or with 28,000 payments of today, reads in a loop beside payers. */
import { copyCheckout, type Engine } from '../filled-database/copy-checkout.ts'
import { systemClock } from '../../server/dependencies.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { NO_KEY_LIMITS } from '../harness/no-limits.ts'
import type { ShopClient } from '../harness/shop-client.ts'
import { API_KEYS, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { openTestServer } from '../harness/test-server.ts'
import { leastOfSome, longestPieceMs } from '../whole-server/request-cost/measure.ts'
import {
  merchantIdOf,
  until,
  wait,
  withAttackedServer,
  type Attack,
  type AttackedServer,
  type Measured,
} from './attacked-server.ts'
import { beside, withKey } from './floods.ts'
import { besideQuiet, describePaid, payInRounds, warmUp, type Paid } from './payers.ts'

const DAY_MS = 86_400_000
/** Each with a charge and two refunds: 210,000 movements. */
const CHECKOUTS_OF_YEAR = 70_000
const PAYMENTS_OF_TODAY = 28_000
const CONNECTIONS = 4
const LIMIT_MS = 20

const dayInJapan = (daysAgo = 0): string =>
  new Date(systemClock.now() + 9 * 3_600_000 - daysAgo * DAY_MS).toISOString().slice(0, 10)

const YEAR = (): string => `from=${dayInJapan(364)}&to=${dayInJapan()}`
const TODAY = (): string => `from=${dayInJapan()}&to=${dayInJapan()}`

/** An instant of a copy, on one of the 364 days before. */
const spread = (column: string): string => `${column} = ${column} - (${column} % 364 + 1) * ${DAY_MS}`

const paidCheckout = async (shop: ShopClient, refunds: number): Promise<string> => {
  const checkoutId = await shop.create()
  await shop.payWhole(checkoutId)
  for (let each = 0; each < refunds; each += 1) {
    const refunded = await shop.merchant('POST', `/checkouts/${checkoutId}/refunds`, {
      refundId: `r${each}`,
      amount: 100,
    })
    if (refunded.status !== 201) throw new Error(`refund ${refunded.status}: ${refunded.text.slice(0, 200)}`)
  }
  return checkoutId
}

/** While the server is stopped, so that it has seen neither shop before: it finds them as after a long stop. */
const fill = async (server: AttackedServer): Promise<void> => {
  const ofYear = await paidCheckout(await server.addShop('year'), 2)
  const ofToday = await paidCheckout(await server.addShop('today'), 0)
  const [yearId, todayId] = [await merchantIdOf(server, 'year'), await merchantIdOf(server, 'today')]
  await server.kill()
  await server.sql(async (each) => {
    await copyCheckout(each, server.engine, { merchantId: yearId, checkoutId: ofYear, copies: CHECKOUTS_OF_YEAR - 1 })
    await each.rows(`UPDATE ledger_lines SET ${spread('booked_at')} WHERE merchant_id = $1`, yearId)
    await each.rows(`UPDATE attempts SET ${spread('started_at')} WHERE merchant_id = $1`, yearId)
    await copyCheckout(each, server.engine, {
      merchantId: todayId,
      checkoutId: ofToday,
      copies: PAYMENTS_OF_TODAY - 1,
    })
    await each.rows(server.engine === 'PostgreSQL' ? 'VACUUM ANALYZE' : 'ANALYZE')
  })
  await server.start()
}

const reportsInALoop = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, async (server) => {
    await fill(server)
    const pay = (): Promise<Paid> => payInRounds(server.shop())
    const [year, today] = [server.shop('year'), server.shop('today')]
    const paths: Readonly<Record<string, readonly [shop: ShopClient, path: string]>> = {
      // First: the figures of these days are not stored yet.
      'the figures of a year, for the first time': [year, `/merchant/v1/figures?${YEAR()}`],
      'the summary of a year': [year, `/merchant/v1/summary?${YEAR()}`],
      'the summary of today': [today, `/merchant/v1/summary?${TODAY()}`],
      'the figures of today': [today, `/merchant/v1/figures?${TODAY()}`],
      'the figures of today as a file': [today, `/merchant/v1/exports/figures.csv?${TODAY()}`],
    }
    const measured: Record<string, number> = {}
    const besideCalls = async (name: string, quiet: Paid): Promise<void> => {
      const [shop, path] = paths[name] ?? [year, '']
      const requests = withKey([{ method: 'GET', path }], shop.port, shop.key)
      const flood = { port: shop.port, connections: CONNECTIONS, keepAlive: true, requests }
      const paid = await beside(flood, report, pay)
      report(`${engine}, ${name}: ${describePaid(paid)}`)
      Object.assign(measured, besideQuiet(`${engine}, ${name}`, paid, quiet))
    }
    const [cold = '', ...warm] = Object.keys(paths)
    await warmUp(server.shop())
    const first = await pay()
    report(`${engine}, after a start: ${describePaid(first)}`)
    await besideCalls(cold, first)
    await until(
      120_000,
      async () => {
        const began = performance.now()
        const { status } = await year.merchant('GET', `/summary?${YEAR()}`)
        return status === 200 && performance.now() - began < 200
      },
      1000,
    )
    await wait(3000)
    const quiet = await pay()
    report(`${engine}, quiet: ${describePaid(quiet)}`)
    for (const name of warm) await besideCalls(name, quiet)
    return measured
  })

/** For how long no payment has a turn. */
const longestPieces = async (report: (line: string) => void): Promise<Measured> => {
  const clock = systemClock
  const gateway = fakeGateway(clock.now)
  const server = await openTestServer({
    gateway,
    database: await openSqliteInMemory(),
    build: await readPageBuild(),
    keyLimits: NO_KEY_LIMITS,
  })
  gateway.chargeOutcome = {
    outcome: 'charged',
    transactionId: 'txn_1',
    amountYen: 1980,
    approvedAt: server.clock.now(),
  }
  const checkoutId = await server.createCheckout()
  await server.pay(checkoutId, await server.startAttempt(checkoutId))
  const { database } = server.deps
  await copyCheckout(database, 'SQLite', { merchantId: TEA_MERCHANT.id, checkoutId, copies: PAYMENTS_OF_TODAY - 1 })
  const day = new Date(server.clock.now() + 9 * 3_600_000).toISOString().slice(0, 10)
  const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
  const measured: Record<string, number> = {}
  for (const path of ['summary', 'figures', 'exports/figures.csv', 'exports/movements.csv', 'exports/checkouts.csv']) {
    const range = path.endsWith('checkouts.csv') ? '' : `?from=${day}&to=${day}`
    const once = async (): Promise<void> => {
      const { statusCode, body } = await server.app.inject({ url: `/merchant/v1/${path}${range}`, headers })
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${body.slice(0, 200)}`)
      // A minute later nothing is kept of the last answer.
      server.clock.advance(61_000)
    }
    const pieceMs = await leastOfSome(() => longestPieceMs(once), LIMIT_MS)
    measured[`${path} of ${PAYMENTS_OF_TODAY} payments, ms of its longest piece`] = pieceMs
    report(`${path}: ${pieceMs.toFixed(1)} ms at a time`)
  }
  await server.app.close()
  return measured
}

export const largeReports: readonly Attack[] = [
  { name: 'reports in a loop on SQLite', run: (report) => reportsInALoop('SQLite', report) },
  { name: 'reports in a loop on PostgreSQL', run: (report) => reportsInALoop('PostgreSQL', report) },
  { name: 'pieces of large reports', run: longestPieces },
]
