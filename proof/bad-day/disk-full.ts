/** Full disk: a small file system that is filled beneath the embedded database, and emptied again. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isPaid } from '../harness/shop-client.ts'
import {
  alarms,
  until,
  withAttackedServer,
  type Attack,
  type AttackedServer,
  type Measured,
} from './attacked-server.ts'

const DISK = '12m'
const SEEN_WITHIN_MS = 60_000

const fill = (path: string): void => {
  const file = openSync(path, 'w')
  try {
    for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
      const block = Buffer.alloc(size)
      try {
        for (;;) writeSync(file, block)
      } catch {
        // No room for so many bytes: for fewer there may be.
      }
    }
  } finally {
    closeSync(file)
  }
}

const isRefused = async (server: AttackedServer): Promise<boolean> =>
  (await server.shop().merchant('POST', '/checkouts', { amount: 1980, remarks: 'a'.repeat(2000) })).status >= 500

/** Seconds until it is so; a minute where it never is. */
const secondsUntil = async (is: () => Promise<boolean>): Promise<number> => {
  const began = performance.now()
  await until(SEEN_WITHIN_MS, is, 250)
  return (performance.now() - began) / 1000
}

/** A file system of its own, in memory. */
const mountSmallDisk = (folder: string): (() => void) => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder])
  return () => execFileSync('umount', ['--lazy', folder])
}

const fullDisk = (report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ prepare: mountSmallDisk }, async (server) => {
    const shop = server.shop()
    await shop.payWhole(await shop.create())
    const filler = join(server.dataDir, 'filler')
    fill(filler)
    // The log that the database writes ahead has some room left in its own file.
    if (!(await until(30_000, () => isRefused(server), 1)))
      throw new Error('the disk is full, and every write is taken')
    const alarmed = secondsUntil(async () => alarms(server.logLines, /takes no writes/) > 0)
    const notReady = secondsUntil(async () => (await server.get('/readyz')).status === 503)
    const measuredDown = secondsUntil(async () => /^kaikei_database_up 0$/m.test((await server.metrics()).text))
    const seen = {
      'full disk: seconds until an alarm': await alarmed,
      'full disk: seconds until /readyz says 503': await notReady,
      'full disk: seconds until kaikei_database_up is 0': await measuredDown,
    }
    report(JSON.stringify(seen))
    rmSync(filler)
    const isBack = async (): Promise<boolean> => isPaid(await shop.payWhole(await shop.create()))
    return {
      ...seen,
      'full disk: seconds until a payment is paid again': await secondsUntil(isBack),
      'full disk: seconds until /readyz says 200 again': await secondsUntil(
        async () => (await server.get('/readyz')).status === 200,
      ),
    }
  })

export const diskFull: readonly Attack[] = [{ name: 'full disk', run: fullDisk }]
