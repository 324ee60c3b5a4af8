/** Already running: why a start cannot begin, said in one line before the sandbox or the database fails with its own error. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../server/config/config.ts'
import { COMMAND_NAMES } from '../../server/config/release.ts'
import { isServerRunning, readServerAddress } from '../../server/store/engine/running-server.ts'

/** What was just killed may hold its port and its lock for another moment. */
const WAIT_MS = 5000
const AGAIN_MS = 100

interface Listening {
  readonly variable: string
  readonly port: number
  readonly host: string
}

type Obstacle = { readonly kind: 'same folder' } | ({ readonly kind: 'port taken' } & Listening)

/** None where another process has started the sandbox. */
const sandboxPorts = (sandbox: Config['sandbox']): Listening[] => {
  if (sandbox === null || sandbox.own === null) return []
  const [{ port }, host] = [sandbox.own, '127.0.0.1']
  const mailbox = sandbox.mailboxPort
  return [
    { variable: 'SANDBOX_PORT', port, host },
    ...(mailbox === null ? [] : [{ variable: 'SANDBOX_PORT + 1, of the mailbox,', port: mailbox, host }]),
  ]
}

const portsOf = ({ port, host, sandbox }: Config): Listening[] => [
  { variable: 'PORT', port, host },
  ...sandboxPorts(sandbox),
]

/** Any other error is reported by the program that listens there. */
const isTaken = async ({ port, host }: Listening): Promise<boolean> => {
  const probe = createServer().listen({ port, host })
  try {
    await once(probe, 'listening')
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  } finally {
    probe.close()
  }
}

const obstacleTo = async (config: Config): Promise<Obstacle | null> => {
  if (config.databaseUrl === null && isServerRunning(config.dataDir)) return { kind: 'same folder' }
  for (const each of portsOf(config)) if (await isTaken(each)) return { kind: 'port taken', ...each }
  return null
}

const HEALTH_TIMEOUT_MS = 5000

/** Recognised by the answer that every Kaikei server gives. */
const isKaikei = async ({ port }: Listening): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(HEALTH_TIMEOUT_MS)
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { redirect: 'manual', signal })
    return answer.headers.has('request-id') && (await answer.text()) === '{"status":"ok"}'
  } catch {
    return false
  }
}

const SECOND = `start a second one beside it with a port and a folder of its own: PORT=3100 DATA_DIR=data-2 ${COMMAND_NAMES.start}`

const lineOf = async (obstacle: Obstacle, { dataDir }: Config): Promise<string> => {
  if (obstacle.kind === 'same folder') {
    const address = await readServerAddress(dataDir)
    return `Kaikei runs here already${address === null ? '' : `, at ${address}`}; its data are in ${dataDir}. Stop it with Control-C where it was started, or ${SECOND}`
  }
  const { variable, port } = obstacle
  if (variable === 'PORT' && (await isKaikei(obstacle)))
    return `Kaikei runs here already: it listens on port ${port}. Stop it with Control-C where it was started, or ${SECOND}`
  const other = variable === 'PORT' ? 'PORT=3100' : 'SANDBOX_PORT=3101'
  return `Port ${port} (${variable}) is taken by another program; lsof -i :${port} names it. Stop that, or start with another port: ${other} ${COMMAND_NAMES.start}`
}

/** Null: the way is free. */
export const startProblem = async (config: Config, waitMs = WAIT_MS): Promise<string | null> => {
  // A worker listens nowhere, and uses the database beside a server.
  if (config.worker === 'only') return null
  const deadline = performance.now() + waitMs
  for (;;) {
    const obstacle = await obstacleTo(config)
    if (obstacle === null) return null
    if (performance.now() >= deadline) return lineOf(obstacle, config)
    await sleep(AGAIN_MS)
  }
}
