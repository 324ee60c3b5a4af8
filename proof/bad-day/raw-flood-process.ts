/** Raw flood process: sends requests over many sockets in ways that no HTTP client does. Its parent says which, and asks for answers. */
import { connect, type Socket } from 'node:net'

/** How a flood sends what it sends. */
export interface RawFlood {
  readonly port: number
  readonly connections: number
  /** Whole requests, each with `networkMark` in the place of the network that it says it comes from. */
  readonly requests: readonly string[]
  readonly networkMark: string
  /** How many networks it comes from; each request from the next of them. */
  readonly networks: number
  /** How many requests are sent on one connection before the first is answered. */
  readonly pipelined: number
  /** Whether it shuts its side once it has sent them. */
  readonly halfClosed: boolean
  /** One byte is sent each so many milliseconds after the requests, for ever. */
  readonly dribbleMs?: number
}

/** How often each status was answered; 0: the connection was closed. */
export type RawAnswers = Readonly<Record<number, number>>

const AGAIN_MS = 20
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g
/** Of a status line that may be cut in two: one character less than what is looked for. */
const KEPT = 12

const answers: Record<number, number> = {}
let sent = 0

const nextRequest = ({ requests, networkMark, networks }: RawFlood): string => {
  const network = sent % networks
  const request = requests[sent % requests.length] ?? ''
  sent += 1
  // At the beginning of the request: what is searched must not cost the flood its time.
  return request.replace(networkMark, `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`)
}

const dribble = (socket: Socket, everyMs: number): void => {
  const timer = setInterval(() => socket.writable && socket.write('a'), everyMs)
  socket.once('close', () => clearInterval(timer))
}

const flood = (given: RawFlood): void => {
  const socket = connect(given.port, '127.0.0.1')
  let rest = ''
  socket.setNoDelay(true).on('error', () => undefined)
  socket.on('connect', () => {
    const first = Array.from({ length: given.pipelined }, () => nextRequest(given)).join('')
    if (given.halfClosed) socket.end(first)
    else socket.write(first)
    if (given.dribbleMs !== undefined) dribble(socket, given.dribbleMs)
  })
  socket.on('data', (chunk) => {
    rest += chunk.toString('latin1')
    const statuses = [...rest.matchAll(STATUS_LINE)].map(([, status]) => Number(status))
    rest = rest.slice(-KEPT)
    for (const status of statuses) {
      answers[status] = (answers[status] ?? 0) + 1
      if (socket.writable && given.dribbleMs === undefined) socket.write(nextRequest(given))
    }
  })
  socket.on('close', () => {
    answers[0] = (answers[0] ?? 0) + 1
    setTimeout(() => flood(given), AGAIN_MS)
  })
}

process.on('message', (message: RawFlood | 'answers') => {
  if (message === 'answers') process.send?.(answers)
  else for (let each = 0; each < message.connections; each += 1) flood(message)
})
// A flood that outlives its proof would go on for ever.
process.on('disconnect', () => process.exit(0))
