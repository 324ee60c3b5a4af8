/** Restartable server: a real server process that is ended by a signal and started again with the same settings. */
import { spawnServer, type ServerProcess } from './server-process.ts'

export interface RestartableServer {
  start(): Promise<void>
  /** Sends the signal and waits until the process has ended. On SIGKILL no handler runs, no connection is closed in order. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** What each of its processes printed so far, the first of them first. */
  outputs(): readonly { readonly stdout: readonly string[]; readonly stderr: readonly string[] }[]
}

export const restartableServer = (env: Readonly<Record<string, string>>): RestartableServer => {
  const started: ServerProcess[] = []
  let current: ServerProcess | undefined
  return {
    start: async () => {
      current = spawnServer(env)
      started.push(current)
      await current.ready()
    },
    kill: async (signal = 'SIGKILL') => {
      const killed = current
      current = undefined
      if (killed === undefined) return
      killed.child.kill(signal)
      const ended = await killed.ended
      // One that had ended by itself was not killed, and does not count as a kill.
      if (signal === 'SIGKILL' && ended.signal !== 'SIGKILL')
        throw new Error(`a process ended with ${ended.code}: ${killed.stderrLines().join('\n')}`)
    },
    outputs: () => started.map(({ stdoutLines, stderrLines }) => ({ stdout: stdoutLines(), stderr: stderrLines() })),
  }
}
