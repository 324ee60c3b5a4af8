/** Databases of the bench: PostgreSQL as in production, and the embedded one; each with checkouts to read and to pay. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type PostgresSettings } from '../../tools/test/postgres.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { text } from '../../server/store/engine/columns.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { embeddedFile, openSqlite } from '../../server/store/engine/sqlite.ts'
import { copyCheckout, type Engine } from './copy-checkout.ts'

export interface BenchDatabase {
  readonly engine: Engine
  /** A folder of its own, with the secret key and, embedded, the database. */
  readonly dataDir: string
  /** Null: embedded. */
  readonly url: string | null
  /** A connection of the bench, beside the server's. */
  open(): Promise<Database>
  remove(): Promise<void>
}

/** What the tests' PostgreSQL goes without: a commit is on the disk before it is answered. */
export const DURABLE: PostgresSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

/** A statement that makes a million rows takes its time. */
const LONG = { statementMs: 3_600_000, clientMs: 3_605_000 }

export const openBenchDatabase = async (engine: Engine, settings: PostgresSettings): Promise<BenchDatabase> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaikei-bench-'))
  const removeFolder = (): Promise<void> => rm(dataDir, { recursive: true, force: true })
  if (engine === 'SQLite') {
    const open = async (): Promise<Database> => openSqlite(embeddedFile(dataDir), null)
    return { engine, dataDir, url: null, open, remove: removeFolder }
  }
  // Not TEST_DATABASE_URL: that server has the settings of tests, and other tests run on it.
  const server = await startPostgres({}, undefined, settings)
  return {
    engine,
    dataDir,
    url: server.url,
    open: () => openPostgres(server.url, LONG),
    remove: async () => {
      await server.stop()
      await removeFolder()
    },
  }
}

/** Copies the demo's own checkout, which a server has opened when it started. Answers the ids of the copies. */
export const prepareCheckouts = async (bench: BenchDatabase, copies: number): Promise<string[]> => {
  const database = await bench.open()
  try {
    const [row = {}] = await database.rows(
      `SELECT merchant_id, checkouts.id FROM checkouts JOIN merchants ON merchants.id = merchant_id
       WHERE label = $1 ORDER BY checkouts.created_at LIMIT 1`,
      DEMO_LABEL,
    )
    const template = { merchantId: text(row, 'merchant_id'), checkoutId: text(row, 'id'), copies }
    const ids = await copyCheckout(database, bench.engine, template)
    if (bench.engine === 'PostgreSQL') await database.rows('VACUUM ANALYZE')
    return ids
  } finally {
    await database.close()
  }
}
