/** Connection: a client of HTTP/1.1 that sends any bytes, and says whether they were answered, closed or left hanging. */
import { connect, type Socket } from 'node:net'
import type { RawRequest } from './raw-requests.ts'
import { strictText } from './strict-reader.ts'

export interface FuzzAnswer {
  readonly status: number
  /** By name in lower case; of several with one name the last. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** Whether it is text, and its bytes are no UTF-8. */
  readonly isBroken?: boolean
}

export type Exchange =
  | { readonly outcome: 'answered'; readonly answer: FuzzAnswer }
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'hung' }
  /** The server takes no connection: it is gone. */
  | { readonly outcome: 'refused' }

/** Bodies must arrive within 12 seconds, and an answer may wait a few more for the acquirer: what takes longer hangs. */
export const HANG_MS = 20_000
/** How long the sender of a raw request waits for an answer before it ends the connection. */
const PATIENCE_MS = 300
/** A reset at once would overtake the bytes: the server would read none of them. */
const RESET_AFTER_MS = 5

const HEAD_END = '\r\n\r\n'

interface ParsedAnswer {
  readonly answer: FuzzAnswer
  readonly length: number
}

interface Part {
  readonly bytes: Buffer
  readonly length: number
}

/** An export of a million requests may be long: behind so much of it nothing is read, and the connection is closed. */
const CHUNKED_MAX = 256 * 1024

/** A body in chunks, as exports are sent; undefined while some of it is missing. */
const parseChunks = (bytes: Buffer, from: number): Part | undefined => {
  const chunks: Buffer[] = []
  for (let at = from; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0 || end - from > CHUNKED_MAX) return { bytes: Buffer.concat(chunks), length: end + 2 }
    chunks.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}

const parsePlain = (bytes: Buffer, from: number, length: number): Part | undefined =>
  bytes.length < from + length ? undefined : { bytes: bytes.subarray(from, from + length), length: from + length }

const isText = (headers: ReadonlyMap<string, string>): boolean =>
  /^(?:text\/|application\/(?:json|javascript))/.test(headers.get('content-type') ?? '') &&
  !headers.has('content-encoding')

/** The first whole answer in these bytes; undefined while some of it is missing. */
const parseAnswer = (bytes: Buffer, isHead: boolean): ParsedAnswer | undefined => {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(statusLine.slice(9, 12))
  const bodyStart = end + HEAD_END.length
  if (status >= 100 && status < 200) {
    const rest = parseAnswer(bytes.subarray(bodyStart), isHead)
    return rest === undefined ? undefined : { answer: rest.answer, length: bodyStart + rest.length }
  }
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const hasBody = !isHead && status !== 204 && status !== 304
  const isChunked = hasBody && headers.get('transfer-encoding') === 'chunked'
  const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0
  const part = isChunked ? parseChunks(bytes, bodyStart) : parsePlain(bytes, bodyStart, length)
  if (part === undefined) return undefined
  const isBroken = isText(headers) && strictText(part.bytes) === undefined
  return { answer: { status, headers, body: part.bytes.toString('utf8'), isBroken }, length: part.length }
}

const isRefused = (error: Error): boolean => 'code' in error && error.code === 'ECONNREFUSED'

/** One connection that is kept alive, and opened again where the server has closed it. One request at a time. */
export interface KeptConnection {
  send(bytes: Buffer, isHead: boolean): Promise<Exchange>
  close(): void
}

export const keptConnection = (port: number, hangMs = HANG_MS): KeptConnection => {
  let socket: Socket | null = null

  const open = (): Socket => {
    if (socket !== null && socket.writable && !socket.destroyed) return socket
    socket = connect(port, '127.0.0.1').setNoDelay(true)
    return socket
  }

  return {
    send: (bytes, isHead) =>
      new Promise((resolve) => {
        const used = open()
        let received: Buffer = Buffer.alloc(0)
        const settle = (exchange: Exchange, keep: boolean): void => {
          clearTimeout(timer)
          used.removeAllListeners()
          // An error after the answer concerns nobody; unheard, it would end this process.
          used.on('error', () => undefined)
          if (!keep) {
            used.destroy()
            socket = null
          }
          resolve(exchange)
        }
        const timer = setTimeout(() => settle({ outcome: 'hung' }, false), hangMs)
        used.on('data', (part: Buffer) => {
          received = received.length === 0 ? part : Buffer.concat([received, part])
          const parsed = parseAnswer(received, isHead)
          if (parsed === undefined) return
          const isLast = parsed.answer.headers.get('connection') === 'close'
          settle({ outcome: 'answered', answer: parsed.answer }, !isLast && parsed.length === received.length)
        })
        used.on('error', (error) => settle({ outcome: isRefused(error) ? 'refused' : 'closed' }, false))
        used.on('close', () => settle({ outcome: 'closed' }, false))
        used.write(bytes)
      }),
    close: () => {
      socket?.destroy()
      socket = null
    },
  }
}

/** How a raw request ended: every status that the server answered with, until it or the sender closed the connection. */
export interface RawExchange {
  readonly outcome: 'over' | 'hung' | 'refused'
  readonly statuses: readonly number[]
}

/** An answer begins at the beginning, or right behind the body before it; no body of ours holds such a line. */
const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** Sends raw bytes on a connection of their own. */
export const sendRaw = (port: number, { bytes, ending }: RawRequest, hangMs = HANG_MS): Promise<RawExchange> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false })
    let text = ''
    let patience: NodeJS.Timeout | undefined
    const settle = (outcome: RawExchange['outcome']): void => {
      clearTimeout(timer)
      clearTimeout(patience)
      socket.destroy()
      resolve({ outcome, statuses: statusesIn(text) })
    }
    const timer = setTimeout(() => settle('hung'), hangMs)
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    socket.on('error', (error) => settle(isRefused(error) ? 'refused' : 'over'))
    socket.on('close', () => settle('over'))
    socket.write(bytes, () => {
      if (ending === 'cut') socket.destroy()
      else if (ending === 'end') socket.end()
      else if (ending === 'reset') patience = setTimeout(() => socket.resetAndDestroy(), RESET_AFTER_MS)
      else if (ending === 'read') patience = setTimeout(() => socket.end(), PATIENCE_MS)
    })
  })
