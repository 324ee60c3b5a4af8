/** Fleet process: a program of another maker that the proof starts, kills, freezes and starts again. It ends with this process. */
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { systemClock } from '../../server/dependencies.ts'
import { spawnExitingWithParent } from '../../tools/exit-with-parent/spawn.mjs'
import type { Account } from '../../tools/test/postgres.ts'

export interface FleetProcess {
  readonly name: string
  start(): Promise<void>
  /** To the program itself and what it has started, not to the wrapper that ends it with this process. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** SIGKILL: no handler runs. `alone`: what it has started outside its group goes on. */
  kill(how?: 'alone'): Promise<void>
}

interface ProcessSettings {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Its log, its process id and its data are there. */
  readonly home: string
  readonly account: Account | undefined
  readonly env: Readonly<Record<string, string>>
  /** Processes that it has started outside its group, such as PostgreSQL of Patroni. */
  readonly others?: () => readonly number[]
}

/** The shell becomes the program, and so its id is the program's. */
const WITH_ID = 'echo $$ > "$0" && exec "$@"'
const POLL_MS = 20

const signalAll = (ids: readonly number[], signal: NodeJS.Signals): void => {
  for (const id of ids) {
    try {
      process.kill(id, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

const childrenOf = (id: number): number[] => {
  const file = `/proc/${id}/task/${id}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []
}

/** PostgreSQL of a data folder with its sessions: Patroni starts it in a group of its own. */
export const postgresIn = (dataFolder: string): number[] => {
  const file = join(dataFolder, 'postmaster.pid')
  const id = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  return id > 0 && existsSync(`/proc/${id}`) ? [id, ...childrenOf(id)] : []
}

export const fleetProcess = (settings: ProcessSettings): FleetProcess => {
  const { name, command, home, account, env, others = () => [] } = settings
  const idFile = join(home, `${name}.pid`)
  let wrapper: ChildProcess | undefined
  const own = (): number[] => {
    const text = existsSync(idFile) ? readFileSync(idFile, 'utf8').trim() : ''
    return text === '' ? [] : [Number(text)]
  }
  return {
    name,
    start: async () => {
      rmSync(idFile, { force: true })
      writeFileSync(join(home, `${name}.log`), '', { flag: 'a' })
      const log = openSync(join(home, `${name}.log`), 'a')
      wrapper = spawnExitingWithParent('sh', ['-c', WITH_ID, idFile, ...command], {
        cwd: home,
        env,
        stdio: ['ignore', log, log],
        stopSignal: 'SIGKILL',
        ...account,
      })
      while (wrapper.exitCode === null && own().length === 0) await systemClock.sleep(POLL_MS)
    },
    signal: (signal) => signalAll([...own(), ...others()], signal),
    kill: async (how) => {
      const ended = wrapper === undefined || wrapper.exitCode !== null ? undefined : once(wrapper, 'exit')
      signalAll(how === 'alone' ? own() : [...own(), ...others()], 'SIGKILL')
      await ended
      rmSync(idFile, { force: true })
      wrapper = undefined
    },
  }
}
