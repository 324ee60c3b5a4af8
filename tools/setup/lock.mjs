import { closeSync, linkSync, mkdirSync, openSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'

/**
 * A holder touches its lock every beat. A lock whose time stood still for `stale` was left by a holder that died;
 * by then whatever it had started is gone too (leash.mjs). No process ids: a container gives the same ones again.
 */
const patience = { beatMs: 500, stale: 5000, pollMs: 100 }

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
const take = (file) => {
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
 * @param {string} judged the state that was seen to stand still
 */
const removeStale = (file, judged) => {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    // Someone else was faster and this is his living lock: back with it.
    if (stateOf(aside) !== judged) linkSync(aside, file)
  } catch {
    // Gone or taken meanwhile; the next try decides.
  }
  rmSync(aside, { force: true })
}

/**
 * Runs `work` while no other process in the same clone runs work under the same lock.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ beatMs: number, stale: number, pollMs: number }} [times]
 * @returns {Promise<T>}
 */
export const withLock = async (file, work, times = patience) => {
  mkdirSync(dirname(file), { recursive: true })
  let seen = stateOf(file)
  let since = performance.now()
  let told = false
  while (!take(file)) {
    const state = stateOf(file)
    if (state !== seen) {
      seen = state
      since = performance.now()
    }
    if (seen !== undefined && performance.now() - since > times.stale) removeStale(file, seen)
    else if (!told) {
      printProgress('another start is at work in this folder; waiting for it…')
      told = true
    }
    await wait(times.pollMs)
  }
  const beat = setInterval(() => {
    const now = new Date()
    try {
      utimesSync(file, now, now)
    } catch {
      // The folder was cleared by hand: the work goes on, unguarded.
    }
  }, times.beatMs)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    rmSync(file, { force: true })
  }
}
