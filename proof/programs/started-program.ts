/** Started program: what `npm start` starts, in a process of its own, on free ports and with data of its own. */
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, readStartupLines, READY_TIMEOUT_MS } from '../../journeys/harness/program.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import { isRecord } from '../../tools/is-record.mjs'
import { ROOT } from '../../tools/root.ts'

export interface StartSettings {
  /** The project's folder, or a copy of it. */
  readonly root?: string
  readonly ports?: { readonly server: number; readonly sandbox: number }
  /** Beside ports, data folder and the embedded database. */
  readonly env?: Readonly<Record<string, string>>
}

/** As in production, with the sandbox and the demo merchant. */
export const PRODUCTION = { NODE_ENV: 'production', SANDBOX: 'on', DEMO: 'on' } as const

export const startProgram = async ({ root = ROOT, ports, env = {} }: StartSettings = {}) => {
  const { server: port, sandbox } = ports ?? { server: await freePort(), sandbox: await freePort() }
  const dataDir = mkdtempSync(join(tmpdir(), 'kaikei-program-'))
  const own = { PORT: String(port), SANDBOX_PORT: String(sandbox), DATA_DIR: dataDir, DATABASE_URL: '' }
  const program = spawnExitingWithParent(process.execPath, [join('tools', 'start.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    removeFolder: dataDir,
    env: { ...process.env, ...own, ...env },
  })
  let log = ''
  program.stderr?.setEncoding('utf8').on('data', (part: string) => {
    log += part
  })
  const exited = once(program, 'exit')
  const stop = async (): Promise<void> => {
    program.kill('SIGTERM')
    await exited
  }
  const timeout = setTimeout(() => program.kill('SIGTERM'), READY_TIMEOUT_MS)
  const lines = await readStartupLines(program).catch(() => null)
  clearTimeout(timeout)
  if (lines === null) {
    await stop()
    throw new CommandError(`the program did not start: ${log.trim()}`)
  }
  program.stdout?.resume()
  const merchantKey = lines.get('merchant-key') ?? ''
  return {
    port,
    /** The demo merchant's. */
    merchantKey,
    /** What server and sandbox have logged so far. */
    readLog: () => log,
    createCheckout: async (fields: object = {}) => {
      const headers = { authorization: `Bearer ${merchantKey}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ amount: 1980, ...fields })
      const answer = await fetch(`${lines.get('merchant-api')}/checkouts`, { method: 'POST', headers, body })
      const created: unknown = await answer.json()
      if (!isRecord(created) || typeof created['id'] !== 'string' || typeof created['url'] !== 'string')
        throw new CommandError(`no checkout was created: ${answer.status} ${JSON.stringify(created)}`)
      return { id: created['id'], url: created['url'] }
    },
    stop,
  }
}

export type StartedProgram = Awaited<ReturnType<typeof startProgram>>
