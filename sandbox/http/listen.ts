import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { TlsSettings } from '../arguments.ts'

const portWaitMs = 5_000
const portRetryMs = 100
export const requestTimeoutMs = 30_000

/** Ends the program: the line says what is wrong and how to mend it. */
export const end = (line: string): never => {
  process.stderr.write(`sandbox: ${line}\n`)
  process.exit(1)
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replaceAll('\n', ' ') : 'unknown'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

type Bound = { name: '--port' | '--tls-port'; port: number; host: string; mend: string }

/** Waits for a port that a predecessor is about to leave, and says which one it got. */
export const listen = async (server: Server, { name, port, host, mend }: Bound): Promise<number> => {
  const deadline = Date.now() + portWaitMs
  for (;;) {
    server.listen(port, host)
    try {
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address ? address.port : port
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') {
        end(`--host ${host} ${name} ${port} cannot be used (${reasonOf(error)}); give an address of this machine`)
      }
      if (Date.now() >= deadline) {
        end(`${name} ${port} is taken on ${host}; stop the program that has it, or give another ${name}${mend}`)
      }
      await delay(portRetryMs)
    }
  }
}

const readPem = (name: string, file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    return end(`${name} ${file} cannot be read (${reasonOf(error)}); give a PEM file`)
  }
}

/** A listener that shakes hands only with those who show a certificate of our authority. */
export const createMutualTlsServer = ({ certificateFile, keyFile, clientCaFile }: TlsSettings): Server => {
  const cert = readPem('--tls-certificate', certificateFile)
  const key = readPem('--tls-key', keyFile)
  const ca = readPem('--tls-client-ca', clientCaFile)
  const options = { requestTimeout: requestTimeoutMs, requestCert: true, rejectUnauthorized: true }
  try {
    return createTlsServer({ ...options, cert, key, ca })
  } catch (error) {
    return end(
      `--tls-certificate, --tls-key and --tls-client-ca cannot be used (${reasonOf(error)}); give PEM files that belong together`,
    )
  }
}
