/** SQLite: links that end at one moment, another process that holds the write lock, and a backup beside payments. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SECRET_KEY_FILE } from '../../server/config/secret-key.ts'
import { text } from '../../server/store/engine/columns.ts'
import { openBenchDatabase } from '../filled-database/bench-database.ts'
import { payUntil } from '../harness/paying-shoppers.ts'
import { runKaikei } from '../harness/server-process.ts'
import { copyCheckout } from '../filled-database/copy-checkout.ts'
import { systemClock } from '../../server/dependencies.ts'
import { embeddedFile } from '../../server/store/engine/sqlite.ts'
import { isPaid, type ShopClient } from '../harness/shop-client.ts'
import {
  merchantIdOf,
  until,
  wait,
  withAttackedServer,
  type Attack,
  type AttackedServer,
  type Measured,
} from './attacked-server.ts'

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

const BACKED_UP = 50_000
const PAYERS = 8
const MB = 1024 * 1024

const chargedIn = (open: AttackedServer['sql']): Promise<Set<string>> =>
  open(
    async (each) =>
      new Set(
        (await each.rows("SELECT order_code FROM attempts WHERE state = 'charged'")).map((row) =>
          text(row, 'order_code'),
        ),
      ),
  )

/** Charges that a restored backup lacks though they were recorded before it began. */
const lostBy = async (file: string, server: AttackedServer, charged: ReadonlySet<string>): Promise<number> => {
  const scratch = await openBenchDatabase('SQLite', {})
  try {
    await copyFile(join(server.dataDir, SECRET_KEY_FILE), join(scratch.dataDir, SECRET_KEY_FILE))
    await runKaikei(['restore', file], { DATA_DIR: scratch.dataDir })
    const restored = await chargedIn(async (work) => {
      const database = await scratch.open()
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    })
    return [...charged].filter((order) => !restored.has(order)).length
  } finally {
    await scratch.remove()
  }
}

const backupBesidePayments = (report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const checkoutId = await server.shop().create()
    await server.shop().payWhole(checkoutId)
    const merchantId = await merchantIdOf(server, 'demo')
    await server.kill()
    await server.sql((each) => copyCheckout(each, 'SQLite', { merchantId, checkoutId, copies: BACKED_UP }))
    await server.start()
    const folder = await mkdtemp(join(tmpdir(), 'kaikei-backup-'))
    const file = join(folder, 'x.backup')
    const wal = async (): Promise<number> => (await stat(`${embeddedFile(server.dataDir)}-wal`)).size / MB
    const over = new AbortController()
    const { port, key } = server.shop()
    const payments = (async () => {
      const ended = { paid: 0, refused: 0, ms: performance.now() }
      while (!over.signal.aborted) {
        const { wholeMs, failures } = await payUntil(port, key, performance.now() + 1000, PAYERS)
        ended.paid += wholeMs.length
        ended.refused += failures.length
      }
      return { ...ended, ms: performance.now() - ended.ms }
    })()
    try {
      await wait(2000)
      const charged = await chargedIn(server.sql)
      const began = performance.now()
      let most = 0
      const backup = runKaikei(['backup', file], { DATA_DIR: server.dataDir }).finally(() => over.abort())
      while (!over.signal.aborted) {
        most = Math.max(most, await wal())
        await wait(50)
      }
      await backup
      const seconds = (performance.now() - began) / 1000
      const { paid, refused, ms } = await payments
      // A log is cut when it begins anew: after some more payments.
      await payUntil(port, key, performance.now() + 3000, PAYERS)
      const after = await wal()
      report(
        `backup in ${seconds.toFixed(0)} s beside ${((1000 * paid) / ms).toFixed(0)} payments a second, log at most ${most.toFixed(0)} MB, then ${after.toFixed(0)} MB`,
      )
      return {
        'backup beside payments: MB of the log, at most': most,
        'backup beside payments: MB of the log afterwards': after,
        'backup beside payments: payments refused': refused,
        'backup beside payments: charges lost': await lostBy(file, server, charged),
      }
    } finally {
      over.abort()
      await payments
      await rm(folder, { recursive: true, force: true })
    }
  })

export const sqlite: readonly Attack[] = [
  { name: '20,000 links end at once', run: linksEndAtOnce },
  { name: 'a foreign write lock', run: foreignLock },
  { name: 'a backup beside payments', run: backupBesidePayments },
]
