/** Fault line: an HTTP proxy between an adapter and its acquirer, which loses, delays, repeats or breaks the request that a test names. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseJson } from '../../server/parse-json.ts'

/** What happens to one request. `late`: lost for the adapter, and delivered to the acquirer when the test says so. */
export const FAULTS = [
  'answer swallowed',
  'dropped before the acquirer',
  '5xx after booking',
  '5xx before booking',
  'delayed',
  'duplicated',
  'late',
] as const
/** The process of the adapter ends at this request: whatever it would send next is never sent. */
export const CRASHES = ['crash before the request', 'crash before the answer'] as const
export type Fault = (typeof FAULTS)[number] | (typeof CRASHES)[number]

export interface SentCall {
  readonly method: string
  /** With its query. */
  readonly path: string
}
export type MatchesCall = (call: SentCall) => boolean

/** A request and what the acquirer answered. */
export interface Exchange extends SentCall {
  /** The body as JSON; null: it is none. */
  readonly answer: unknown
}

interface SentRequest extends SentCall {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface FaultLine {
  /** Scheme, host and port that the adapter takes for the acquirer's. */
  readonly origin: string
  /** What the adapter has sent, in this order, whatever became of it. */
  readonly calls: readonly SentCall[]
  /** The next request that matches meets this fault. */
  meetNext(matches: MatchesCall, fault: Fault): void
  /** Whether the named request came. A test whose fault met nothing shows nothing. */
  isMet(): boolean
  /** Whether the process of the adapter has ended. */
  isCrashed(): boolean
  /** The late requests reach the acquirer now. */
  deliverLate(): Promise<void>
  /** Everything that the adapter has sent reaches the acquirer once more. */
  repeatAll(): Promise<void>
  close(): Promise<void>
}

/** Of one connection, not of the request; the onward connection has its own. */
const HOP_HEADERS =
  /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|accept-encoding|host|expect)$/

const withoutHopHeaders = (headers: Iterable<readonly [string, string | string[] | undefined]>) =>
  Object.fromEntries(
    [...headers].flatMap(([name, value]) =>
      typeof value === 'string' && !HOP_HEADERS.test(name) ? [[name, value] as const] : [],
    ),
  )

const readRequest = async (incoming: IncomingMessage): Promise<SentRequest> => ({
  method: incoming.method ?? 'GET',
  path: incoming.url ?? '/',
  headers: withoutHopHeaders(Object.entries(incoming.headers)),
  body: Buffer.from(await buffer(incoming)),
})

const write = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  outgoing.writeHead(status, { ...headers, 'content-length': String(body.length) }).end(body)
}

/** As a proxy on the way words it: not in the acquirer's own format. */
const BAD_GATEWAY: Answer = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><title>502 Bad Gateway</title></html>'),
}

/** `acquirer`: scheme, host and port to which requests are handed on, unchanged. */
export const openFaultLine = async (
  acquirer: string,
  onExchange: (exchange: Exchange) => void = () => {},
): Promise<FaultLine> => {
  const sent: SentRequest[] = []
  const late: SentRequest[] = []
  let armed: { readonly matches: MatchesCall; readonly fault: Fault } | null = null
  let isCrashed = false

  const handOn = async ({ method, path, headers, body }: SentRequest): Promise<Answer> => {
    const isBare = method === 'GET' || method === 'HEAD'
    const response = await fetch(`${acquirer}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(isBare ? {} : { body }),
    })
    const answered = Buffer.from(await response.arrayBuffer())
    onExchange({ method, path, answer: parseJson(answered.toString('utf8')) })
    return { status: response.status, headers: withoutHopHeaders(response.headers), body: answered }
  }
  /** The acquirer may drop the connection itself. */
  const deliver = (request: SentRequest): Promise<unknown> => handOn(request).catch(() => null)

  const meet = async (fault: Fault, request: SentRequest, outgoing: ServerResponse): Promise<void> => {
    switch (fault) {
      case 'answer swallowed':
        await deliver(request)
        break
      case 'dropped before the acquirer':
        break
      case '5xx after booking':
        await deliver(request)
        return write(outgoing, BAD_GATEWAY)
      case '5xx before booking':
        return write(outgoing, BAD_GATEWAY)
      case 'delayed': {
        const hungUp = once(outgoing, 'close')
        await deliver(request)
        // The answer is there; the adapter waits for it until its time limit passes and it hangs up.
        await hungUp
        break
      }
      case 'duplicated': {
        const answer = await handOn(request)
        await deliver(request)
        return write(outgoing, answer)
      }
      case 'late':
        late.push(request)
        break
      case 'crash before the request':
        isCrashed = true
        break
      case 'crash before the answer':
        isCrashed = true
        await deliver(request)
        break
    }
    outgoing.destroy()
  }

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming)
    if (isCrashed) return void outgoing.destroy()
    sent.push(request)
    if (armed?.matches(request) !== true) return write(outgoing, await handOn(request))
    const { fault } = armed
    armed = null
    await meet(fault, request, outgoing)
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fault line has no port')

  return {
    origin: `http://127.0.0.1:${address.port}`,
    calls: sent,
    meetNext: (matches, fault) => {
      armed = { matches, fault }
    },
    isMet: () => armed === null,
    isCrashed: () => isCrashed,
    deliverLate: async () => {
      for (const request of late.splice(0)) await deliver(request)
    },
    repeatAll: async () => {
      for (const request of sent) await deliver(request)
    },
    close: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
