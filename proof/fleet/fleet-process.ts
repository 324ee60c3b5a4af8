/** Fleet process: a program of another maker that the proof starts, kills, freezes and starts again. It ends with this process. */
import { existsSync, openSync, readFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import type { Account } from '../../tools/test/postgres.ts'

export interface FleetProcess {
  readonly name: string
  start(): Promise<void>
  /** To the program itself and what it has started. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** SIGKILL: no handler runs. `alone`: what it has started outside its group goes on. */
  kill(how?: 'alone'): Promise<void>
}

interface ProcessSettings {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Its log and its data are there. */
  readonly home: string
  readonly account: Account | undefined
  readonly env: Readonly<Record<string, string>>
  /** Processes that it has started outside its group, such as PostgreSQL of Patroni. */
  readonly others?: () => readonly number[]
}

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
  let running: ChildProcess | undefined
  const own = (): number[] => (running?.pid === undefined ? [] : [running.pid])
  return {
    name,
    start: async () => {
      const log = openSync(join(home, `${name}.log`), 'a')
      const [program, ...args] = command
      const child = spawnExitingWithParent(program, args, {
        cwd: home,
        env,
        stdio: ['ignore', log, log],
        stopSignal: 'SIGKILL',
        ...account,
      })
      child.on('exit', () => {
        if (running === child) running = undefined
      })
      running = child
      await once(child, 'spawn')
    },
    signal: (signal) => signalAll([...own(), ...others()], signal),
    kill: async (how) => {
      const ended = running === undefined ? undefined : once(running, 'exit')
      signalAll(how === 'alone' ? own() : [...own(), ...others()], 'SIGKILL')
      await ended
    },
  }
}
