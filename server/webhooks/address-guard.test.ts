import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tryHostileAddresses } from '../../proof/harness/hostile-addresses.ts'
import { createReadWebhookAddress } from './read-address.ts'
import { resolveName, type ResolveName } from './resolve-name.ts'
import { createSendWebhook } from './send-webhook.ts'

const RULES = {
  isLoopbackAllowed: false,
  ownPorts: [3000],
  ownAddresses: ['203.0.111.7', '2600:99::7'],
  denied: ['168.63.129.16', '203.0.112.0/24', '2600:1234::/32'],
}

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

  test('hundreds of hostile addresses, names, rebindings and redirects open no request and no socket', async () => {
    const { addresses, names, rebindings, redirects, ...reached } = await tryHostileAddresses()
    assert.ok(addresses >= 200 && names >= 200 && rebindings >= 20 && redirects === 5, `${addresses} ${names}`)
    assert.deepEqual(reached, { registered: 0, requestsOpened: 0, connections: 0 })
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

  test('our own ports are not reached at a public address of this machine; its other ports and other machines are', async () => {
    const { send, opened } = guarded(unasked)
    const read = createReadWebhookAddress(RULES, unasked)
    for (const host of ['203.0.111.7', '[2600:99::7]', '[2600:99:0::0:7]']) {
      assert.match(await send(`https://${host}:3000/`), /port of this server/, host)
      assert.equal(typeof (await read(`https://${host}:3001/`)), 'string')
    }
    assert.equal(typeof (await read('https://203.0.111.8:3000/')), 'string')
    assert.deepEqual([opened.hosts, opened.count()], [[], 0])
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
