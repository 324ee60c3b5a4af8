/** Kaikei process: a server or a worker of the fleet, started again when it ends, as a supervisor does in production. */
import { join } from 'node:path'
import { systemClock } from '../../server/dependencies.ts'
import { spawnServer, SERVER_MAIN, type ServerProcess } from '../harness/server-process.ts'

export interface KaikeiProcess {
  readonly name: string
  /** Resolves when it is ready. `root`: the folder of another release, which it keeps from then on. */
  start(root?: string): Promise<void>
  /** SIGTERM: it drains, and stays stopped. */
  stop(): Promise<void>
  /** After a SIGKILL it is started again. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  /** SIGKILL, and it stays stopped. */
  end(): Promise<void>
  /** How often it ended without being told to. */
  readonly unasked: readonly string[]
  log(): string[]
}

/** As long as systemd waits (RestartSec=1). */
const RESTART_MS = 1000

export const kaikeiProcess = (name: string, env: Readonly<Record<string, string>>): KaikeiProcess => {
  const started: ServerProcess[] = []
  const unasked: string[] = []
  let main = SERVER_MAIN
  let current: ServerProcess | undefined
  let isWanted = false
  let isKilled = false

  const run = async (): Promise<void> => {
    const own = spawnServer(env, main)
    current = own
    isKilled = false
    started.push(own)
    void own.ended.then(async ({ code, signal }) => {
      if (!isWanted || current !== own) return
      if (!isKilled) unasked.push(`${name} ended with ${code ?? signal}: ${own.stderrLines().at(-1) ?? ''}`)
      await systemClock.sleep(RESTART_MS)
      if (isWanted && current === own) await run().catch(() => undefined)
    })
    await own.ready()
  }
  const stopBy = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    isWanted = false
    current?.child.kill(signal)
    await current?.ended
    current = undefined
  }
  return {
    name,
    unasked,
    start: async (root) => {
      if (root !== undefined) main = join(root, 'server', 'main.ts')
      isWanted = true
      await run()
    },
    stop: () => stopBy('SIGTERM'),
    end: () => stopBy('SIGKILL'),
    signal: (signal) => {
      isKilled ||= signal === 'SIGKILL'
      current?.child.kill(signal)
    },
    log: () => started.flatMap(({ stderrLines }) => stderrLines()),
  }
}
