import { spawnServer, type ServerProcess } from '../harness/server-process.ts'

/** Killable server: a real process that is killed and started again with the same port and database. */
export interface KillableServer {
  start(): Promise<void>
  /** SIGKILL: no handler runs, no connection is closed in order. */
  kill(): Promise<void>
  /** What it wrote to stderr, before and after each restart. */
  errorOutput(): readonly string[]
}

export const killableServer = (env: Readonly<Record<string, string>>): KillableServer => {
  const errorOutput: string[] = []
  let current: ServerProcess | undefined
  return {
    start: async () => {
      current = spawnServer(env)
      await current.ready()
    },
    kill: async () => {
      const killed = current
      if (killed === undefined) return
      current = undefined
      killed.child.kill('SIGKILL')
      const { code, signal } = await killed.ended
      errorOutput.push(...killed.stderrLines())
      // One that had ended by itself was not killed, and does not count as a kill.
      if (signal !== 'SIGKILL') throw new Error(`a process ended with ${code}: ${killed.stderrLines().join('\n')}`)
    },
    errorOutput: () => errorOutput,
  }
}
