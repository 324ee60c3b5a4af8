/** Connection limits: timeouts of slow requests, and the answers to what Node refuses before any route is reached. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PREVIEW_QUERY_MAX } from '#contract/preview-address.ts'

/** Node counts the address as a header. The longest preview and a browser's other headers must fit in. */
export const HEADER_LIMIT = PREVIEW_QUERY_MAX + 16 * 1024

const CHECK_INTERVAL_MS = 500
/**
 * A connection that sends its request byte by byte holds memory and a descriptor. Node looks at its connections once in each
 * interval, so that headers arrive within 6 seconds and bodies within 12, or never.
 */
export const SLOW_REQUEST_LIMITS = {
  headersTimeout: 6000 - CHECK_INTERVAL_MS,
  requestTimeout: 12_000 - CHECK_INTERVAL_MS,
  connectionsCheckingInterval: CHECK_INTERVAL_MS,
} as const

/**
 * How long a caller may take to read an answer. One that reads byte by byte would hold its connection, and what is not yet
 * sent, for ever. The largest script takes 38 kbit/s; in production the reader is the proxy.
 */
export const ANSWER_LIMIT_MS = 60_000

/** Does the work after `ms`, unless it is stopped before: a port, for what real sockets do takes no time of a test's. */
export type StartTimer = (ms: number, work: () => void) => () => void

export const startSystemTimer: StartTimer = (ms, work) => {
  const timer = setTimeout(work, ms).unref()
  return () => clearTimeout(timer)
}

/** How long what a refused caller goes on sending is thrown away: closed at once, it would see a reset and no answer. */
const REFUSED_LINGER_MS = 2000

/** Fresh for each answer: no two have the same Request-Id. */
type Headers = () => Readonly<Record<string, string>>

const REFUSALS: Readonly<Record<string, readonly [status: string, words: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '414 URI Too Long',
    `The address is too long: with all headers it may have ${HEADER_LIMIT} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time. Send it again.'],
}
const UNREADABLE = ['400 Bad Request', 'This is no request that can be read.'] as const

/** What Node cannot read reaches no route; the caller is still told why, under our headers. */
export const refuseUnread =
  (headers: Headers) =>
  ({ code }: { readonly code?: string }, socket: Socket): void => {
    if (code === 'ECONNRESET' || !socket.writable) {
      // Ended by us: the rest of a refused request is still coming in.
      if (!socket.writableEnded) socket.destroy()
      return
    }
    const [status, words] = REFUSALS[code ?? ''] ?? UNREADABLE
    const lines = Object.entries({
      ...headers(),
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(words.length + 1),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${words}\n`)
    startSystemTimer(REFUSED_LINGER_MS, () => socket.destroy())
  }

const READING_INTERVAL_MS = 1000

/** An answer on its way, as `ServerResponse` is. */
interface SentAnswer {
  /** Bytes that wait for the caller. */
  readonly writableLength: number
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

/**
 * Ends the connection of a caller that does not take its answer in time. To be called when the answer is sent, not before. Only
 * the time in which something waits for the caller counts: an export that rests beside payments is slow by our own doing.
 */
export const limitReadingTime = (answer: SentAnswer, startTimer: StartTimer = startSystemTimer): void => {
  let waitedMs = 0
  const look = (): void => {
    if (answer.writableLength > 0) waitedMs += READING_INTERVAL_MS
    if (waitedMs >= ANSWER_LIMIT_MS) answer.destroy()
    else stop = startTimer(READING_INTERVAL_MS, look)
  }
  let stop = startTimer(READING_INTERVAL_MS, look)
  answer.once('close', () => stop())
}

/** Twenty callers who sent two megabytes with each call that was refused took most of the main thread, which read them to throw them away. */
const UNREAD_MAX = 64 * 1024

/** Whether a request that is answered now has much of its body still to come: its connection ends, and the rest is not read. */
export const leavesMuchUnread = ({ complete, headers }: Pick<IncomingMessage, 'complete' | 'headers'>): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > UNREAD_MAX)

/**
 * How long a caller that has shut its side is still answered. Node ends such a connection at once, without its answer, and so a
 * flood opened three thousand new ones a second: nothing made it wait.
 */
export const HALF_CLOSED_MS = 2000

/** To be called before a request comes. A caller that shuts its side may have hung up, or may wait for its answer. */
export const answerHalfClosed = (server: Server, startTimer: StartTimer = startSystemTimer): void => {
  // What Node's own documentation does not name: with it, what was asked is answered before the connection ends.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => {
      socket.once(
        'close',
        startTimer(HALF_CLOSED_MS, () => socket.destroy()),
      )
    })
  })
}

/**
 * How many requests of one connection may wait for their answers. No browser and no proxy sends a second one before the first is
 * answered.
 */
const PIPELINED_MAX = 8

/** How long a connection with more is left open. Closed at once, it would come back at once. */
export const PIPELINED_LINGER_MS = 2000

/** What comes on a connection beyond these is not even looked at: Node has read hundreds of requests before it closes a connection. */
export const limitPipelining = (server: Server, startTimer: StartTimer = startSystemTimer): void => {
  const waiting = new WeakMap<Socket, number>()
  const readers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const before = waiting.get(socket) ?? 0
    waiting.set(socket, before + 1)
    if (before < PIPELINED_MAX) {
      response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
      for (const read of readers) Reflect.apply(read, server, [request, response])
    } else if (before === PIPELINED_MAX) {
      socket.once(
        'close',
        startTimer(PIPELINED_LINGER_MS, () => socket.destroy()),
      )
      // In the next turn: until then Node itself reads on, for each request that it has found.
      setImmediate(() => socket.pause())
    }
  })
}

/** Node itself would answer an unknown expectation with a bare 417. */
export const refuseExpectations = (server: Pick<Server, 'on'>, headers: Headers): void => {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { ...headers(), 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    response.end('Only the expectation 100-continue is understood.\n')
  })
}

/** Why a request is refused before it is routed; undefined: nothing is wrong with its target. */
export const targetProblem = ({
  url = '',
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'rawHeaders'>): string | undefined => {
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length !== 1) return 'A request must have one Host header.'
  // An absolute address names a host of its own, which a proxy and we could read differently.
  return url.startsWith('/') ? undefined : 'A request must name a path, such as /checkout.'
}
