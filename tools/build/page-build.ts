/** Page build: what each mode of vite.config.ts writes below dist/. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { onParentExit, runAndCapture } from '../exit-with-parent.ts'
import { withLock } from '../lock.ts'
import { CommandError } from '../command-error.mjs'
import { printProgress, secondsSince } from '../progress.mjs'
import { ROOT } from '../root.ts'
import { runCommand } from '../run-command.ts'
import { scriptInventory } from './script-inventory.ts'

const outputs = {
  client: 'client',
  server: 'server/render.js',
  console: 'console',
  watchdog: 'watchdog/watchdog.js',
  'pre-hydration': 'pre-hydration/pre-hydration.js',
} as const
type Mode = keyof typeof outputs
export const MODES: readonly string[] = Object.keys(outputs)

/** Holds the hash of the sources that were built. */
export const STAMP = join('dist', '.stamp')

/** The inventory of the scripts. */
const SCRIPTS = 'scripts.json'

const SOURCE_GLOBS = [
  'page/**/*',
  'console/**/*',
  'ui/**/*',
  'contract/**/*',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'tools/build/mark-words.ts',
  'tools/build/page-build.ts',
  'tools/build/react-aria.ts',
  'tools/build/script-inventory.ts',
  'tools/build/style-table.ts',
  'server/http/critical-css.ts',
  'server/http/bridge/client-script.ts',
  'server/http/reference/client-script.ts',
]

export const sourceHash = (folder: string): string => {
  const hash = createHash('sha256')
  const files = globSync(SOURCE_GLOBS, { cwd: folder, withFileTypes: true })
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
  const stamp = join(folder, STAMP)
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash(folder)) return false
  return [...Object.values(outputs), SCRIPTS].every((output) => existsSync(join(folder, 'dist', output)))
}

const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')

/** Why the build failed; undefined when it succeeded. */
const viteBuild = async (folder: string, mode: Mode): Promise<string | undefined> => {
  const { code, output } = await runAndCapture(
    process.execPath,
    [VITE, 'build', '--mode', mode, '--outDir', `dist/.next/${mode}`, '--emptyOutDir', '--logLevel', 'warn'],
    // Set in the shell, NODE_ENV would put React's development build into the page.
    { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } },
  )
  const printed = stripVTControlCharacters(output).trim()
  if (code !== 0) return `${printed}\nthe page could not be built (vite build --mode ${mode}; see above)`
  if (printed !== '') printProgress(printed)
  if (existsSync(join(folder, 'dist', '.next', outputs[mode]))) return undefined
  return `vite build --mode ${mode} made no ${outputs[mode]}: look at that mode in vite.config.ts`
}

/** What compresses well, and what the page asks for. */
const COMPRESSED = /\.(js|css|svg)$/

/** Compressed once, as small as possible: the server only chooses. Beside each file, as `.br` and `.gz`. */
const compressAssets = (folder: string): void => {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter((each) => COMPRESSED.test(each))) {
    const bytes = readFileSync(join(folder, name))
    const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, brotli))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
  }
}

/** Builds beside the outputs in use. The stamp is removed first and written last: a killed build is never taken for a good one. */
export const buildInto = async (folder: string): Promise<void> => {
  const next = join(folder, 'dist', '.next')
  const stamp = join(folder, STAMP)
  const hash = sourceHash(folder)
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  const [clientProblem, otherProblem] = await Promise.all([
    viteBuild(folder, 'client'),
    viteBuild(folder, 'server')
      .then((problem) => problem ?? viteBuild(folder, 'watchdog'))
      .then((problem) => problem ?? viteBuild(folder, 'pre-hydration'))
      .then((problem) => problem ?? viteBuild(folder, 'console')),
  ])
  const problem = clientProblem ?? otherProblem
  if (problem !== undefined) throw new CommandError(problem)
  compressAssets(join(next, 'client', 'assets'))
  compressAssets(join(next, 'console', 'assets'))
  const inventory = `${JSON.stringify(scriptInventory(next), null, 2)}\n`
  rmSync(stamp, { force: true })
  writeFileSync(join(folder, 'dist', SCRIPTS), inventory)
  for (const mode of MODES) {
    rmSync(join(folder, 'dist', mode), { recursive: true, force: true })
    renameSync(join(next, mode), join(folder, 'dist', mode))
  }
  rmSync(next, { recursive: true, force: true })
  writeFileSync(stamp, hash)
}

const buildPage = async (): Promise<void> => {
  printProgress('building the page…')
  const started = performance.now()
  await buildInto(ROOT)
  printProgress(`page built in ${secondsSince(started)}`)
}

export const ensureBuilt = async (): Promise<void> => {
  if (buildIsFresh(ROOT)) return
  await withLock('build', async () => {
    if (!buildIsFresh(ROOT)) await buildPage()
  })
}

export const runBuild = async (): Promise<number> => {
  onParentExit(() => process.exit(1))
  await withLock('build', buildPage)
  return 0
}

if (import.meta.main) await runCommand(runBuild)
