import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { messageOf } from '../../server/log.ts'
import type { Database } from '../../server/store/database.ts'
import type { Output } from './scanner.ts'

export const textOutput = (place: string, text: string): Output => ({
  place,
  kind: 'text',
  bytes: Buffer.from(text),
})

/** What a monitor reads. A fraction of a second is no leak: 0.0213 would be taken for a security code. */
export const outputOfMetrics = async (port: string): Promise<Output> => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  return textOutput('metrics', (await response.text()).replaceAll(/(?<= \d+)\.\d+$/gm, ''))
}

/** Every file below a folder, and every name: a crash may leave a file that is called after what it was about. */
export const outputOfFolder = async (name: string, folder: string): Promise<Output[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const output: Output[] = entries.map((entry) => textOutput(`${name}, file names`, entry.name))
  for (const entry of entries.filter((each) => each.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name))
    output.push({ place: `${name}, ${entry.name}`, kind: 'bytes', bytes })
  }
  return output
}

/**
 * The same of a data folder in use. Another process copies it first: one that has a SQLite file open loses its locks on
 * it as soon as it closes the file a second time, and the database may be damaged.
 */
export const outputOfDataFolder = async (name: string, folder: string): Promise<Output[]> => {
  const copy = await mkdtemp(`${folder}-copy-`)
  try {
    await promisify(execFile)('cp', ['-R', `${folder}/.`, copy])
    return await outputOfFolder(name, copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const printed = (row: object): string =>
  JSON.stringify(row, (_key, value: unknown) =>
    typeof value === 'bigint'
      ? String(value)
      : value instanceof Uint8Array
        ? Buffer.from(value).toString('latin1')
        : value,
  )

const TABLES = {
  SQLite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  PostgreSQL: `SELECT tablename AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
} as const

/** Every row of every table. Mail and webhooks are rows of the outbox, and are named by their kind. */
export const outputOfRows = async (database: Database): Promise<Output[]> => {
  const engine = database.version.startsWith('SQLite') ? 'SQLite' : 'PostgreSQL'
  const tables = (await database.rows(TABLES[engine])).map((row) => String(row['name']))
  const output: Output[] = []
  for (const table of tables) {
    for (const row of await database.rows(`SELECT * FROM ${table}`)) {
      const place = table === 'outbox' ? `outbox, ${String(row['kind'])}` : `table ${table}`
      output.push(textOutput(`${engine} ${place}`, printed(row)))
    }
  }
  return output
}

const WAL_PAGE = 8192
const SHORT_HEADER = 24
const LONG_HEADER = 40

/** A place in PostgreSQL's log: a file and how far into it. */
interface WalPlace {
  readonly file: string
  readonly offset: number
}

/** The log without its page headers: a record runs on from page to page, and a number with it. */
const joinWalPages = (segment: Buffer, from: number, to: number): Buffer => {
  const pages: Buffer[] = []
  for (let at = from - (from % WAL_PAGE); at < to; at += WAL_PAGE)
    pages.push(segment.subarray(at + (at === 0 ? LONG_HEADER : SHORT_HEADER), Math.min(at + WAL_PAGE, to)))
  return Buffer.concat(pages)
}

/** Only what was written in between: the rest of a file is what another one held before it was used again. */
const readWal = async (folder: string, first: WalPlace, last: WalPlace): Promise<Buffer> => {
  const names = (await readdir(folder)).filter((name) => first.file <= name && name <= last.file).toSorted()
  const parts: Buffer[] = []
  for (const name of names) {
    const segment = await readFile(join(folder, name))
    const to = name === last.file ? last.offset : segment.length
    parts.push(joinWalPages(segment, name === first.file ? first.offset : 0, to))
  }
  return Buffer.concat(parts)
}

/** Files with lower numbers are PostgreSQL's own catalogues. What is written to them goes through the log as well. */
const FIRST_TABLE = 16_384

export interface PostgresFiles {
  /** This database's own files as they are, and all that the server's log has taken in since this was opened. */
  read(): Promise<Output[]>
  /** Why the files cannot be read; null when they can. */
  readonly unreadable: string | null
  close(): Promise<void>
}

/** The files of a PostgreSQL server, where this process may read them. */
export const openPostgresFiles = async (url: string): Promise<PostgresFiles> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ask = async (statement: string): Promise<Record<string, unknown>> => {
    const { rows }: { rows: Record<string, unknown>[] } = await client.query(statement)
    return rows[0] ?? {}
  }
  const here = async (): Promise<WalPlace> => {
    // A commit that is waited for takes with it to the file what others have committed without waiting.
    await ask('SET synchronous_commit = on')
    await ask("SELECT pg_logical_emit_message(true, 'kaikei', 'here')")
    const { file_name: file, file_offset: offset } = await ask(
      'SELECT * FROM pg_walfile_name_offset(pg_current_wal_flush_lsn())',
    )
    return { file: String(file), offset: Number(offset) }
  }
  const close = (): Promise<void> => client.end()
  try {
    const folder = String((await ask('SHOW data_directory'))['data_directory'])
    const first = await here()
    await readdir(join(folder, 'pg_wal'))
    const { oid } = await ask('SELECT oid FROM pg_database WHERE datname = current_database()')
    return {
      unreadable: null,
      close,
      read: async () => {
        const bytes = await readWal(join(folder, 'pg_wal'), first, await here())
        // After the log was read: it may be used again from here on, and the tables' files are up to date.
        await ask('CHECKPOINT')
        const files = await outputOfFolder('PostgreSQL files', join(folder, 'base', String(oid)))
        const ofTables = files.filter(({ place }) => Number(/, (\d+)/.exec(place)?.[1]) >= FIRST_TABLE)
        return [...ofTables, { place: 'PostgreSQL WAL', kind: 'bytes', bytes }]
      },
    }
  } catch (error) {
    return { unreadable: messageOf(error), read: async () => [], close }
  }
}
