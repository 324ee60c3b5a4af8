/** Load of the overload proof, in a process of its own: node proof/overload/load.ts <kind> <port> <connections> */
import { request, Agent } from 'node:http'
import { connect } from 'node:net'

const SHOP = 'demo.localhost'
const UNKNOWN = 'a'.repeat(32)
/** The dearest request that was known: 15,000 parameters, each of them looked at for a card number. */
const WORST_PATH = `/${UNKNOWN}?${'a&'.repeat(15_000)}`

interface LoadRequest {
  readonly method: 'GET' | 'DELETE'
  readonly path: string
}

const REQUESTS = {
  pages: (each) => ({ method: 'GET', path: `/preview?amount=${each}` }),
  'worst requests': () => ({ method: 'GET', path: WORST_PATH }),
  'payment calls of no link': () => ({ method: 'DELETE', path: `/api/v1/checkouts/${UNKNOWN}` }),
} as const satisfies Record<string, (each: number) => LoadRequest>

export type LoadKind = keyof typeof REQUESTS | 'slow connections'

const isRequestKind = (kind: string): kind is keyof typeof REQUESTS => Object.hasOwn(REQUESTS, kind)

const answers = { total: 0, shed: 0, shedWithoutRetryAfter: 0 }

/** What it answers when it is asked. */
export type LoadReport = Readonly<typeof answers>

const sendAgain = (port: number, asked: LoadRequest, agent: Agent): void => {
  const headers = { host: `${SHOP}:${port}`, merchant: 'demo' }
  const call = request({ host: '127.0.0.1', port, agent, headers, ...asked }, (response) => {
    answers.total += 1
    if (response.statusCode === 503) {
      answers.shed += 1
      if (response.headers['retry-after'] === undefined) answers.shedWithoutRetryAfter += 1
    }
    response.resume().on('end', () => sendAgain(port, asked, agent))
  })
  // A connection that the server closed is opened again.
  call.on('error', () => setTimeout(() => sendAgain(port, asked, agent), 50))
  call.end()
}

const drip = (port: number): void => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET /${UNKNOWN} HTTP/1.1\r\nHost: ${SHOP}:${port}\r\nX-Slow: `)
  const timer = setInterval(() => socket.write('a'), 1000)
  socket.on('close', () => {
    clearInterval(timer)
    setTimeout(() => drip(port), 50)
  })
}

const [kind = '', port = '0', connections = '0'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
for (let each = 0; each < Number(connections); each += 1) {
  if (isRequestKind(kind)) sendAgain(Number(port), REQUESTS[kind](each), agent)
  else drip(Number(port))
}
process.on('message', () => process.send?.(answers))
