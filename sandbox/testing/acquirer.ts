import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openAcquirer } from '../acquirer/acquirer.ts'
import { createRouter } from '../http/router.ts'

export const TIME_SCALE = 0.1

export const ORDINARY_CARD = {
  number: '4100000000000100',
  expiryMonth: 12,
  expiryYear: 2031,
  cvc: '9180',
  holderName: 'HANAKO YAMADA',
}

export const makeTemporaryFolder = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-sandbox-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const listenOnFreePort = async (t: TestContext, server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return Number(field(server.address(), 'port'))
}

/** Simulated acquirer in the process of the test, on a free port. */
export const serveAcquirer = async (t: TestContext, scale = TIME_SCALE): Promise<AcquirerClient> => {
  const acquirer = openAcquirer(makeTemporaryFolder(t), scale)
  const port = await listenOnFreePort(t, createServer(createRouter(acquirer.routes)))
  t.after(acquirer.close)
  return createAcquirerClient(port)
}

export const MAIN_FILE = join(import.meta.dirname, '..', 'main.ts')

export const mainArguments = (dataFolder: string, port = 0, change: Record<string, string> = {}): string[] => [
  MAIN_FILE,
  ...Object.entries({ port, host: '127.0.0.1', data: dataFolder, 'time-scale': TIME_SCALE, ...change }).flatMap(
    ([name, value]) => [`--${name}`, String(value)],
  ),
]

interface ProcessExit {
  readonly code: number | null
  readonly signal: string | null
}

interface SandboxProcess {
  readonly child: ChildProcess
  readonly client: AcquirerClient
  readonly exited: Promise<ProcessExit>
  output(): string
}

/** The program itself, in a process of its own. */
export const startSandboxProcess = async (
  t: TestContext,
  dataFolder: string,
  port = 0,
  change: Record<string, string> = {},
): Promise<SandboxProcess> => {
  const child = spawn(process.execPath, mainArguments(dataFolder, port, change), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  const output = captureOutput(child)
  const exited = waitForExit(child)
  return { child, client: createAcquirerClient(await waitForReadyPort(child)), exited, output }
}

export const captureOutput = (child: ChildProcess): (() => string) => {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

export const waitForExit = async (child: ChildProcess): Promise<ProcessExit> => {
  // 'close' would cover both, but it never comes after a disconnect.
  const drained = [child.stdout, child.stderr].map((stream) =>
    stream === null ? Promise.resolve() : once(stream, 'end'),
  )
  await once(child, 'exit')
  await Promise.all(drained)
  return { code: child.exitCode, signal: child.signalCode }
}

export const waitForReadyPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(Number(field(message, 'port'))))
    child.once('exit', () => reject(new Error('the sandbox ended before it was ready')))
  })

export const field = (value: unknown, name: string): unknown => {
  if (typeof value !== 'object' || value === null) return undefined
  return new Map<string, unknown>(Object.entries(value)).get(name)
}

export const itemsOf = (list: { readonly body: unknown }): unknown[] => {
  const items = field(list.body, 'items')
  return Array.isArray(items) ? items : []
}

interface AcquirerResponse {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

interface AcquirerClient {
  readonly port: number
  send(method: string, path: string, body?: string, signal?: AbortSignal): Promise<AcquirerResponse>
  charge(orderId: string, change?: ChargeChange, signal?: AbortSignal): Promise<AcquirerResponse>
  inquire(orderId: string): Promise<AcquirerResponse>
  fence(orderId: string): Promise<AcquirerResponse>
  refund(orderId: string, refundId: string, amount: unknown): Promise<AcquirerResponse>
  list(query?: string): Promise<AcquirerResponse>
}

export type ChargeChange = { readonly card?: object } & Record<string, unknown>

export const chargeBody = ({ card, ...rest }: ChargeChange = {}): string =>
  JSON.stringify({ amount: 1980, currency: 'JPY', card: { ...ORDINARY_CARD, ...card }, ...rest })

const createAcquirerClient = (port: number): AcquirerClient => {
  const send: AcquirerClient['send'] = async (method, path, body, signal) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
      ...(signal === undefined ? {} : { signal }),
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

/** Polls until the value is as wanted: the timeout is what a test of a scaled duration may take. */
export const pollUntil = async <Value>(
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value> => {
  for (;;) {
    const value = await read()
    if (isWanted(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
