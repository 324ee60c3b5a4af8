/** Inspected process: what a Node process holds in memory and has used of the processor, by its inspector. */
import { once } from 'node:events'
import { isRecord } from '../is-record.mjs'

export interface Memory {
  /** After a forced collection. */
  readonly heapBytes: number
  /** All of the process, also what it has freed and keeps for later. */
  readonly residentBytes: number
}

type Call = (method: string, params?: object) => Promise<unknown>

const openSocket = async (url: string): Promise<WebSocket> => {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  return socket
}

const withInspector = async <T>(inspectorUrl: string, work: (call: Call) => Promise<T>): Promise<T> => {
  const socket = await openSocket(inspectorUrl)
  let id = 0
  const call: Call = async (method, params = {}) => {
    id += 1
    const expected = id
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const listen = ({ data }: MessageEvent): void => {
      const message: unknown = JSON.parse(String(data))
      if (isRecord(message) && message['id'] === expected) resolve(message)
    }
    socket.addEventListener('message', listen)
    socket.send(JSON.stringify({ id: expected, method, params }))
    const message = await promise
    socket.removeEventListener('message', listen)
    return message
  }
  try {
    return await work(call)
  } finally {
    socket.close()
  }
}

/** What an expression gives in that process. */
const evaluate = async (call: Call, expression: string): Promise<Readonly<Record<string, unknown>>> => {
  const message = await call('Runtime.evaluate', { expression: `JSON.stringify(${expression})` })
  const result = isRecord(message) && isRecord(message['result']) ? message['result']['result'] : undefined
  const value: unknown =
    isRecord(result) && typeof result['value'] === 'string' ? JSON.parse(result['value']) : undefined
  if (!isRecord(value)) throw new Error('the inspector did not answer')
  return value
}

export const readMemory = (inspectorUrl: string): Promise<Memory> =>
  withInspector(inspectorUrl, async (call) => {
    // Twice: what a finalizer lets go of in the first is freed in the second.
    await call('HeapProfiler.collectGarbage')
    await call('HeapProfiler.collectGarbage')
    const memory = await evaluate(call, 'process.memoryUsage()')
    return { heapBytes: Number(memory['heapUsed']), residentBytes: Number(memory['rss']) }
  })

/** Milliseconds of processor time since that process began, of all its threads, in the program and in the kernel. */
export const readCpuMs = (inspectorUrl: string): Promise<number> =>
  withInspector(inspectorUrl, async (call) => {
    const usage = await evaluate(call, 'process.cpuUsage()')
    return (Number(usage['user']) + Number(usage['system'])) / 1000
  })

/** Watches the pauses of that process's event loop from now on, by its own clock; answers how to read the longest, in ms. */
export const watchPauses = async (inspectorUrl: string): Promise<() => Promise<number>> => {
  const monitor = "process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 })"
  await withInspector(inspectorUrl, (call) => evaluate(call, `((globalThis.pauses = ${monitor}).enable(), {})`))
  return () =>
    withInspector(inspectorUrl, async (call) => Number((await evaluate(call, '({ max: pauses.max })'))['max']) / 1e6)
}
