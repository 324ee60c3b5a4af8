/** Program behind a proxy: server and sandbox as in production, and a record of what the 3-D Secure server was sent. */
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readStartupLines, READY_TIMEOUT_MS } from '../../journeys/harness/program.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { spawnExitingWithParent } from '../../tools/exit-with-parent/spawn.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import { ROOT } from '../../tools/setup/setup.mjs'

export interface ProgramPorts {
  readonly https: number
  readonly server: number
  readonly sandbox: number
}

export interface ProxiedProgram {
  readonly merchantKey: string
  /** The shopper's addresses that the 3-D Secure server was told, by the requestor's id of the transaction. */
  readonly toldAddresses: ReadonlyMap<string, string>
  /** What server and sandbox have logged so far. */
  readLog(): string
  stop(): Promise<void>
}

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The requestor's id and the shopper's address in the body of an authentication; undefined for any other body. */
export const addressToldIn = (body: string): readonly [requestorTransId: string, address: string] | undefined => {
  const fields = parseJson(body)
  if (!isRecord(fields) || !isRecord(fields['browserInfoCollected'])) return undefined
  const { threeDSRequestorTransID: id, browserInfoCollected: browser } = fields
  return typeof id === 'string' ? [id, String(browser['browserIP'])] : undefined
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

/** Stands between the server and the sandbox's 3-D Secure API: the sandbox itself keeps no list of its calls. */
const startRecorder = async (sandboxPort: number, toldAddresses: Map<string, string>): Promise<Server> => {
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await text(incoming)
    const told = addressToldIn(body)
    if (told !== undefined) toldAddresses.set(...told)
    const host = `127.0.0.1:${sandboxPort}`
    const onward = request({
      host: '127.0.0.1',
      port: sandboxPort,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, host },
    })
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      onward.on('response', resolve).on('error', reject).end(body)
    })
    // The answer names addresses for the next calls: they must come here too.
    const changed = (await text(answer)).replaceAll(host, `127.0.0.1:${portOf(recorder)}`)
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, headers).end(changed)
  }
  const recorder = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy())
  }).listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  return recorder
}

/** Starts what `npm start` starts, with the settings that docs/operations.md gives for production. The folder is removed at its end. */
export const startProxiedProgram = async (base: URL, ports: ProgramPorts, folder: string): Promise<ProxiedProgram> => {
  const toldAddresses = new Map<string, string>()
  const recorder = await startRecorder(ports.sandbox, toldAddresses)
  const originOf = (label: string): string => `${base.protocol}//${label}.${base.host}`
  const program = spawnExitingWithParent(process.execPath, [join('tools', 'start.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    removeFolder: folder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SANDBOX: 'on',
      DEMO: 'on',
      HOST: '127.0.0.1',
      PORT: String(ports.server),
      PUBLIC_BASE: base.origin,
      TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_URL: '',
      DATA_DIR: join(folder, 'data'),
      SANDBOX_PORT: String(ports.sandbox),
      SANDBOX_TIME_SCALE: '0.1',
      SANDBOX_THREE_DS_ORIGIN: originOf('3ds-server'),
      SANDBOX_BANK_ORIGIN: originOf('bank'),
      THREE_DS_API_URL: `http://127.0.0.1:${portOf(recorder)}`,
      THREE_DS_MERCHANT_ID: 'sandbox',
      LOG_LEVEL: 'info',
    },
  })
  let log = ''
  program.stderr?.setEncoding('utf8').on('data', (part: string) => {
    log += part
  })
  const exited = once(program, 'exit')
  const stop = async (): Promise<void> => {
    program.kill('SIGTERM')
    await exited
    recorder.closeAllConnections()
    recorder.close()
  }
  const timeout = setTimeout(() => program.kill('SIGTERM'), READY_TIMEOUT_MS)
  try {
    const lines = await readStartupLines(program)
    program.stdout?.resume()
    return { merchantKey: lines.get('merchant-key') ?? '', toldAddresses, readLog: () => log, stop }
  } catch {
    await stop()
    throw new CommandError(`the program did not start: ${log.trim()}`)
  } finally {
    clearTimeout(timeout)
  }
}
