import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Acquirer, openAcquirer } from './acquirer.ts'
import { readArguments, type Settings } from './arguments.ts'
import { createRouter } from './router.ts'

const portWaitMs = 5_000
const portRetryMs = 100
const lifelineMs = 500
const requestTimeoutMs = 30_000

const end = (line: string): never => {
  process.stderr.write(`sandbox: ${line}\n`)
  process.exit(1)
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message.replaceAll('\n', ' ') : 'unknown')

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

const run = async ({ port, host, dataFolder, timeScale }: Settings): Promise<void> => {
  const server = createServer({ requestTimeout: requestTimeoutMs })
  const closing = [() => server.close(), () => server.closeAllConnections()]
  const stop = (): void => {
    for (const close of closing) close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  holdLifeline(stop)

  await listen(server, port, host)
  // Opened only with the port in hand, and before the first request is read: a predecessor may still be writing.
  const acquirer = openStore(dataFolder, timeScale)
  closing.push(acquirer.close)
  server.on('request', createRouter(acquirer.routes))

  const address = server.address()
  const boundPort = typeof address === 'object' && address ? address.port : port
  if (process.send) process.send({ ready: true, port: boundPort })
  else process.stdout.write(`sandbox: http://${host.includes(':') ? `[${host}]` : host}:${boundPort}\n`)
}

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

const listen = async (server: Server, port: number, host: string): Promise<void> => {
  const deadline = Date.now() + portWaitMs
  for (;;) {
    server.listen(port, host)
    try {
      await once(server, 'listening')
      return
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') {
        end(`--host ${host} --port ${port} cannot be used (${reasonOf(error)}); give an address of this machine`)
      }
      if (Date.now() >= deadline) {
        end(
          `--port ${port} is taken on ${host}; stop the program that has it, or give another --port (SANDBOX_PORT for npm start)`,
        )
      }
      await delay(portRetryMs)
    }
  }
}

const read = readArguments(process.argv.slice(2))
if (read.kind === 'refused') end(read.line)
else await run(read.settings)
