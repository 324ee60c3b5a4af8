/** Unpacked release: started by a user without rights in a folder of its own, paid in over HTTP, and stopped. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, copyFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { freePort, readStartupLines } from '../../journeys/harness/program.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { payUntil } from '../harness/paying-shoppers.ts'

/** The user `nobody`, if we are root; otherwise our own user. */
const NOBODY = 65_534
export const isRoot = (): boolean => process.getuid?.() === 0
const AS_NOBODY = isRoot() ? { uid: NOBODY, gid: NOBODY } : {}

export const giveToNobody = (folder: string): void => {
  if (isRoot()) chownSync(folder, NOBODY, NOBODY)
}

/** No npm on the PATH, and no settings of the user's shell. */
const BARE = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Runs a program of the release to its end. */
export const runBare = async (command: string, args: readonly string[], cwd: string, env = {}): Promise<Ended> => {
  const child = spawn(command, args, { cwd, env: { ...BARE, ...env }, stdio: ['ignore', 'pipe', 'pipe'], ...AS_NOBODY })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
    })
  await once(child, 'close')
  return { code: child.exitCode, output }
}

/** Unpacks into an empty folder of the user `nobody`, and returns its path. */
export const unpack = async (archive: string, folder: string): Promise<string> => {
  mkdirSync(folder, { recursive: true })
  giveToNobody(folder)
  const copy = join(folder, basename(archive))
  copyFileSync(archive, copy)
  const { code, output } = await runBare('tar', ['xzf', copy], folder)
  if (code !== 0) throw new CommandError(`the archive could not be unpacked: ${output}`)
  return copy.replace(/\.tar\.gz$/, '')
}

export interface StartPlace {
  /** `kaikei` itself, or a command that runs it, such as chroot. */
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly dataDir: string
  /** The user of the command; `nobody` by default. */
  readonly user?: { readonly uid?: number; readonly gid?: number }
}

export const startRelease = async ({ command, cwd, dataDir, user = AS_NOBODY }: StartPlace) => {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const [program, ...args] = command
  // It watches its parent by itself, and its exit code is wanted.
  const child = spawn(program, [...args, 'start'], {
    cwd,
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...BARE,
      SANDBOX: 'on',
      DEMO: 'on',
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: dataDir,
      SANDBOX_TIME_SCALE: '0.1',
      LOG_LEVEL: 'warn',
    },
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
  })
  const lines = await readStartupLines(child).catch(() => {
    throw new CommandError(`the release did not start: ${errors}`)
  })
  child.stdout.resume()
  return {
    port,
    /** Of the first checkout of the demo. */
    shopper: lines.get('shopper') ?? '',
    key: lines.get('merchant-key') ?? '',
    stop: async (): Promise<void> => {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      if (child.exitCode !== 0) throw new CommandError(`the release ended with ${child.exitCode}: ${errors}`)
    },
  }
}

/** Pays at least one checkout. */
export const pay = async ({ port, key }: Awaited<ReturnType<typeof startRelease>>): Promise<void> => {
  const { payMs, failures } = await payUntil(port, key, performance.now() + 1, 1)
  if (payMs.length === 0 || failures.length > 0) throw new CommandError(`nothing was paid: ${failures.join('; ')}`)
}
