/** Processes: command lines and environments of everything that was started for one data folder, as any user of the machine may see them. */
import { readdir, readFile } from 'node:fs/promises'
import type { ServerOutput } from './scanner.ts'

const readQuietly = (file: string): Promise<Buffer> =>
  // A process may end while it is read, or belong to somebody else.
  readFile(file).catch(() => Buffer.alloc(0))

const isOfFolder = (bytes: Buffer, folder: string): boolean => bytes.includes(folder)

/** Of every process that names the folder; of none where there is no /proc. */
const readProcesses = async (folder: string): Promise<ServerOutput[]> => {
  const entries = await readdir('/proc').catch(() => [])
  const read = await Promise.all(
    entries
      .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
      .map(async (pid): Promise<ServerOutput[]> => {
        const [commandLine, environment] = await Promise.all([
          readQuietly(`/proc/${pid}/cmdline`),
          readQuietly(`/proc/${pid}/environ`),
        ])
        return isOfFolder(commandLine, folder) || isOfFolder(environment, folder)
          ? [
              { place: 'command lines', kind: 'bytes', bytes: commandLine },
              { place: 'environments', kind: 'bytes', bytes: environment },
            ]
          : []
      }),
  )
  return read.flat()
}

const INTERVAL_MS = 200

export interface ProcessWatch {
  /** Each once, however often it was seen. */
  stop(): Promise<readonly ServerOutput[]>
}

/** Looks again and again until it is stopped. */
export const watchProcesses = (folder: string): ProcessWatch => {
  const seen = new Map<string, ServerOutput>()
  const look = async (): Promise<void> => {
    for (const output of await readProcesses(folder))
      seen.set(`${output.place} ${output.bytes.toString('latin1')}`, output)
  }
  let looking = look()
  const timer = setInterval(() => {
    looking = look()
  }, INTERVAL_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await looking
      await look()
      return [...seen.values()]
    },
  }
}
