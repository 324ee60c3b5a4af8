import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { type Acquirer, openAcquirer } from './acquirer/acquirer.ts'
import { readArguments, type Settings } from './arguments.ts'
import { cardListRoute } from './cards/card-list-page.ts'
import { checkoutsBelow, createSites, type Origins } from './http/hosts.ts'
import { createMutualTlsServer, end, listen, reasonOf, requestTimeoutMs } from './http/listen.ts'
import { createRouter } from './http/router.ts'
import { openThreeDS, timingAt } from './open-three-ds.ts'

const lifelineMs = 500

const run = async (settings: Settings): Promise<void> => {
  const { port, host, dataFolder, timeScale, tls } = settings
  const server = createServer({ requestTimeout: requestTimeoutMs })
  const tlsServer = tls && createMutualTlsServer(tls)
  const closing = [server, ...(tlsServer ? [tlsServer] : [])].flatMap((each) => [
    () => void each.close(),
    () => each.closeAllConnections(),
  ])
  const stop = (): void => {
    for (const close of closing) close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  holdLifeline(stop)

  const boundPort = await listen(server, { name: '--port', port, host, mend: ' (SANDBOX_PORT for npm start)' })
  // Opened only with the port in hand, and before the first request is read: a predecessor may still be writing.
  const acquirer = openStore(dataFolder, timeScale)
  closing.push(acquirer.close)
  const origins = originsOf(settings, boundPort)
  const sites = openThreeDS(timingAt(timeScale), origins)
  server.on('request', createSites({ ...sites, api: [cardListRoute, ...acquirer.routes, ...sites.api] }, origins))

  tlsServer?.on('request', createRouter(sites.api))
  const tlsPort = tls && tlsServer && (await listen(tlsServer, { name: '--tls-port', port: tls.port, host, mend: '' }))

  if (process.send) process.send({ ready: true, port: boundPort, ...(tlsPort === null ? {} : { tlsPort }) })
  else process.stdout.write(`sandbox: http://${host.includes(':') ? `[${host}]` : host}:${boundPort}\n`)
}

const originsOf = ({ threeDSOrigin, bankOrigin, pageBase }: Settings, port: number): Origins => ({
  threeDS: threeDSOrigin ?? `http://3ds-server.localhost:${port}`,
  bank: bankOrigin ?? `http://bank.localhost:${port}`,
  checkouts: checkoutsBelow(pageBase),
})

const openStore = (dataFolder: string, timeScale: number): Acquirer => {
  try {
    mkdirSync(dataFolder, { recursive: true })
    return openAcquirer(dataFolder, timeScale)
  } catch (error) {
    return end(`--data ${dataFolder} cannot be used (${reasonOf(error)}); give a folder that this user alone can write`)
  }
}

const holdLifeline = (stop: () => void): void => {
  if (!process.send) return
  const parent = process.ppid
  process.once('disconnect', stop)
  // The channel alone is not enough: it stays open while any other process has inherited its far end.
  setInterval(() => {
    if (!process.connected || process.ppid !== parent) stop()
  }, lifelineMs).unref()
}

const read = readArguments(process.argv.slice(2))
if (read.kind === 'refused') end(read.line)
else await run(read.settings)
