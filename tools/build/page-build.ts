import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { runKept } from '../exit-with-parent/spawn.mjs'
import { withLock } from '../setup/lock.mjs'
import { onParentGone } from '../exit-with-parent/parent-exit.mjs'
import { CommandError } from '../command-error.mjs'
import { printProgress, secondsSince } from '../progress.mjs'
import { lockFile, root } from '../setup/setup.mjs'

const products = { client: 'client', server: 'server/render.js', early: 'early/early.js' } as const
type Mode = keyof typeof products
const modes = ['client', 'server', 'early'] as const satisfies Mode[]

const sources = [
  'page/**/*',
  'contract/**/*',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'tools/build/page-build.ts',
]

export const sourceHash = (folder: string): string => {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`${file.slice(folder.length)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

export const buildIsFresh = (folder: string): boolean => {
  const stamp = join(folder, 'dist', '.stamp')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash(folder)) return false
  return modes.every((mode) => existsSync(join(folder, 'dist', products[mode])))
}

const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')

/** Why the build failed; undefined when it succeeded. */
const viteBuild = async (folder: string, mode: Mode): Promise<string | undefined> => {
  const { code, output } = await runKept(
    process.execPath,
    [vite, 'build', '--mode', mode, '--outDir', `dist/.next/${mode}`, '--emptyOutDir', '--logLevel', 'warn'],
    // Set in the shell, NODE_ENV would put React's development build into the page.
    { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } },
  )
  const words = stripVTControlCharacters(output).trim()
  if (code !== 0) return `${words}\nthe page could not be built (vite build --mode ${mode}; see above)`
  if (words !== '') printProgress(words)
  if (existsSync(join(folder, 'dist', '.next', products[mode]))) return undefined
  return `vite build --mode ${mode} made no ${products[mode]}: look at that mode in vite.config.ts`
}

/** Builds beside the products in use; the stamp goes first and comes last, so a killed build is never taken for a good one. */
export const buildInto = async (folder: string): Promise<void> => {
  const next = join(folder, 'dist', '.next')
  const stamp = join(folder, 'dist', '.stamp')
  const hash = sourceHash(folder)
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  const [client, others] = await Promise.all([
    viteBuild(folder, 'client'),
    viteBuild(folder, 'server').then((problem) => problem ?? viteBuild(folder, 'early')),
  ])
  const problem = client ?? others
  if (problem !== undefined) throw new CommandError(problem)
  rmSync(stamp, { force: true })
  for (const mode of modes) {
    rmSync(join(folder, 'dist', mode), { recursive: true, force: true })
    renameSync(join(next, mode), join(folder, 'dist', mode))
  }
  rmSync(next, { recursive: true, force: true })
  writeFileSync(stamp, hash)
}

const buildHere = async (): Promise<void> => {
  printProgress('building the page…')
  const started = performance.now()
  await buildInto(root)
  printProgress(`page built in ${secondsSince(started)}`)
}

export const ensureBuilt = async (): Promise<void> => {
  if (buildIsFresh(root)) return
  await withLock(lockFile('build'), async () => {
    if (!buildIsFresh(root)) await buildHere()
  })
}

export const build = async (): Promise<number> => {
  onParentGone(() => process.exit(1))
  await withLock(lockFile('build'), buildHere)
  return 0
}
