/** Sandbox process: the simulated acquirer, the doubles of Adyen and Stripe, 3-D Secure server, bank of the card holder and mailbox. */
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { openAcquirer } from './acquirer/acquirer.ts'
import { openAdyen } from './adyen/adyen.ts'
import { readArguments, type Settings } from './arguments.ts'
import { cardListRoute } from './cards/card-list-page.ts'
import { checkoutOriginPattern, routeByHost, type Origins } from './http/hosts.ts'
import {
  createMutualTlsServerOrExit,
  exitWithProblem,
  listenOrExit,
  messageOf,
  REQUEST_TIMEOUT_MS,
} from './http/listen.ts'
import { createRouter } from './http/router.ts'
import { createTiming, openThreeDS } from './open-three-ds.ts'
import { openStripe } from './stripe/stripe.ts'

/** A sandbox whose parent was killed must not live on with its port: the next start would find it taken. */
const exitWithParent = (stop: () => void): void => {
  process.once('disconnect', stop)
  // Without a channel nobody is waited for. One may have closed while this process was loading.
  if (process.send !== undefined && !process.connected) stop()
}

const originsOf = ({ threeDSOrigin, bankOrigin, pageBase }: Settings, port: number): Origins => ({
  threeDS: threeDSOrigin ?? `http://3ds-server.localhost:${port}`,
  bank: bankOrigin ?? `http://bank.localhost:${port}`,
  checkouts: checkoutOriginPattern(pageBase),
})

/** The sandbox's own acquirer and the doubles of real ones, each with its database in the data folder. */
const openAcquirersOrExit = (dataFolder: string, timeScale: number) => {
  try {
    mkdirSync(dataFolder, { recursive: true })
    return [openAcquirer(dataFolder, timeScale), openAdyen(dataFolder, timeScale), openStripe(dataFolder, timeScale)]
  } catch (error) {
    return exitWithProblem(
      `--data ${dataFolder} cannot be used (${messageOf(error)}); give a folder that this user alone can write`,
    )
  }
}

/** With Node's 5 seconds a charge that comes just then meets a connection that is being closed, and is in doubt. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000

const MAILBOX_PORT_HINT = ' (beside a server it is SANDBOX_PORT + 1)'

const NO_MAILBOX =
  '--mailbox-port cannot be used: a release does not contain the mailbox; leave it out, or start the sandbox from a clone'

/** Loaded only where it is asked for: a release does not contain it. */
const loadMailbox = async () => {
  try {
    return await import('./mailbox/open-mailbox.ts')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return exitWithProblem(NO_MAILBOX)
    throw error
  }
}

const startServers = async (settings: Settings): Promise<void> => {
  const { port, host, dataFolder, timeScale, tls, keepsRequestLog, mailboxPort, mailsKept } = settings
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS })
  const tlsListener = tls === null ? null : { server: createMutualTlsServerOrExit(tls), port: tls.port }
  const servers = tlsListener === null ? [server] : [server, tlsListener.server]
  const closers = servers.flatMap((each) => [() => void each.close(), () => each.closeAllConnections()])
  const stop = (): void => {
    for (const close of closers) close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  exitWithParent(stop)

  // Before the port is taken: a request that comes while it is loaded would meet no listener.
  const mailbox = mailboxPort === null ? null : (await loadMailbox()).openMailbox(mailsKept)
  const boundPort = await listenOrExit(server, { name: '--port', port, host, hint: ' (beside a server: SANDBOX_PORT)' })
  // Opened only after the port is taken, and before the first request is read: a predecessor may still be writing.
  const acquirers = openAcquirersOrExit(dataFolder, timeScale)
  closers.push(...acquirers.map(({ close }) => close))
  const origins = originsOf(settings, boundPort)
  const sites = openThreeDS(createTiming(timeScale), origins, keepsRequestLog)
  const acquirerRoutes = acquirers.flatMap(({ routes }) => routes)
  const local = [cardListRoute, ...(mailbox?.routes ?? []), ...acquirerRoutes, ...sites.api, ...sites.requestLog]
  server.on('request', routeByHost({ ...sites, local }, origins, boundPort))

  tlsListener?.server.on('request', createRouter(sites.api))
  const tlsPort =
    tlsListener === null
      ? null
      : await listenOrExit(tlsListener.server, { name: '--tls-port', port: tlsListener.port, host, hint: '' })

  if (mailbox !== null) closers.push(() => mailbox.smtp.close())
  const smtpPort =
    mailbox === null || mailboxPort === null
      ? null
      : await listenOrExit(mailbox.smtp.server, {
          name: '--mailbox-port',
          port: mailboxPort,
          host,
          hint: MAILBOX_PORT_HINT,
        })

  if (process.send === undefined) {
    // An address that answers: any host but these two gets a 404.
    process.stdout.write(`sandbox: http://${host === '127.0.0.1' ? host : 'localhost'}:${boundPort}\n`)
  } else {
    process.send({
      ready: true,
      port: boundPort,
      ...(tlsPort === null ? {} : { tlsPort }),
      ...(smtpPort === null ? {} : { mailboxPort: smtpPort }),
    })
  }
}

const result = readArguments(process.argv.slice(2))
if (result.kind === 'refused') exitWithProblem(result.problem)
else await startServers(result.settings)
