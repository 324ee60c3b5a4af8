/** Flood process: sends the same few requests again and again over many connections. Its parent says which, and asks for answers. */
import { Agent, request } from 'node:http'

/** One of a flood's requests. */
export interface FloodRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** In base64. */
  readonly body?: string
  /** Sent in place of the body: so many bytes are promised, and one comes each second. */
  readonly promisedBytes?: number
}

export interface Flood {
  readonly port: number
  readonly connections: number
  readonly keepAlive: boolean
  readonly requests: readonly FloodRequest[]
}

/** How often each status was answered; 0: the connection was closed instead. */
export type FloodAnswers = Readonly<Record<number, number>>

const AGAIN_AFTER_CLOSE_MS = 50

const answers: Record<number, number> = {}
const count = (status: number): void => {
  answers[status] = (answers[status] ?? 0) + 1
}

const sendAgain = (flood: Flood, agent: Agent, place: number): void => {
  const {
    method = 'GET',
    path = '/',
    headers,
    body,
    promisedBytes,
  } = flood.requests[place % flood.requests.length] ?? {}
  const length = promisedBytes === undefined ? {} : { 'content-length': String(promisedBytes) }
  const call = request({ host: '127.0.0.1', port: flood.port, method, path, agent, headers: { ...headers, ...length } })
  const again = (): void => sendAgain(flood, agent, place + flood.connections)
  let drip: NodeJS.Timeout | undefined
  let isOver = false
  call.on('response', (response) => {
    clearInterval(drip)
    isOver = true
    count(response.statusCode ?? 0)
    response.resume().on('error', () => undefined)
    response.on('close', again)
  })
  call.on('error', () => {
    clearInterval(drip)
    if (isOver) return
    isOver = true
    count(0)
    setTimeout(again, AGAIN_AFTER_CLOSE_MS)
  })
  if (promisedBytes === undefined) call.end(body === undefined ? undefined : Buffer.from(body, 'base64'))
  else drip = setInterval(() => call.write('a'), 1000)
}

process.on('message', (message: Flood | 'answers') => {
  if (message === 'answers') process.send?.(answers)
  else {
    const agent = new Agent({ keepAlive: message.keepAlive, maxSockets: message.connections })
    for (let place = 0; place < message.connections; place += 1) sendAgain(message, agent, place)
  }
})
// A flood that outlives its proof would go on for ever.
process.on('disconnect', () => process.exit(0))
