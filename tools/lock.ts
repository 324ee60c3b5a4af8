/** Lock: lets one process at a time do a piece of work in a clone, such as a build. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { errorCode, SQLITE_BUSY } from '../server/store/engine/sqlite-connection.ts'
import { printProgress } from './progress.mjs'
import { ROOT } from './root.ts'

const FOLDER = join(ROOT, 'dist', '.locks')
const POLL_MS = 100

/** SQLite's lock of a file: the system gives it back when its process ends, however it ends. */
const isTaken = (file: DatabaseSync): boolean => {
  try {
    file.exec('BEGIN EXCLUSIVE')
    return false
  } catch (error) {
    if (errorCode(error) === SQLITE_BUSY) return true
    throw error
  }
}

/** Runs `work` while no other process in the same clone runs work under the same lock. */
export const withLock = async <T>(name: string, work: () => Promise<T>, folder = FOLDER): Promise<T> => {
  mkdirSync(folder, { recursive: true })
  const file = new DatabaseSync(join(folder, name), { timeout: 0 })
  try {
    let isWaiting = false
    while (isTaken(file)) {
      if (!isWaiting) printProgress('another command is at work in this folder; waiting for it…')
      isWaiting = true
      await wait(POLL_MS)
    }
    return await work()
  } finally {
    file.close()
  }
}
