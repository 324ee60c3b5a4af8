/** Collect outputs: all that a server under scan wrote and sent, and what was found in it. */
import type { Hit, ServerOutput } from './scanner.ts'
import { readDataFolder, readFolder, readMetrics, readTables, textOutput } from './server-outputs.ts'
import type { ServerUnderScan } from './server-under-scan.ts'

/** While it ran and after it was shut down, which this does. */
export const collectOutputs = async (scanned: ServerUnderScan): Promise<ServerOutput[]> => {
  const { flowContext: context, dataDir, temporaryDir, metricsPort, postgresFiles, server } = scanned
  const { client, database } = context
  const running = [
    ...(postgresFiles === null ? await readDataFolder('data folder of the running server', dataDir) : []),
    ...(await readTables(database)),
    await readMetrics(metricsPort),
  ]
  await scanned.shutDown()
  return [
    ...running,
    ...(await readDataFolder('data folder', dataDir)),
    ...(await readFolder('temporary files', temporaryDir)),
    ...((await postgresFiles?.read()) ?? []),
    ...client.received,
    ...scanned.commandOutputs,
    ...server.outputs().map(({ stdout, stderr }) => textOutput('logs', [...stdout, ...stderr].join('\n'))),
  ]
}

export const describeHit = ({ place, what, encoding, around }: Hit): string =>
  `${what} (${encoding}) in ${place}${around === undefined ? '' : `: ${JSON.stringify(around)}`}`
