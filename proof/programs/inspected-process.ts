/** Inspected process: what a Node process holds in memory and has used of the processor, by its inspector. */
import { isRecord } from '../../tools/is-record.mjs'
import { connectProtocol, type Facts, type ProtocolClient } from './protocol-client.ts'

export interface Memory {
  /** After a forced collection. */
  readonly heapBytes: number
  /** All of the process, also what it has freed and keeps for later. */
  readonly residentBytes: number
}

const withInspector = async <T>(inspectorUrl: string, work: (client: ProtocolClient) => Promise<T>): Promise<T> => {
  const client = await connectProtocol(inspectorUrl)
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

/** What an expression gives in that process. */
const evaluate = async ({ send }: ProtocolClient, expression: string): Promise<Facts> => {
  const { result } = await send('Runtime.evaluate', { expression, returnByValue: true })
  const value = isRecord(result) ? result['value'] : undefined
  if (!isRecord(value)) throw new Error(`the inspector cannot evaluate ${expression}`)
  return value
}

export const readMemory = (inspectorUrl: string): Promise<Memory> =>
  withInspector(inspectorUrl, async (client) => {
    // Twice: what a finalizer lets go of in the first is freed in the second.
    await client.send('HeapProfiler.collectGarbage')
    await client.send('HeapProfiler.collectGarbage')
    const memory = await evaluate(client, 'process.memoryUsage()')
    return { heapBytes: Number(memory['heapUsed']), residentBytes: Number(memory['rss']) }
  })

/** Milliseconds of processor time since that process began, of all its threads, in the program and in the kernel. */
export const readCpuMs = (inspectorUrl: string): Promise<number> =>
  withInspector(inspectorUrl, async (client) => {
    const usage = await evaluate(client, 'process.cpuUsage()')
    return (Number(usage['user']) + Number(usage['system'])) / 1000
  })

/** The same of its main thread alone, which answers every request. */
export const readMainThreadMs = (inspectorUrl: string): Promise<number> =>
  withInspector(inspectorUrl, async (client) => {
    const usage = await evaluate(client, 'process.threadCpuUsage()')
    return (Number(usage['user']) + Number(usage['system'])) / 1000
  })

/** Watches the pauses of that process's event loop from now on, by its own clock; answers how to read the longest, in ms. */
export const watchPauses = async (inspectorUrl: string): Promise<() => Promise<number>> => {
  const monitor = "process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 })"
  await withInspector(inspectorUrl, (client) => evaluate(client, `((globalThis.pauses = ${monitor}).enable(), {})`))
  return () =>
    withInspector(
      inspectorUrl,
      async (client) => Number((await evaluate(client, '({ max: pauses.max })'))['max']) / 1e6,
    )
}
