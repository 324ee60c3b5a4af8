/** Hostile addresses: what a merchant could register to reach our own network, and how many of them were reached. */
import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import { createReadWebhookAddress } from '../../server/webhooks/read-address.ts'
import type { ResolveName } from '../../server/webhooks/resolve-name.ts'
import { createSendWebhook } from '../../server/webhooks/send-webhook.ts'
import { listenOnFreePort } from './server-process.ts'

const RULES = {
  isLoopbackAllowed: false,
  ownPorts: [3000],
  ownAddresses: [],
  denied: ['168.63.129.16', '203.0.112.0/24', '2600:1234::/32'],
}

/** Addresses that are not public: of each range its ends and something between them, and what looks public but leads inside. */
const PRIVATE_IPV4 = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.0', '10.1.2.3', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.1.1.1', '127.255.255.255', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ...['172.16.0.0', '172.20.10.1', '172.31.255.255', '192.0.0.0', '192.0.0.8', '192.0.2.1', '192.88.99.1'],
  ...['192.168.0.0', '192.168.1.1', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.7', '203.0.113.9'],
  ...['224.0.0.0', '224.0.0.1', '239.255.255.255', '240.0.0.0', '250.1.2.3', '255.255.255.254', '255.255.255.255'],
  ...['168.63.129.16', '203.0.112.0', '203.0.112.255'],
]

/** The same addresses as a URL may spell them: the parser writes them all in one way. */
const spellings = (address: string): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  return [
    String(whole),
    `0x${whole.toString(16)}`,
    `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
    `0x${a.toString(16)}.0x${b.toString(16)}.0x${c.toString(16)}.0x${d.toString(16)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
  ]
}

const SPELT = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '172.16.0.1',
  '0.0.0.0',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '224.0.0.1',
  '168.63.129.16',
].flatMap(spellings)

const hex = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

/** IPv4 inside IPv6: mapped, compatible, translated, 6to4, Teredo, ISATAP. */
const EMBEDDED = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.0.1', '8.8.8.8'].flatMap((address) => [
  `::ffff:${address}`,
  `::ffff:${hex(address)}`,
  `::${address}`,
  `::${hex(address)}`,
  `::ffff:0:${address}`,
  `64:ff9b::${address}`,
  `64:ff9b:1::${address}`,
  `2002:${hex(address)}::1`,
  `2001:0:${hex(address)}::1`,
  `fe80::5efe:${address}`,
])

const PRIVATE_IPV6 = [
  ...['::', '::1', '::2', '::ffff:0:0', '100::1', '1fff::1', '4000::1', '5f00::1', '8000::1', 'c000::1'],
  ...['fc00::', 'fc00::1', 'fd00::1', 'fd12:3456:789a::1', 'fdff:ffff::1', 'fe80::', 'fe80::1', 'febf::1', 'fec0::1'],
  ...['ff00::1', 'ff02::1', 'ff05::2', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::1', '2001:10::1'],
  ...['2001:20::1', '2001:2::1', '2001::1', '2002::1', '2600:1234::1', '2600:1234:ffff::1', '3fff::1'],
]

/** What is no https address at all, or names one in a way that hides it. */
const odd = (port: number): string[] => [
  `http://shop.example.com:${port}/hook`,
  `http://localhost:${port}/hook`,
  `http://127.0.0.1:${port}/hook`,
  `https://localhost:${port}/`,
  `https://localhost.:${port}/`,
  `https://tea.localhost:${port}/`,
  `https://127.0.0.1.:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:1',
  `https://user@127.0.0.1:${port}/`,
  `https://:secret@127.0.0.1:${port}/`,
  `https://shop.example.com@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}#@shop.example.com/`,
  `https://①②⑦.⓪.⓪.①:${port}/`,
  `https://127。0。0。1:${port}/`,
  `https://ⅼocalhost:${port}/`,
  `https://[::1%25lo]:${port}/`,
]

const IPV6 = [...EMBEDDED, ...PRIVATE_IPV6]

const literals = (port: number): string[] => [
  ...[...PRIVATE_IPV4, ...SPELT].map((address) => `https://${address}:${port}/hook`),
  ...IPV6.map((address) => `https://[${address}]:${port}/hook`),
]

const familyOf = (address: string): number => (address.includes(':') ? 6 : 4)
const REDIRECTS = [301, 302, 303, 307, 308]
const REBINDINGS = 20

/** What was tried and what came of it. All but the numbers of tries must be 0. */
export interface HostileFigures {
  readonly addresses: number
  readonly names: number
  readonly rebindings: number
  readonly redirects: number
  readonly registered: number
  readonly requestsOpened: number
  readonly connections: number
}

/** Registers and sends to every one of them. Who listens on this machine counts the connections that arrive. */
export const tryHostileAddresses = async (): Promise<HostileFigures> => {
  let [connections, requestsOpened, registered] = [0, 0, 0]
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const port = await listenOnFreePort(listener)
  const sender = (resolve: ResolveName, rules = RULES, count = true) =>
    createSendWebhook({
      rules,
      resolve,
      timeoutMs: 500,
      request: (url, options) => {
        if (count) requestsOpened += 1
        return url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options)
      },
    })
  const post = { headers: {}, body: '{}' }
  const inside: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }]

  const addresses = [...literals(port), ...odd(port)]
  const read = createReadWebhookAddress(RULES, inside)
  for (const url of addresses) {
    if (URL.canParse(url)) await sender(inside)({ url, ...post })
    if (typeof (await read(url)) === 'string') registered += 1
  }

  const names = [...PRIVATE_IPV4, ...IPV6]
  for (const address of names) {
    // One bad address behind a good one is enough.
    const found = [
      { address: '203.0.111.1', family: 4 },
      { address, family: familyOf(address) },
    ]
    for (const answer of [found, found.slice(1)])
      await sender(async () => answer)({ url: `https://shop.example.com:${port}/`, ...post })
  }

  const rebind = (): ResolveName => {
    let asked = 0
    return async () => [{ address: (asked += 1) === 1 ? '203.0.111.1' : '127.0.0.1', family: 4 }]
  }
  await Promise.all(
    Array.from({ length: REBINDINGS }, () =>
      sender(rebind(), RULES, false)({ url: `https://rebound.example.com:${port}/`, ...post }),
    ),
  )

  const local = { ...RULES, isLoopbackAllowed: true }
  for (const status of REDIRECTS) {
    const redirecting = createHttpServer((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    const url = `http://127.0.0.1:${await listenOnFreePort(redirecting)}/`
    const answer = await sender(inside, local, false)({ url, ...post })
    if (answer.outcome !== 'answered' || answer.status !== status)
      throw new Error(`no redirect: ${JSON.stringify(answer)}`)
    redirecting.close()
  }
  listener.close()
  return {
    addresses: addresses.length,
    names: 2 * names.length,
    rebindings: REBINDINGS,
    redirects: REDIRECTS.length,
    registered,
    requestsOpened,
    connections,
  }
}
