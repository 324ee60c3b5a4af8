import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createReadWebhookAddress } from './read-address.ts'
import { resolveName, type ResolveName } from './resolve-name.ts'
import { createSendWebhook } from './send-webhook.ts'

const RULES = {
  isLoopbackAllowed: false,
  ownPorts: [3000],
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

const LITERALS = [
  ...[...PRIVATE_IPV4, ...SPELT].map((address) => `https://${address}/hook`),
  ...[...EMBEDDED, ...PRIVATE_IPV6].map((address) => `https://[${address}]/hook`),
]

/** What is no https address at all, or names one in a way that hides it. */
const ODD = [
  'http://shop.example.com/hook',
  'http://localhost/hook',
  'http://127.0.0.1:3000/hook',
  'ftp://shop.example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:1',
  'https://user@shop.example.com/',
  'https://:secret@shop.example.com/',
  'https://shop.example.com@127.0.0.1/',
  'https://127.0.0.1#@shop.example.com/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://[::1%25lo]/',
]

interface Opened {
  readonly count: () => number
  readonly hosts: string[]
}

describe('no socket is opened to an address that is not public', () => {
  let port: number
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  before(async () => {
    await new Promise<void>((listening) => {
      listener.listen(0, '127.0.0.1', listening)
    })
    port = (listener.address() as AddressInfo).port
  })
  after(() => listener.close())

  const guarded = (resolve: ResolveName, rules = RULES): { send(url: string): Promise<string>; opened: Opened } => {
    const hosts: string[] = []
    const sendWebhook = createSendWebhook({
      rules,
      resolve,
      timeoutMs: 2000,
      request: (url, options) => {
        hosts.push(url.href)
        return url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options)
      },
    })
    const send = async (url: string): Promise<string> => {
      const answer = await sendWebhook({ url, headers: {}, body: '{}' })
      return answer.outcome === 'answered' ? String(answer.status) : answer.why
    }
    return { send, opened: { count: () => connections, hosts } }
  }
  const unasked: ResolveName = async (hostname) => assert.fail(`${hostname} was looked up`)

  test(`of ${LITERALS.length + ODD.length} hostile addresses none is connected to, and none can be registered`, async () => {
    assert.ok(LITERALS.length + ODD.length >= 200)
    const { send, opened } = guarded(async () => [{ address: '127.0.0.1', family: 4 }])
    const read = createReadWebhookAddress(RULES, async () => [{ address: '127.0.0.1', family: 4 }])
    for (const url of [...LITERALS, ...ODD]) {
      if (URL.canParse(url)) assert.match(await send(url), /^address refused: /, url)
      assert.equal(typeof (await read(url)), 'object', url)
    }
    assert.deepEqual([opened.hosts, opened.count()], [[], 0])
  })

  test('a literal address is decided without asking anybody, and a public one is let through', async () => {
    const { send, opened } = guarded(unasked)
    assert.match(await send(`https://127.0.0.1:${port}/`), /^address refused/)
    const read = createReadWebhookAddress(RULES, unasked)
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      '[2606:4700:4700::1111]',
      '[2a00:1450::1]',
      '203.0.111.255',
      '168.63.129.17',
    ])
      assert.equal(await read(`https://${address}/hook`), `https://${address}/hook`)
    assert.deepEqual([opened.hosts, opened.count()], [[], 0])
  })

  test('a name that leads inside is refused, also where only one of its addresses does', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '10.0.0.1'],
      ['::1'],
      ['2606:4700::1', 'fd00::1'],
      ['::ffff:7f00:1'],
    ]) {
      const resolve: ResolveName = async () =>
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const { send, opened } = guarded(resolve)
      assert.match(await send(`https://rebound.example.com:${port}/`), /^address refused/, addresses.join())
      assert.deepEqual([opened.hosts, opened.count()], [[], 0])
    }
  })

  test('a name that answers otherwise the second time is not asked a second time', async () => {
    let asked = 0
    const { send, opened } = guarded(async () => {
      asked += 1
      // Of the range that is kept for benchmarks nothing answers; 127.0.0.1 would.
      return [{ address: asked === 1 ? '203.0.111.1' : '127.0.0.1', family: 4 }]
    })
    const why = await send(`https://rebound.example.com:${port}/`)
    assert.match(why, /^no (connection|answer)/)
    assert.deepEqual([asked, opened.count()], [1, 0])
  })

  test('names of this machine are resolved without asking anybody', async () => {
    for (const name of ['localhost', 'tea.localhost'])
      assert.deepEqual(
        (await resolveName(name)).map(({ address }) => address),
        ['127.0.0.1', '::1'],
      )
  })

  test('this machine is reached by http only where we are reached so ourselves, and our own ports never', async () => {
    const local = { ...RULES, isLoopbackAllowed: true, ownPorts: [3000, port] }
    const here: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }]
    const { send, opened } = guarded(here, local)
    for (const host of ['localhost', '127.0.0.1', 'tea.localhost', '[::1]', '2130706433'])
      assert.match(await send(`http://${host}:${port}/`), /port of this server/, host)
    assert.match(await send(`https://localhost:${port}/`), /not public/)
    assert.match(await send(`http://shop.example.com:${port}/`), /is not https/)
    assert.deepEqual([opened.hosts, opened.count()], [[], 0])
    const allowed = guarded(here, { ...local, ownPorts: [3000] })
    assert.match(await allowed.send(`http://localhost:${port}/`), /^no connection/)
    assert.equal(connections, 1)
    // A name of this machine that leads elsewhere.
    const elsewhere = guarded(async () => [{ address: '8.8.8.8', family: 4 }], { ...local, ownPorts: [3000] })
    assert.match(await elsewhere.send('http://evil.localhost/'), /not public/)
  })
})
