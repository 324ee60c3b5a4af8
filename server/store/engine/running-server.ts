/** Running server: whether a server uses the SQLite database of a data folder, and where it listens. */
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode, SQLITE_BUSY } from './sqlite-connection.ts'

export const lockFile = (dataDir: string): string => join(dataDir, 'kaikei.lock')

const addressFile = (dataDir: string): string => join(dataDir, 'kaikei.address')

/** The lock ends with the process of the server. This takes it for a moment, which is harmless: a server that starts retries. */
export const isServerRunning = (dataDir: string): boolean => {
  if (!existsSync(lockFile(dataDir))) return false
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(lockFile(dataDir), { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
    return false
  } catch (error) {
    // The server itself reports any other fault, such as an unreadable folder.
    return errorCode(error) === SQLITE_BUSY
  } finally {
    database?.close()
  }
}

/** For the message of a second start. After a crash the file remains, so it does not prove that a server runs. */
export const writeServerAddress = async (dataDir: string, origin: string): Promise<void> => {
  try {
    await writeFile(addressFile(dataDir), `${origin}, process ${process.pid}\n`, { mode: 0o600 })
  } catch {
    // No folder (as on PostgreSQL), no permission, full disk: payments work without this file.
  }
}

export const removeServerAddress = async (dataDir: string): Promise<void> => {
  try {
    await rm(addressFile(dataDir), { force: true })
  } catch {
    // A file that remains is harmless.
  }
}

/** Null where no server has written its address. */
export const readServerAddress = async (dataDir: string): Promise<string | null> => {
  try {
    return (await readFile(addressFile(dataDir), 'utf8')).trim().slice(0, 300)
  } catch {
    return null
  }
}
