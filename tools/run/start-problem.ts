/** Start problem: why a start cannot begin, said in one line before sandbox or database fail with errors of their own. */
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

const portsOf = ({ port, host, sandbox }: Config): Listening[] => {
  const server = { variable: 'PORT', port, host }
  // Where another process has started the sandbox, it listens there already.
  if (sandbox === null || sandbox.own === null) return [server]
  const [own, mailbox] = [{ port: sandbox.own.port, host: '127.0.0.1' }, sandbox.mailboxPort]
  return [
    server,
    { variable: 'SANDBOX_PORT', ...own },
    ...(mailbox === null ? [] : [{ ...own, variable: 'SANDBOX_PORT + 1, of the mailbox,', port: mailbox }]),
  ]
}

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

const problemNow = async (config: Config): Promise<string | null> => {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === null && isServerRunning(dataDir)) {
    const address = await readServerAddress(dataDir)
    return `Kaikei runs here already${address === null ? '' : `, at ${address}`}; its data are in ${dataDir}. Stop it with Control-C where it was started, or start a second one beside it with a port and a folder of its own: PORT=3100 DATA_DIR=data-2 ${COMMAND_NAMES.start}`
  }
  for (const each of portsOf(config)) {
    if (!(await isTaken(each))) continue
    const { variable, port } = each
    const other = variable === 'PORT' ? 'PORT=3100' : 'SANDBOX_PORT=3101'
    return `Port ${port} (${variable}) is taken by another program; lsof -i :${port} names it. Stop that, or start with another port: ${other} ${COMMAND_NAMES.start}`
  }
  return null
}

/** Null: the way is free. */
export const startProblem = async (config: Config, waitMs = WAIT_MS): Promise<string | null> => {
  // A worker listens nowhere, and uses the database beside a server.
  if (config.worker === 'only') return null
  const deadline = performance.now() + waitMs
  for (;;) {
    const problem = await problemNow(config)
    if (problem === null || performance.now() >= deadline) return problem
    await sleep(AGAIN_MS)
  }
}
