/** SQLite: links that end at one moment, and another process that holds the write lock. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyCheckout } from '../filled-database/copy-checkout.ts'
import { systemClock } from '../../server/dependencies.ts'
import { embeddedFile } from '../../server/store/engine/sqlite.ts'
import { isPaid, type ShopClient } from '../harness/shop-client.ts'
import { merchantIdOf, until, wait, withAttackedServer, type Attack, type Measured } from './attacked-server.ts'

const LINKS = 20_000
const ENDS_IN_MS = 8000
const HOLD_MS = 12_000
const READ_EVERY_MS = 50
const SHOPPERS = 5

/** The longest that a stranger waits for an answer of the process that needs nothing but the event loop. */
const longestAnswerMs = async (
  ask: () => Promise<unknown>,
  everyMs: number,
  isOver: () => boolean,
): Promise<number> => {
  let longest = 0
  while (!isOver()) {
    const began = performance.now()
    await ask().catch(() => undefined)
    longest = Math.max(longest, performance.now() - began)
    await wait(everyMs)
  }
  return longest
}

const linksEndAtOnce = (report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const checkoutId = await server.shop().create()
    const merchantId = await merchantIdOf(server, 'demo')
    await server.kill()
    const ends = await server.sql(async (each) => {
      await copyCheckout(each, 'SQLite', { merchantId, checkoutId, copies: LINKS - 1 })
      const at = systemClock.now() + ENDS_IN_MS
      await each.rows("UPDATE checkouts SET valid_until = $1 WHERE status = 'open' RETURNING 1 AS x", at)
      return at
    })
    await server.start()
    const longestPauseMs = await server.running().watchPauses()
    const open = (): Promise<number> =>
      server.count(`SELECT count(*) AS n FROM checkouts WHERE status = 'open' AND valid_until <= ${ends}`)
    const began = performance.now()
    let isOver = false
    const answers = longestAnswerMs(
      () => server.get('/healthz'),
      10,
      () => isOver,
    )
    await until(120_000, async () => (await open()) === 0, 1000)
    report(`${LINKS} links ended in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    isOver = true
    return {
      'links of 20,000 still open after two minutes': await open(),
      'longest pause of the event loop while links end, ms': await longestPauseMs(),
      'longest answer of /healthz while links end, ms': await answers,
    }
  })

/** Another process that holds SQLite's write lock, such as a copy that somebody makes by hand. */
const HOLDER = `const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(process.argv[1], { timeout: 5000 })
database.exec('BEGIN IMMEDIATE')
console.log('held')
setTimeout(() => { database.exec('COMMIT'); database.close() }, ${HOLD_MS})`

/** As the page does it: what is refused for the moment is tried again. */
const payPatiently = async (shop: ShopClient, link: string): Promise<boolean> =>
  until(
    60_000,
    async () => {
      const end = await shop.payWhole(link)
      return isPaid(end) || (await shop.read(link)).body['status'] === 'paid'
    },
    1000,
  )

const foreignLock = (): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const shop = server.shop()
    await shop.payWhole(await shop.create())
    const [read = '', ...links] = await Promise.all(Array.from({ length: SHOPPERS + 1 }, () => shop.create()))
    const holder = spawn(process.execPath, ['-e', HOLDER, embeddedFile(server.dataDir)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    let isOver = false
    void once(holder, 'exit').then(() => (isOver = true))
    const readings = longestAnswerMs(
      () => shop.read(read),
      READ_EVERY_MS,
      () => isOver,
    )
    const paid = await Promise.all(links.map((link) => payPatiently(shop, link)))
    const doubts = await server.count("SELECT count(*) AS n FROM changes WHERE moved_to = 'unknown'")
    return {
      'longest reading while another process holds the lock, ms': await readings,
      'payments of 5 paid that began under a foreign lock': paid.filter(Boolean).length,
      'doubts of a foreign lock': doubts,
    }
  })

export const sqlite: readonly Attack[] = [
  { name: '20,000 links end at once', run: linksEndAtOnce },
  { name: 'a foreign write lock', run: foreignLock },
]
