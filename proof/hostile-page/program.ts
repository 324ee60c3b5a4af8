/** Program under a hostile page: what `npm start` starts, behind a relay that changes answers. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { freePort } from '../harness/server-process.ts'
import { copyProject } from '../programs/copied-project.ts'
import { startRelay, type Change, type Relay } from '../programs/relay.ts'
import { startProgram, type StartedProgram } from '../programs/started-program.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { ROOT } from '../../tools/root.ts'

export interface Program extends StartedProgram {
  readonly relay: Relay
}

/** Without these headers: as if the server had never sent them. */
export const withoutHeaders =
  (...names: readonly string[]): Change =>
  (_path, { headers, body }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
    body,
  })

const entryFile = (folder: string): string => {
  const assets = join(folder, 'dist', 'client', 'assets')
  const entry = readdirSync(assets).find((name) => /^main-.*\.js$/.test(name))
  if (entry === undefined) throw new CommandError('the build has no entry script')
  return join(assets, entry)
}

/** A copy of the project with its build, whose entry script begins with this code, as if a package had brought it in. */
export const copyWithEntryCode = (folder: string, code: string): void => {
  copyProject(folder)
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true })
  const entry = entryFile(folder)
  writeFileSync(entry, code + readFileSync(entry, 'utf8'))
}

/** Starts the program of this folder for one job. The browser and the job reach it through the relay alone. */
export const withProgram = async <T>(root: string, job: (program: Program) => Promise<T>): Promise<T> => {
  const base = new URL(`http://localhost:${await freePort()}`)
  const program = await startProgram({ root, env: { PUBLIC_BASE: base.origin, SANDBOX_TIME_SCALE: '0.1' } })
  const relay = await startRelay(() => ({ port: program.port }), Number(base.port))
  try {
    return await job({ ...program, relay })
  } finally {
    await program.stop()
    await relay.stop()
  }
}

const TRIES_MAX = 30
const BUSY_WAIT_MS = 1000

/** Opens an address, again while the server is too busy to draw it: a page that is not drawn proves nothing. */
export const openPage = async (page: Page, address: string): Promise<void> => {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const document = await page.goto(address)
    if (document !== null && document.status() !== 503) return
    await page.waitForTimeout(BUSY_WAIT_MS)
  }
  throw new CommandError(`${address} was not drawn, however often it was opened`)
}
