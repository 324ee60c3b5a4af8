import { spawnServer, type ServerProcess } from '../harness/server-process.ts'

/** A real process that is killed and started again at the same place. */
export interface KilledProcess {
  start(): Promise<void>
  /** SIGKILL: no handler runs, nothing is said goodbye to. */
  kill(): Promise<void>
  /** What it complained of in all its lives. */
  complaints(): readonly string[]
}

export const killedProcess = (env: Readonly<Record<string, string>>): KilledProcess => {
  const complaints: string[] = []
  let living: ServerProcess | undefined
  return {
    start: async () => {
      living = spawnServer(env)
      await living.ready()
    },
    kill: async () => {
      const dying = living
      if (dying === undefined) return
      living = undefined
      dying.child.kill('SIGKILL')
      const { code, signal } = await dying.ended
      complaints.push(...dying.complained())
      // One that had ended by itself was not killed, and does not count as a kill.
      if (signal !== 'SIGKILL') throw new Error(`a process ended with ${code}: ${dying.complained().join('\n')}`)
    },
    complaints: () => complaints,
  }
}
