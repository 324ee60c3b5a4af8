/** Backlog: 200,000 old mails and events to delete, and 200,000 that wait to be sent, beside payers. */
import { createServer } from 'node:http'
import { copyCheckout, type Engine } from '../filled-database/copy-checkout.ts'
import { listenOnFreePort } from '../harness/server-process.ts'
import {
  merchantIdOf,
  wait,
  withAttackedServer,
  type Attack,
  type AttackedServer,
  type Measured,
} from './attacked-server.ts'
import { besideQuiet, describePaid, payInRounds, warmUp } from './payers.ts'

const DAY_MS = 86_400_000
/** Each with a mail and at least one event. */
const COPIES = 100_000
const OLD_MS = 400 * DAY_MS

/** How a backlog is made of what was sent long ago, and how many rows of it are left. */
interface Backlog {
  readonly make: readonly string[]
  readonly left: string
}

const BACKLOGS: Readonly<Record<string, Backlog>> = {
  'old rows': {
    make: ['events', 'mails', 'deliveries']
      .map((table) => `UPDATE ${table} SET created_at = created_at - ${OLD_MS}`)
      .concat(`UPDATE deliveries SET ended_at = ended_at - ${OLD_MS}`, `UPDATE delivery_tries SET at = at - ${OLD_MS}`),
    left: `SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM mails WHERE recipient IS NOT NULL)
      + (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM delivery_tries) AS n`,
  },
  'unsent rows': {
    make: [
      'DELETE FROM delivery_tries',
      'DELETE FROM deliveries',
      'UPDATE events SET fanned_out_at = NULL',
      "UPDATE mails SET state = 'waiting', tries = 0, next_try_at = created_at, ended_at = NULL, answer = NULL",
    ],
    // Of this shop: the payers make new ones meanwhile. An event is two steps, the first of which leaves a delivery.
    left: `SELECT 2 * (SELECT count(*) FROM events WHERE merchant_id = 'backlog-id' AND fanned_out_at IS NULL)
      + (SELECT count(*) FROM mails WHERE merchant_id = 'backlog-id' AND next_try_at IS NOT NULL)
      + (SELECT count(*) FROM deliveries WHERE merchant_id = 'backlog-id' AND due_at IS NOT NULL) AS n`,
  },
}

const withEndpoint = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
  const endpoint = createServer((request, response) => {
    request.resume()
    response.end('ok')
  })
  const port = await listenOnFreePort(endpoint)
  try {
    return await work(`http://127.0.0.1:${port}/hook`)
  } finally {
    endpoint.closeAllConnections()
    endpoint.close()
  }
}

const fill = async (server: AttackedServer, url: string, { make }: Backlog): Promise<void> => {
  const shop = await server.addShop('backlog')
  await shop.merchant('POST', '/webhooks', { url })
  const checkoutId = await shop.create()
  await shop.payWhole(checkoutId)
  // Its mail is sent, its events are delivered.
  await wait(4000)
  const merchantId = await merchantIdOf(server, 'backlog')
  await server.kill()
  await server.sql(async (each) => {
    await copyCheckout(each, server.engine, { merchantId, checkoutId, copies: COPIES })
    for (const statement of make)
      await each.rows(`${statement} ${statement.includes('WHERE') ? 'AND' : 'WHERE'} merchant_id = $1`, merchantId)
    if (server.engine === 'PostgreSQL') await each.rows('VACUUM ANALYZE')
  })
  await server.start()
}

const besideBacklog = (engine: Engine, name: string, report: (line: string) => void): Promise<Measured> =>
  withEndpoint((url) =>
    withAttackedServer({ engine }, async (server) => {
      const backlog = BACKLOGS[name] ?? { make: [], left: '' }
      await warmUp(server.shop())
      const quiet = await payInRounds(server.shop())
      report(`${engine}, quiet: ${describePaid(quiet)}`)
      await fill(server, url, backlog)
      await warmUp(server.shop())
      const before = await server.count(backlog.left)
      const cpuBefore = await server.running().cpuMs()
      const paid = await payInRounds(server.shop())
      const cpuMs = (await server.running().cpuMs()) - cpuBefore
      const done = before - (await server.count(backlog.left))
      report(
        `${engine}, ${name}: ${describePaid(paid)}, ${done} of ${before} rows done, ${(cpuMs / 10 / paid.seconds).toFixed(0)} % of a processor`,
      )
      const what = `${engine}, ${COPIES} ${name}`
      return {
        ...besideQuiet(what, paid, quiet),
        [`${what}: pay p50, times the quiet one`]: paid.payP50 / quiet.payP50,
        [`${what}: rows worked off beside payments, a second`]: done / paid.seconds,
      }
    }),
  )

export const backlog: readonly Attack[] = (['SQLite', 'PostgreSQL'] as const).flatMap((engine) =>
  Object.keys(BACKLOGS).map((name) => ({
    name: `${name} on ${engine}`,
    run: (report: (line: string) => void) => besideBacklog(engine, name, report),
  })),
)
