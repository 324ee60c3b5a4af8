/** Load of the overload proof, in a process of its own: node tools/prove/overload/load.ts <kind> <port> <connections> */
import { request, Agent } from 'node:http'
import { connect } from 'node:net'

const KINDS = ['pages', 'worst requests', 'slow connections'] as const
export type LoadKind = (typeof KINDS)[number]

const HOST = 'demo.localhost'
const UNKNOWN = 'a'.repeat(32)
/** The dearest request that was known: 15,000 parameters, each of them looked at for a card number. */
const WORST_PATH = `/${UNKNOWN}?${'a&'.repeat(15_000)}`

interface Answers {
  total: number
  shed: number
  shedWithoutRetryAfter: number
}
const answers: Answers = { total: 0, shed: 0, shedWithoutRetryAfter: 0 }

const sendAgain = (port: number, path: string, agent: Agent): void => {
  const call = request({ host: '127.0.0.1', port, path, agent, headers: { host: `${HOST}:${port}` } }, (response) => {
    answers.total += 1
    if (response.statusCode === 503) {
      answers.shed += 1
      if (response.headers['retry-after'] === undefined) answers.shedWithoutRetryAfter += 1
    }
    response.resume().on('end', () => sendAgain(port, path, agent))
  })
  // A connection that the server closed is opened again.
  call.on('error', () => setTimeout(() => sendAgain(port, path, agent), 50))
  call.end()
}

const drip = (port: number): void => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET /${UNKNOWN} HTTP/1.1\r\nHost: ${HOST}:${port}\r\nX-Slow: `)
  const timer = setInterval(() => socket.write('a'), 1000)
  socket.on('close', () => {
    clearInterval(timer)
    drip(port)
  })
}

const [kind, port = '0', connections = '0'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
for (let each = 0; each < Number(connections); each += 1) {
  if (kind === 'slow connections') drip(Number(port))
  else sendAgain(Number(port), kind === 'pages' ? `/preview?amount=${each}` : WORST_PATH, agent)
}
process.on('message', () => process.send?.(answers))
