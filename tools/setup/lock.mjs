// Lock file: lets one process at a time do a piece of work in a clone, such as installing packages.
import { closeSync, linkSync, mkdirSync, openSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'

/**
 * The holder touches the lock file with every heartbeat. A lock that was not touched for `staleMs` was left by a process
 * that died; by then whatever that had started is gone too (exit-with-parent). It holds no process id, because a container
 * gives the same ids again.
 */
const DEFAULT_TIMES = { heartbeatMs: 500, staleMs: 5000, pollMs: 100 }

/** @param {string} file */
const stateOf = (file) => {
  try {
    const { ino, mtimeMs } = statSync(file)
    return `${ino} ${mtimeMs}`
  } catch {
    return undefined
  }
}

/** @param {string} file */
const createLockFile = (file) => {
  try {
    closeSync(openSync(file, 'wx'))
    return true
  } catch (error) {
    if (isRecord(error) && error['code'] === 'EEXIST') return false
    throw new CommandError(`cannot write ${file}: make the folder writable for this user`)
  }
}

/**
 * @param {string} file
 * @param {string} staleState the state in which it was not touched
 */
const removeStale = (file, staleState) => {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    // Another process was faster and this is its lock, which is in use: put it back.
    if (stateOf(aside) !== staleState) linkSync(aside, file)
  } catch {
    // Removed or taken meanwhile; the next try decides.
  }
  rmSync(aside, { force: true })
}

/**
 * Runs `work` while no other process in the same clone runs work under the same lock.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ heartbeatMs: number, staleMs: number, pollMs: number }} [times]
 * @returns {Promise<T>}
 */
export const withLock = async (file, work, times = DEFAULT_TIMES) => {
  mkdirSync(dirname(file), { recursive: true })
  let lastState = stateOf(file)
  let unchangedSince = performance.now()
  let isWaiting = false
  while (!createLockFile(file)) {
    const state = stateOf(file)
    if (state !== lastState) {
      lastState = state
      unchangedSince = performance.now()
    }
    if (lastState !== undefined && performance.now() - unchangedSince > times.staleMs) removeStale(file, lastState)
    else if (!isWaiting) {
      printProgress('another start is at work in this folder; waiting for it…')
      isWaiting = true
    }
    await wait(times.pollMs)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    try {
      utimesSync(file, now, now)
    } catch {
      // The folder was cleared by hand: the work goes on without a lock.
    }
  }, times.heartbeatMs)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    rmSync(file, { force: true })
  }
}
