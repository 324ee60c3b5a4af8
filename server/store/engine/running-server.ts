/** Server place: whether a server uses the embedded database of a data folder, and where it listens. */
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode, SQLITE_BUSY } from './sqlite-connection.ts'

export const lockFile = (dataDir: string): string => join(dataDir, 'kaikei.lock')

const addressFile = (dataDir: string): string => join(dataDir, 'kaikei.address')

/** Its lock ends with its process, however that ends; a moment without it harms nobody, because a start tries for seconds. */
export const isServerRunning = (dataDir: string): boolean => {
  if (!existsSync(lockFile(dataDir))) return false
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(lockFile(dataDir), { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
    return false
  } catch (error) {
    // Any other fault, as of a folder that cannot be read, the server itself tells.
    return errorCode(error) === SQLITE_BUSY
  } finally {
    database?.close()
  }
}

/** For whoever starts a second one. It says nothing by itself: after a crash it is still there, and nobody listens. */
export const writeServerAddress = async (dataDir: string, origin: string): Promise<void> => {
  try {
    await writeFile(addressFile(dataDir), `${origin}, process ${process.pid}\n`, { mode: 0o600 })
  } catch {
    // No folder, as on PostgreSQL, one that cannot be written, a full disk: no reason to take no payments.
  }
}

export const removeServerAddress = async (dataDir: string): Promise<void> => {
  try {
    await rm(addressFile(dataDir), { force: true })
  } catch {
    // Left behind, it misleads nobody.
  }
}

/** Null where no server has said where it is. */
export const readServerAddress = async (dataDir: string): Promise<string | null> => {
  try {
    return (await readFile(addressFile(dataDir), 'utf8')).trim().slice(0, 300)
  } catch {
    return null
  }
}
