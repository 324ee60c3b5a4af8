/** Program under a hostile page: what `npm start` starts, behind a proxy that changes answers. */
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { readStartupLines, READY_TIMEOUT_MS } from '../../journeys/harness/program.ts'
import { freePort } from '../harness/server-process.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { spawnExitingWithParent } from '../../tools/exit-with-parent/spawn.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import { ROOT } from '../../tools/setup/setup.mjs'
import { startChangingProxy, type ChangingProxy } from './changing-proxy.ts'

export interface CreatedCheckout {
  readonly id: string
  readonly url: string
}

export interface Program {
  readonly base: URL
  readonly dataDir: string
  readonly proxy: ChangingProxy
  /** Undefined where the server refuses the fields. */
  createCheckout(fields: object, merchantKey?: string): Promise<CreatedCheckout | undefined>
  stop(): Promise<void>
}

const COPIED = [
  'contract',
  'payment',
  'server',
  'page',
  'sandbox',
  'proof',
  'journeys',
  'tools',
  'dist',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
]

const entryFile = (folder: string): string => {
  const assets = join(folder, 'dist', 'client', 'assets')
  const entry = readdirSync(assets).find((name) => /^main-.*\.js$/.test(name))
  if (entry === undefined) throw new CommandError('the build has no entry script')
  return join(assets, entry)
}

/** A copy of the whole project whose built entry script begins with this code, as if a package had brought it in. */
export const copyWithEntryCode = (folder: string, code: string): void => {
  for (const part of COPIED) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const entry = entryFile(folder)
  writeFileSync(entry, code + readFileSync(entry, 'utf8'))
}

/** Starts the program of this folder, on free ports, with its data in `dataDir`. */
export const startProgram = async (root: string, dataDir: string): Promise<Program> => {
  const ports = { proxy: await freePort(), server: await freePort(), sandbox: await freePort() }
  const base = new URL(`http://localhost:${ports.proxy}`)
  const proxy = await startChangingProxy(ports.proxy, ports.server)
  const program = spawnExitingWithParent(process.execPath, [join('tools', 'start.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(ports.server),
      PUBLIC_BASE: base.origin,
      DATABASE_URL: '',
      DATA_DIR: dataDir,
      SANDBOX_PORT: String(ports.sandbox),
      SANDBOX_TIME_SCALE: '0.1',
    },
  })
  let log = ''
  program.stderr?.setEncoding('utf8').on('data', (part: string) => {
    log += part
  })
  const exited = once(program, 'exit')
  const stop = async (): Promise<void> => {
    program.kill('SIGTERM')
    await exited
    await proxy.stop()
  }
  const timeout = setTimeout(() => program.kill('SIGTERM'), READY_TIMEOUT_MS)
  try {
    const lines = await readStartupLines(program)
    program.stdout?.resume()
    const demoKey = lines.get('merchant-key') ?? ''
    return {
      base,
      dataDir,
      proxy,
      stop,
      createCheckout: async (fields, merchantKey = demoKey) => {
        const headers = { authorization: `Bearer ${merchantKey}`, 'content-type': 'application/json' }
        const body = JSON.stringify({ amount: 1980, ...fields })
        const answer = await fetch(`${base.origin}${MERCHANT_BASE}/checkouts`, { method: 'POST', headers, body })
        const created: unknown = await answer.json()
        if (answer.status === 400) return undefined
        if (!isRecord(created) || typeof created['id'] !== 'string' || typeof created['url'] !== 'string')
          throw new CommandError(`no checkout was created: ${answer.status} ${JSON.stringify(created)}`)
        return { id: created['id'], url: created['url'] }
      },
    }
  } catch (error) {
    await stop()
    throw error instanceof CommandError ? error : new CommandError(`the program did not start: ${log.trim()}`)
  } finally {
    clearTimeout(timeout)
  }
}
