/** Shiftable clock: a wall clock of real processes that jumps, while what they measure durations with goes on. */
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withAttackedServer, type AttackedServer } from './attacked-server.ts'

/** Debian's package faketime: shifts what a process reads of the wall clock, by the content of a file. */
const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketime.so.1')

interface ShiftableClock {
  readonly env: Readonly<Record<string, string>>
  /** Such as +2y, -1d, +0. */
  shift(by: string): Promise<void>
}

export const withShiftableClock = async <T>(work: (clock: ShiftableClock) => Promise<T>): Promise<T> => {
  if (LIBRARY === undefined) throw new Error('no clock can be shifted here: install Debian’s package faketime')
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-clock-'))
  const file = join(folder, 'shift')
  const shift = (by: string): Promise<void> => writeFile(file, by)
  await shift('+0')
  try {
    return await work({
      shift,
      env: {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_NO_CACHE: '1',
      },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A server that is stopped and started again so much later. Its acquirer agrees on the time: this is no wrong clock. */
export const stoppedFor = <Before, After>(
  by: string,
  before: (server: AttackedServer) => Promise<Before>,
  after: (server: AttackedServer, found: Before) => Promise<After>,
): Promise<After> =>
  withShiftableClock((clock) =>
    withAttackedServer({ more: clock.env, sandboxMore: clock.env }, async (server) => {
      const found = await before(server)
      await server.kill()
      await clock.shift(by)
      await server.start()
      return after(server, found)
    }),
  )
