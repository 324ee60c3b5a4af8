/** The program with TLS in front of everything, as in production, and mutual TLS to the 3-D Secure server. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { X509Certificate, createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { freePort, readStartupLines, readAcquirerOrders } from './program.ts'

const CERTIFICATES = 'proof/harness/certificates'

/** At every host, a page without any policy: a stranger's, or a merchant host's that somebody has taken over. */
export const STRANGERS_PAGE = '/strangers-page'

/** A request as it came from the browser, and how it was answered. */
interface AnsweredRequest {
  readonly host: string
  readonly headers: IncomingHttpHeaders
  readonly status: number
  readonly contentType: string
}

export interface TlsProgram {
  /** Every request that came over TLS so far. */
  readonly requests: readonly AnsweredRequest[]
  /** Creates a checkout of 1,980 yen and returns its id and link. */
  createCheckout(): Promise<{ readonly id: string; readonly url: string }>
  readStatus(checkoutId: string): Promise<string>
  /** The link of the console's first owner, as the program prints it. */
  readonly consoleLink: string
  /** How many orders the acquirer has, charged or not. */
  countOrders(): Promise<number>
  /** For Chromium: every name below pay.test, and one of another site, is this machine, and only our own certificate is trusted. */
  readonly browserArguments: readonly string[]
  /** Chromium trusts a listed certificate only with a profile folder of its own. */
  readonly profile: string
  stop(): Promise<void>
}

/** Reverse proxy: terminates TLS, keeps the Host header, adds the X-Forwarded headers. */
const startProxy = async (
  portOf: (host: string) => number,
  onAnswered: (request: AnsweredRequest) => void,
): Promise<{ readonly server: Server; readonly port: number }> => {
  const [cert, key] = await Promise.all([
    readFile(join(CERTIFICATES, 'server.pem')),
    readFile(join(CERTIFICATES, 'server-key.pem')),
  ])
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (incoming.url === STRANGERS_PAGE) {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
      return
    }
    const onward = request(
      {
        host: '127.0.0.1',
        port: portOf(incoming.headers.host ?? ''),
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' },
      },
      (response) => {
        const status = response.statusCode ?? 502
        const { host = '', ...headers } = incoming.headers
        onAnswered({ host, headers, status, contentType: response.headers['content-type'] ?? '' })
        outgoing.writeHead(status, response.headers)
        response.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }
  const server = createServer({ cert, key }, forward).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return { server, port: address.port }
}

const spawnNode = (args: string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env: { ...process.env, ...env } })

const readSandboxPorts = async (
  sandbox: ChildProcess,
): Promise<{ readonly port: number; readonly tlsPort: number }> => {
  const [message] = (await once(sandbox, 'message')) as [{ port: number; tlsPort: number }]
  return message
}

const stopProcess = async (program: ChildProcess): Promise<void> => {
  program.kill('SIGTERM')
  if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
}

const certificateFingerprint = async (): Promise<string> => {
  const { publicKey } = new X509Certificate(await readFile(join(CERTIFICATES, 'server.pem')))
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
}

export const startTlsProgram = async (clientCertificate: 'client.p12' | 'other-client.p12'): Promise<TlsProgram> => {
  const data = await mkdtemp(join(tmpdir(), 'kaikei-tls-'))
  const serverPort = await freePort()
  const ports = { server: serverPort, sandbox: 0 }
  const isSandboxHost = (host: string): boolean => /^(bank|3ds-server)\./.test(host)
  const requests: AnsweredRequest[] = []
  const proxy = await startProxy(
    (host) => (isSandboxHost(host) ? ports.sandbox : ports.server),
    (answered) => requests.push(answered),
  )
  const base = `https://pay.test:${proxy.port}`
  const originOf = (label: string): string => base.replace('//', `//${label}.`)
  const sandboxArguments = {
    port: '0',
    host: '127.0.0.1',
    data: join(data, 'sandbox'),
    'time-scale': '0.1',
    'page-base': base,
    'three-ds-origin': originOf('3ds-server'),
    'bank-origin': originOf('bank'),
    'tls-port': '0',
    'tls-certificate': join(CERTIFICATES, 'server.pem'),
    'tls-key': join(CERTIFICATES, 'server-key.pem'),
    'tls-client-ca': join(CERTIFICATES, 'ca.pem'),
  }
  const sandbox = spawnNode([
    'sandbox/main.ts',
    ...Object.entries(sandboxArguments).flatMap(([name, value]) => [`--${name}`, value]),
  ])
  const { port, tlsPort } = await readSandboxPorts(sandbox)
  ports.sandbox = port
  const server = spawnNode(['server/main.ts'], {
    PORT: String(serverPort),
    PUBLIC_BASE: base,
    DATA_DIR: data,
    SANDBOX_PORT: String(port),
    SANDBOX_TIME_SCALE: '0.1',
    TRUSTED_PROXIES: '127.0.0.1',
    THREE_DS_API_URL: `https://127.0.0.1:${tlsPort}`,
    THREE_DS_MERCHANT_ID: '123456789012345',
    THREE_DS_MERCHANT_TOKEN: 'token-of-the-shop',
    THREE_DS_CLIENT_CERTIFICATE: join(CERTIFICATES, clientCertificate),
    THREE_DS_CLIENT_PASSPHRASE: 'kaikei-test',
    THREE_DS_CA: join(CERTIFICATES, 'ca.pem'),
    LOG_LEVEL: 'silent',
  })
  const lines = await readStartupLines(server)
  server.stdout?.resume()
  const headers = {
    // The merchant API answers on the base host alone, and fetch sends no other Host than that of its address.
    host: new URL(base).host,
    authorization: `Bearer ${lines.get('merchant-key')}`,
    'content-type': 'application/json',
  }
  const callApi = async (method: 'GET' | 'POST', path: string, body = ''): Promise<unknown> => {
    const call = request({ host: '127.0.0.1', port: serverPort, path: `/merchant/v1${path}`, method, headers })
    call.end(body)
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    return json(response)
  }

  return {
    requests,
    consoleLink: lines.get('console') ?? '',
    createCheckout: async () =>
      (await callApi('POST', '/checkouts', JSON.stringify({ amount: 1980 }))) as { id: string; url: string },
    readStatus: async (checkoutId) => ((await callApi('GET', `/checkouts/${checkoutId}`)) as { status: string }).status,
    countOrders: async () => (await readAcquirerOrders(port)).length,
    browserArguments: [
      '--host-resolver-rules=MAP *.pay.test 127.0.0.1, MAP pay.test 127.0.0.1, MAP other-site.test 127.0.0.1',
      `--ignore-certificate-errors-spki-list=${await certificateFingerprint()}`,
    ],
    profile: join(data, 'profile'),
    stop: async () => {
      await stopProcess(server)
      await stopProcess(sandbox)
      proxy.server.closeAllConnections()
      proxy.server.close()
      await rm(data, { recursive: true, force: true })
    },
  }
}
