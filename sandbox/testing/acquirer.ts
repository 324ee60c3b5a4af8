import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openAcquirer } from '../acquirer/acquirer.ts'
import { createRouter } from '../http/router.ts'

export const timeScale = 0.1

export const ordinaryCard = {
  number: '4100000000000100',
  expiryMonth: 12,
  expiryYear: 2031,
  cvc: '9180',
  holderName: 'HANAKO YAMADA',
}

export const makeFolder = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-sandbox-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The acquirer in this process, on a free port. */
export const serveAcquirer = async (t: TestContext, scale = timeScale): Promise<Client> => {
  const acquirer = openAcquirer(makeFolder(t), scale)
  const server = createServer(createRouter(acquirer.routes))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
    acquirer.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server has no port')
  return connect(address.port)
}

export const mainFile = join(import.meta.dirname, '..', 'main.ts')

export const mainArguments = (dataFolder: string, port = 0): string[] => [
  mainFile,
  ...Object.entries({ port, host: '127.0.0.1', data: dataFolder, 'time-scale': timeScale }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]),
]

type Exit = Readonly<{ code: number | null; signal: string | null }>

type Sandbox = { child: ChildProcess; client: Client; exited: Promise<Exit>; output: () => string }

/** The program itself, as its own process. */
export const startSandbox = async (t: TestContext, dataFolder: string, port = 0): Promise<Sandbox> => {
  const child = spawn(process.execPath, mainArguments(dataFolder, port), { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  t.after(() => child.kill('SIGKILL'))
  const output = collect(child)
  const exited = exitOf(child)
  return { child, client: connect(await readyPort(child)), exited, output }
}

export const collect = (child: ChildProcess): (() => string) => {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

export const exitOf = async (child: ChildProcess): Promise<Exit> => {
  // 'close' would say both, but it never comes after a disconnect.
  const drained = [child.stdout, child.stderr].map((stream) => (stream ? once(stream, 'end') : Promise.resolve()))
  await once(child, 'exit')
  await Promise.all(drained)
  return { code: child.exitCode, signal: child.signalCode }
}

export const readyPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(Number(field(message, 'port'))))
    child.once('exit', () => reject(new Error('the sandbox ended before it was ready')))
  })

export const field = (value: unknown, name: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined
  return new Map<string, unknown>(Object.entries(value)).get(name)
}

export const itemsOf = (list: { body: unknown }): unknown[] => {
  const items = field(list.body, 'items')
  return Array.isArray(items) ? items : []
}

type Answer = { status: number; body: unknown; headers: Headers }

type Client = {
  port: number
  send: (method: string, path: string, body?: string, signal?: AbortSignal) => Promise<Answer>
  charge: (orderId: string, change?: Change, signal?: AbortSignal) => Promise<Answer>
  inquire: (orderId: string) => Promise<Answer>
  fence: (orderId: string) => Promise<Answer>
  refund: (orderId: string, refundId: string, amount: unknown) => Promise<Answer>
  list: (query?: string) => Promise<Answer>
}

export type Change = { card?: object } & Record<string, unknown>

export const chargeBody = ({ card, ...rest }: Change = {}): string =>
  JSON.stringify({ amount: 1980, currency: 'JPY', card: { ...ordinaryCard, ...card }, ...rest })

const connect = (port: number): Client => {
  const send: Client['send'] = async (method, path, body, signal) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
      ...(signal ? { signal } : {}),
    })
    const answer: unknown = await response.json()
    return { status: response.status, body: answer, headers: response.headers }
  }
  const orders = '/acquirer/v1/orders'
  return {
    port,
    send,
    charge: (orderId, change, signal) => send('POST', `${orders}/${orderId}/charge`, chargeBody(change), signal),
    inquire: (orderId) => send('GET', `${orders}/${orderId}`),
    fence: (orderId) => send('POST', `${orders}/${orderId}/fence`),
    refund: (orderId, refundId, amount) =>
      send('POST', `${orders}/${orderId}/refunds/${refundId}`, JSON.stringify({ amount })),
    list: (query = '') => send('GET', `${orders}${query}`),
  }
}

/** Asks again until the answer is as wanted: the time limit is what a test of a scaled duration may take. */
export const eventually = async <Value>(
  ask: () => Promise<Value>,
  wanted: (value: Value) => boolean,
  limitMs: number,
): Promise<Value> => {
  const deadline = Date.now() + limitMs
  for (;;) {
    const value = await ask()
    if (wanted(value)) return value
    if (Date.now() > deadline) throw new Error(`not so within ${limitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
