/** Server outputs: everything that the server wrote or sent, read for the scanner. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import PostalMime from 'postal-mime'
import { messageOf } from '../../server/log.ts'
import type { Database } from '../../server/store/engine/database.ts'
import type { SandboxProcess } from '../harness/sandbox-process.ts'
import type { ServerOutput } from './scanner.ts'

export const textOutput = (place: string, text: string): ServerOutput => ({
  place,
  kind: 'text',
  bytes: Buffer.from(text),
})

/** The metrics endpoint. Fractions of a second are removed: 0.0213 would be taken for a security code. */
export const readMetrics = async (port: string): Promise<ServerOutput> => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  return textOutput('metrics', (await response.text()).replaceAll(/(?<= \d+)\.\d+$/gm, ''))
}

/** Every file below a folder, and every file name: a crash may leave a file that is named after what it is about. */
export const readFolder = async (name: string, folder: string): Promise<ServerOutput[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const output: ServerOutput[] = entries.map((entry) => textOutput(`${name}, file names`, entry.name))
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
export const readDataFolder = async (name: string, folder: string): Promise<ServerOutput[]> => {
  const copy = await mkdtemp(`${folder}-copy-`)
  try {
    await promisify(execFile)('cp', ['-R', `${folder}/.`, copy])
    return await readFolder(name, copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const rowAsText = (row: object): string =>
  JSON.stringify(row, (_key, value: unknown) =>
    typeof value === 'bigint'
      ? String(value)
      : value instanceof Uint8Array
        ? Buffer.from(value).toString('latin1')
        : value,
  )

const LIST_TABLES = {
  SQLite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  PostgreSQL: `SELECT tablename AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
} as const

/** Every row of every table but the files of the page's build. Rows of the outbox are named by their kind. */
export const readTables = async (database: Database): Promise<ServerOutput[]> => {
  const engine = database.version.startsWith('SQLite') ? 'SQLite' : 'PostgreSQL'
  const all = (await database.rows(LIST_TABLES[engine])).map((row) => String(row['name']))
  const tables = all.filter((table) => table !== 'page_assets')
  const output: ServerOutput[] = []
  for (const table of tables) {
    for (const row of await database.rows(`SELECT * FROM ${table}`)) {
      const place = table === 'outbox' ? `outbox, ${String(row['kind'])}` : `table ${table}`
      output.push(textOutput(`${engine} ${place}`, rowAsText(row)))
    }
  }
  return output
}

/** Every mail that arrived, as a mail program reads it: on its way each body is encoded. */
export const readMailbox = async (sandbox: Pick<SandboxProcess, 'mails'>): Promise<ServerOutput[]> => {
  const outputs: ServerOutput[] = []
  for (const { source, recipients, from } of await sandbox.mails()) {
    const { headers, text, html } = await PostalMime.parse(source)
    const parts = [...headers.map(({ key, value }) => `${key}: ${value}`), from, ...recipients, text, html]
    outputs.push(textOutput('mailbox', parts.join('\n')))
  }
  return outputs
}

const WAL_PAGE_BYTES = 8192
const SHORT_HEADER_BYTES = 24
const LONG_HEADER_BYTES = 40

/** A position in PostgreSQL's write-ahead log: a file and an offset in it. */
interface WalPosition {
  readonly file: string
  readonly offset: number
}

/** The log without its page headers: a record continues from page to page, and so does a number in it. */
const joinWalPages = (segment: Buffer, from: number, to: number): Buffer => {
  const pages: Buffer[] = []
  for (let at = from - (from % WAL_PAGE_BYTES); at < to; at += WAL_PAGE_BYTES)
    pages.push(
      segment.subarray(at + (at === 0 ? LONG_HEADER_BYTES : SHORT_HEADER_BYTES), Math.min(at + WAL_PAGE_BYTES, to)),
    )
  return Buffer.concat(pages)
}

/** Only what was written between the two: PostgreSQL reuses log files, so the rest of a file is older. */
const readWal = async (folder: string, first: WalPosition, last: WalPosition): Promise<Buffer> => {
  const names = (await readdir(folder)).filter((name) => first.file <= name && name <= last.file).toSorted()
  const segments: Buffer[] = []
  for (const name of names) {
    const segment = await readFile(join(folder, name))
    const to = name === last.file ? last.offset : segment.length
    segments.push(joinWalPages(segment, name === first.file ? first.offset : 0, to))
  }
  return Buffer.concat(segments)
}

/** Files with lower numbers are PostgreSQL's own catalogues. What is written to them goes through the log as well. */
const FIRST_TABLE_NUMBER = 16_384

export interface PostgresFiles {
  /** The files of this database, and all that was written to the server's log since this was opened. */
  read(): Promise<ServerOutput[]>
  /** Why the files cannot be read; null when they can. */
  readonly unreadable: string | null
  close(): Promise<void>
}

/** The files of a PostgreSQL server, where this process may read them. */
export const openPostgresFiles = async (url: string): Promise<PostgresFiles> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const queryFirstRow = async (statement: string): Promise<Record<string, unknown>> => {
    const { rows }: { rows: Record<string, unknown>[] } = await client.query(statement)
    return rows[0] ?? {}
  }
  const currentWalPosition = async (): Promise<WalPosition> => {
    // A synchronous commit also flushes to the file what others have committed asynchronously.
    await queryFirstRow('SET synchronous_commit = on')
    await queryFirstRow("SELECT pg_logical_emit_message(true, 'kaikei', 'here')")
    const { file_name: file, file_offset: offset } = await queryFirstRow(
      'SELECT * FROM pg_walfile_name_offset(pg_current_wal_flush_lsn())',
    )
    return { file: String(file), offset: Number(offset) }
  }
  const close = (): Promise<void> => client.end()
  try {
    const folder = String((await queryFirstRow('SHOW data_directory'))['data_directory'])
    const first = await currentWalPosition()
    await readdir(join(folder, 'pg_wal'))
    const { oid } = await queryFirstRow('SELECT oid FROM pg_database WHERE datname = current_database()')
    return {
      unreadable: null,
      close,
      read: async () => {
        const bytes = await readWal(join(folder, 'pg_wal'), first, await currentWalPosition())
        // After the log was read: a checkpoint lets PostgreSQL reuse it, and brings the tables' files up to date.
        await queryFirstRow('CHECKPOINT')
        const files = await readFolder('PostgreSQL files', join(folder, 'base', String(oid)))
        const ofTables = files.filter(({ place }) => Number(/, (\d+)/.exec(place)?.[1]) >= FIRST_TABLE_NUMBER)
        return [...ofTables, { place: 'PostgreSQL WAL', kind: 'bytes', bytes }]
      },
    }
  } catch (error) {
    return { unreadable: messageOf(error), read: async () => [], close }
  }
}
