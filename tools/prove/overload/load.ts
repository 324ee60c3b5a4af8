/** Load of the overload proof, in a process of its own: node tools/prove/overload/load.ts <kind> <port> <connections> <checkout> <key> */
import { randomBytes } from 'node:crypto'
import { request, Agent, type RequestOptions } from 'node:http'
import { connect } from 'node:net'

const SHOP = 'demo.localhost'
const UNKNOWN = 'a'.repeat(32)
/** The dearest request that was known: 15,000 parameters, each of them looked at for a card number. */
const WORST_PATH = `/${UNKNOWN}?${'a&'.repeat(15_000)}`
/** U+FDFA is one character that is compared as eighteen. */
const LONG_TEXT = '\uFDFA'.repeat(250)
/** The header of a JPEG file, and nothing that could be drawn behind it. */
const PICTURE = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.alloc(2_000_000, 255),
])

interface Target {
  readonly checkout: string
  readonly key: string
}

interface LoadRequest extends Pick<RequestOptions, 'method' | 'path'> {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Each request on a connection of its own. */
  readonly reconnects?: boolean
}

const shopper = (path: string): LoadRequest => ({ path, headers: { host: SHOP, merchant: 'demo' } })

const merchant = (key: string, path: string, more: Partial<LoadRequest> = {}): LoadRequest => ({
  path: `/merchant/v1${path}`,
  ...more,
  headers: { host: 'localhost', authorization: `Bearer ${key}`, ...more.headers },
})

const json = { 'content-type': 'application/json' }

const madeUpKey = (): string =>
  `sk_test_${randomBytes(16)
    .toString('hex')
    .replaceAll(/[018-9]/g, 'a')}`

const REQUESTS = {
  pages: (_target: Target, each: number) => shopper(`/preview?amount=${each}`),
  'worst requests': () => shopper(WORST_PATH),
  'readings of one link': ({ checkout }: Target) => shopper(`/api/v1/checkouts/${checkout}`),
  'payment calls of no link': () => ({ ...shopper(`/api/v1/checkouts/${UNKNOWN}`), method: 'DELETE' }),
  'made-up keys': () => ({ ...merchant(madeUpKey(), '/me'), reconnects: true }),
  exports: ({ key }: Target) => merchant(key, '/exports/movements.csv'),
  lists: ({ key }: Target) => merchant(key, '/checkouts?limit=100'),
  'changes of settings': ({ key }: Target) =>
    merchant(key, '/settings', {
      method: 'PATCH',
      headers: { ...json, 'if-match': '*' },
      body: JSON.stringify({ shopAddress: LONG_TEXT }),
    }),
  creations: ({ key }: Target) =>
    merchant(key, '/checkouts', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ amount: 1, subject: LONG_TEXT, remarks: LONG_TEXT }),
    }),
  uploads: ({ key }: Target) => merchant(key, '/settings/logo', { method: 'PUT', body: PICTURE }),
} as const satisfies Record<string, (target: Target, each: number) => LoadRequest>

export type LoadKind = keyof typeof REQUESTS | 'slow connections'

const isRequestKind = (kind: string): kind is keyof typeof REQUESTS => Object.hasOwn(REQUESTS, kind)

interface Answers {
  total: number
  shed: number
  shedWithoutRetryAfter: number
}
const answers: Answers = { total: 0, shed: 0, shedWithoutRetryAfter: 0 }

const sendAgain = (port: number, next: () => LoadRequest, agent: Agent): void => {
  const { method = 'GET', path, headers, body, reconnects = false } = next()
  const host = `${headers['host']}:${port}`
  const call = request(
    { host: '127.0.0.1', port, method, path, agent: reconnects ? false : agent, headers: { ...headers, host } },
    (response) => {
      answers.total += 1
      const retryAfter = Number(response.headers['retry-after'] ?? 0)
      if (response.statusCode === 503) {
        answers.shed += 1
        if (retryAfter === 0) answers.shedWithoutRetryAfter += 1
      }
      // An API key beyond its limit would be answered 429 at once, and load nothing but its own limit.
      const isLimited = response.statusCode === 429
      response.resume().on('end', () => setTimeout(() => sendAgain(port, next, agent), isLimited ? 100 : 0))
    },
  )
  // A connection that the server closed is opened again.
  call.on('error', () => setTimeout(() => sendAgain(port, next, agent), 50))
  call.end(body)
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

const [kind = '', port = '0', connections = '0', checkout = '', key = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
for (let each = 0; each < Number(connections); each += 1) {
  if (isRequestKind(kind)) sendAgain(Number(port), () => REQUESTS[kind]({ checkout, key }, each), agent)
  else drip(Number(port))
}
process.on('message', () => process.send?.(answers))
