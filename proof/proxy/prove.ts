/** Proof, proxy: payments through the real nginx with deploy/nginx.conf, with forged headers that the server must not believe. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAcquirerOrders } from '../harness/sandbox-process.ts'
import { freePort } from '../harness/server-process.ts'
import { ensureBrowser } from '../../tools/browser/browser.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CannotRunHere, CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import { payInBrowser } from './browser-payment.ts'
import { CLIENT_ADDRESS, sendStraight, sendThroughProxy } from './calls.ts'
import { knockAtAllHosts, type ClosedHosts } from './closed-hosts.ts'
import {
  ADDED_ADDRESS,
  ADDING_PROXY_CASES,
  creationOf,
  fieldOf,
  FORGED_ADDRESS,
  FORGED_CASES,
  FORGED_HOST,
  payWithForgedHeaders,
  type Finding,
} from './forged-payments.ts'
import { startNginx } from './nginx.ts'
import { startProxiedProgram, type ProxiedProgram } from './program.ts'
import type { Figures } from '../../tools/measurement/figures.ts'

const BASE_NAME = 'pay.test'
const CERTIFICATES = join(ROOT, 'proof', 'harness', 'certificates')

export interface ProxyReport extends ClosedHosts {
  readonly nginxVersion: string
  /** Through the proxy. */
  readonly payments: number
  /** With what a trusted proxy sends that adds to the headers; nginx never sends it. */
  readonly paymentsPastTheProxy: number
  /** Orders that the acquirer has charged, by its own list. */
  readonly charges: number
  readonly forgedHeaders: number
  readonly findings: readonly Finding[]
}

const isBelieved = ({ expected, found }: Finding): boolean => expected !== found

export const figuresOf = (report: ProxyReport): Figures => {
  const { nginxVersion: nginx, payments, paymentsPastTheProxy, charges, forgedHeaders, findings } = report
  const { hostsTried, reached } = report
  const believed = findings.filter(isBelieved).length
  if (believed > 0) throw new CommandError(`${believed} of ${findings.length} facts are not the true ones, see above`)
  if (reached.length > 0) throw new CommandError(`${reached.length} calls reached the sandbox's APIs, see above`)
  if (payments + paymentsPastTheProxy !== charges)
    throw new CommandError(`${payments + paymentsPastTheProxy} payments, but ${charges} charges at the acquirer`)
  if (payments === 0 || paymentsPastTheProxy === 0 || forgedHeaders === 0 || hostsTried === 0)
    throw new CommandError('nothing was paid, forged or tried, which shows nothing')
  return { nginx, payments, paymentsPastTheProxy, forgedHeaders, facts: findings.length, believed, hostsTried }
}

interface Setup {
  readonly base: URL
  readonly ports: { readonly http: number; readonly https: number; readonly server: number; readonly sandbox: number }
  readonly folder: string
  readonly nginx: Awaited<ReturnType<typeof startNginx>>
  readonly program: ProxiedProgram
}

const run = async ({ base, ports, folder, nginx, program }: Setup, executablePath: string): Promise<ProxyReport> => {
  const { merchantKey, toldAddresses } = program
  const throughProxy = sendThroughProxy(ports.https, BASE_NAME, readFileSync(join(CERTIFICATES, 'ca.pem')))

  const created = await throughProxy(creationOf(base, merchantKey))
  const inBrowser = await payInBrowser(fieldOf(created, 'url'), {
    executablePath,
    profile: join(folder, 'profile'),
    baseName: BASE_NAME,
    certificate: readFileSync(join(CERTIFICATES, 'server.pem')),
    forgedHeaders: FORGED_CASES.at(-1)?.headersFor(FORGED_HOST) ?? {},
  })
  printProgress('paid with a challenge in Chromium')

  const forged = { base, merchantKey, toldAddresses, send: throughProxy, expectedAddress: CLIENT_ADDRESS }
  const straight = { ...forged, send: sendStraight(ports.server), expectedAddress: ADDED_ADDRESS }
  const byCalls = []
  for (const each of FORGED_CASES) byCalls.push(await payWithForgedHeaders(each, forged))
  for (const each of ADDING_PROXY_CASES) byCalls.push(await payWithForgedHeaders(each, straight))
  printProgress(`paid ${byCalls.length} times with forged headers`)

  const closed = await knockAtAllHosts(base, ports.sandbox, throughProxy)
  const orders = await readAcquirerOrders(`http://127.0.0.1:${ports.sandbox}`)
  const log = program.readLog()
  const proxyLog = nginx.readLogs()
  const paid = [inBrowser, ...byCalls]
  return {
    ...closed,
    nginxVersion: nginx.version,
    payments: paid.length - ADDING_PROXY_CASES.length,
    paymentsPastTheProxy: ADDING_PROXY_CASES.length,
    charges: orders.filter(({ status }) => status === 'charged').length,
    forgedHeaders: paid.reduce((sum, each) => sum + each.forgedHeaders, 0),
    findings: [
      ...paid.flatMap(({ findings }) => findings),
      ...[FORGED_ADDRESS, FORGED_HOST].map((word) => ({
        what: `the server's log holds ${word}`,
        expected: 'false',
        found: String(log.includes(word)),
      })),
      {
        what: "the proxy's log tells of its calls",
        expected: 'true',
        found: String(proxyLog.includes(CLIENT_ADDRESS)),
      },
      {
        what: "the proxy's log holds the address of a checkout",
        expected: 'false',
        found: String(proxyLog.includes(fieldOf(created, 'id'))),
      },
    ],
  }
}

export const parameters = ''

/** Pays through nginx with deploy/nginx.conf, as in production but on loopback ports. Everything that it starts ends with it. */
export const measure = async (): Promise<Figures> => {
  if (process.platform !== 'linux')
    throw new CannotRunHere(`this proof calls from ${CLIENT_ADDRESS}, which only Linux has: run it there`)
  await ensureBuilt()
  const executablePath = await ensureBrowser(process.env)
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-proxy-'))
  const ports = { http: await freePort(), https: await freePort(), server: await freePort(), sandbox: await freePort() }
  const base = new URL(`https://${BASE_NAME}:${ports.https}`)
  const stops: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })]
  try {
    const program = await startProxiedProgram(base, ports)
    stops.push(program.stop)
    const nginx = await startNginx(
      {
        folder: join(folder, 'nginx'),
        ports,
        baseName: BASE_NAME,
        certificateFile: join(CERTIFICATES, 'server.pem'),
        keyFile: join(CERTIFICATES, 'server-key.pem'),
      },
      process.env,
    )
    stops.push(nginx.stop)
    const report = await run({ base, ports, folder, nginx, program }, executablePath)
    for (const { what, expected, found } of report.findings.filter(isBelieved))
      printProgress(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`)
    for (const line of report.reached) printProgress(line)
    return figuresOf(report)
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}
