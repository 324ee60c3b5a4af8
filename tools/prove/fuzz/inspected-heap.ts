/** Inspected heap: what a Node process holds in memory after a forced collection, by its inspector. */
import { once } from 'node:events'
import { isRecord } from '../../is-record.mjs'

export interface Memory {
  readonly heapBytes: number
  /** All of the process, also what it has freed and keeps for later. */
  readonly residentBytes: number
}

const openSocket = async (url: string): Promise<WebSocket> => {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  return socket
}

/** Reads the text that an expression evaluates to. */
const textIn = (message: unknown): string => {
  const result = isRecord(message) && isRecord(message['result']) ? message['result']['result'] : undefined
  if (!isRecord(result) || typeof result['value'] !== 'string') throw new Error('the inspector did not answer')
  return result['value']
}

export const readMemory = async (inspectorUrl: string): Promise<Memory> => {
  const socket = await openSocket(inspectorUrl)
  let id = 0
  const call = async (method: string, params: object = {}): Promise<unknown> => {
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
    // Twice: what a finalizer lets go of in the first is freed in the second.
    await call('HeapProfiler.collectGarbage')
    await call('HeapProfiler.collectGarbage')
    const usage = await call('Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())' })
    const memory: unknown = JSON.parse(textIn(usage))
    if (!isRecord(memory)) throw new Error('the inspector did not answer')
    return { heapBytes: Number(memory['heapUsed']), residentBytes: Number(memory['rss']) }
  } finally {
    socket.close()
  }
}
