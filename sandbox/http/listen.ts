/** Listening: ports that a predecessor may be about to leave, mutual TLS, and an exit with one line. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { createServer as createTlsServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { TlsSettings } from '../arguments.ts'

const PORT_TIMEOUT_MS = 5_000
const PORT_RETRY_INTERVAL_MS = 100
export const REQUEST_TIMEOUT_MS = 30_000

/** Exit with one line: it says what is wrong and how to correct it; a stack trace would hide it. */
export const exitWithProblem = (problem: string): never => {
  process.stderr.write(`sandbox: ${problem}\n`)
  process.exit(1)
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.replaceAll('\n', ' ') : 'unknown'

const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

interface ListenAddress {
  readonly name: '--port' | '--tls-port' | '--mailbox-port'
  readonly port: number
  readonly host: string
  /** Added to the line that says the port is taken. */
  readonly hint: string
}

/** Listener on a port that a predecessor may be about to leave: waits for it, and returns the port that it got. */
export const listenOrExit = async (server: NetServer, { name, port, host, hint }: ListenAddress): Promise<number> => {
  const deadline = Date.now() + PORT_TIMEOUT_MS
  for (;;) {
    server.listen(port, host)
    try {
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    } catch (error) {
      if (errorCodeOf(error) !== 'EADDRINUSE') {
        exitWithProblem(
          `--host ${host} ${name} ${port} cannot be used (${messageOf(error)}); give an address of this machine`,
        )
      }
      if (Date.now() >= deadline) {
        exitWithProblem(
          `${name} ${port} is taken on ${host}; stop the program that has it, or give another ${name}${hint}`,
        )
      }
      await delay(PORT_RETRY_INTERVAL_MS)
    }
  }
}

const readPemOrExit = (name: string, file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    return exitWithProblem(`${name} ${file} cannot be read (${messageOf(error)}); give a PEM file`)
  }
}

/** Mutual TLS: the handshake succeeds only with a client certificate of our authority. */
export const createMutualTlsServerOrExit = ({ certificateFile, keyFile, clientCaFile }: TlsSettings): Server => {
  const cert = readPemOrExit('--tls-certificate', certificateFile)
  const key = readPemOrExit('--tls-key', keyFile)
  const ca = readPemOrExit('--tls-client-ca', clientCaFile)
  const options = { requestTimeout: REQUEST_TIMEOUT_MS, requestCert: true, rejectUnauthorized: true }
  try {
    return createTlsServer({ ...options, cert, key, ca })
  } catch (error) {
    return exitWithProblem(
      `--tls-certificate, --tls-key and --tls-client-ca cannot be used (${messageOf(error)}); give PEM files that belong together`,
    )
  }
}
