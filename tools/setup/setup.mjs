// Setup: the beginning of every command. Installs what is missing and moves to the bundled Node, so it is JavaScript for
// the host's own Node.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runAndCapture } from '../exit-with-parent/spawn.mjs'
import { withLock } from './lock.mjs'
import { onParentExit, STOP_SIGNALS } from '../exit-with-parent/watch-parent.mjs'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { printProgress, secondsSince } from '../progress.mjs'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

// In dist because git ignores it, and `npm ci` empties the other ignored folder.
/** @param {string} name */
export const lockFile = (name) => join(ROOT, 'dist', '.locks', name)

/** Linked by npm to the package of this system: each is for one, and optional. */
const bundledNode = (folder = ROOT) => join(folder, 'node_modules', '.bin', 'node')

/** Runs it only if its bytes are the pinned ones. */
const PINNED_NODE = join(ROOT, 'tools', 'pinned-node.sh')

/**
 * @param {string} file a lockfile of npm
 * @returns {Map<string, Record<string, unknown>> | undefined} undefined when it is missing or half written
 */
const packagesInLockfile = (file) => {
  try {
    /** @type {unknown} */
    const lock = JSON.parse(readFileSync(file, 'utf8'))
    if (!isRecord(lock) || !isRecord(lock['packages'])) return undefined
    /** @type {Map<string, Record<string, unknown>>} */
    const packages = new Map()
    for (const [path, entry] of Object.entries(lock['packages'])) {
      if (path !== '' && isRecord(entry)) packages.set(path, entry)
    }
    return packages
  } catch {
    return undefined
  }
}

/**
 * Why the packages in `folder` are not those of its lockfile, or undefined when they are. It compares what npm wrote
 * down, never times of change: a clone or a checkout makes every file new.
 * @param {string} folder
 * @returns {string | undefined}
 */
export const installProblem = (folder) => {
  // npm writes this file last, so an install that was killed has none.
  const present = packagesInLockfile(join(folder, 'node_modules', '.package-lock.json'))
  if (present === undefined) return 'node_modules is missing or half installed'
  const wanted = packagesInLockfile(join(folder, 'package-lock.json'))
  if (wanted === undefined) return 'package-lock.json cannot be read'
  for (const [path, want] of wanted) {
    const have = present.get(path)
    // Optional ones are for other systems as a rule.
    if (have === undefined && want['optional'] === true) continue
    if (have === undefined || !existsSync(join(folder, path))) return `${path} is missing`
    if (have['version'] !== want['version'] || have['integrity'] !== want['integrity']) return `${path} is outdated`
  }
  // A Node that an earlier release had installed under another name would run on, and past the lockfile.
  const left = [...present.keys()].find((path) => !wanted.has(path))
  if (left !== undefined) return `${left} is not in package-lock.json`
  return existsSync(bundledNode(folder)) ? undefined : 'node_modules/.bin/node is missing'
}

/**
 * The host's own npm and node: under the bundled node, npm would delete the program that runs it.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export const hostEnvironment = (env) => ({
  ...env,
  PATH: (env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.endsWith(join('node_modules', '.bin')))
    .join(delimiter),
})

/**
 * npm names the hash that it wanted but not the package. This line names the package.
 * @param {string} output of npm
 * @param {string} folder with the lockfile
 * @returns {string} ends with a line break where there is something to say
 */
export const refusedPackage = (output, folder) => {
  const wanted = /wanted \(?(sha\d+-[A-Za-z0-9+/=]+)/.exec(output)?.[1]
  const packages = wanted === undefined ? undefined : packagesInLockfile(join(folder, 'package-lock.json'))
  const [path] = [...(packages ?? [])].find(([, entry]) => entry['integrity'] === wanted) ?? []
  return path === undefined ? '' : `${path} is not the package of package-lock.json: its bytes have another hash\n`
}

const install = async () => {
  printProgress('installing packages…')
  const started = performance.now()
  const { code, output } = await runAndCapture(
    'npm',
    // Packages may not run scripts here, also if the user's settings allow it.
    'ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --no-progress --loglevel=error'.split(
      ' ',
    ),
    { cwd: ROOT, env: hostEnvironment(process.env) },
  )
  if (code !== 0) {
    throw new CommandError(
      `${output.trimEnd()}\n${refusedPackage(output, ROOT)}the packages could not be installed (npm ci, exit code ${code}; see above)`,
    )
  }
  const problem = installProblem(ROOT)
  if (problem !== undefined) {
    throw new CommandError(
      `npm ci succeeded, but ${problem}: see that npm reaches its registry and that it has a Node 26 for this system, then try again`,
    )
  }
  printProgress(`packages installed in ${secondsSince(started)}`)
}

/** @returns {Promise<'present' | 'installed'>} */
const ensureInstalled = async () => {
  if (installProblem(ROOT) === undefined) return 'present'
  await withLock(lockFile('install'), async () => {
    if (installProblem(ROOT) !== undefined) await install()
  })
  return 'installed'
}

/**
 * @param {string} script
 * @returns {Promise<number>}
 */
const rerunOnBundledNode = (script) =>
  new Promise((resolve) => {
    const child = spawn(PINNED_NODE, ['--only', script, ...process.argv.slice(2)], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    for (const signal of STOP_SIGNALS) process.on(signal, () => child.kill(signal))
    onParentExit(() => process.exit(1))
    child.on('error', (error) => {
      printProgress(`${PINNED_NODE}: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })

const runsOnBundledNode = () =>
  existsSync(process.execPath) && realpathSync(process.execPath) === realpathSync(bundledNode())

/**
 * Installs what is missing, moves to the bundled Node, does the work and exits with its code.
 * @param {string} url of the command's own file
 * @param {() => Promise<number>} work runs on the bundled Node, so it may import TypeScript
 * @param {number} failureExitCode when the work throws a CommandError, or cannot even begin
 */
export const runCommand = async (url, work, failureExitCode = 1) => {
  process.chdir(ROOT)
  try {
    const stopWatching = onParentExit(() => process.exit(1))
    const packages = await ensureInstalled()
    stopWatching()
    // After an install this process may still be the former bundled Node under the same path.
    const canWorkHere = packages === 'present' && runsOnBundledNode()
    process.exit(canWorkHere ? await work() : await rerunOnBundledNode(fileURLToPath(url)))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printProgress(error.message)
    process.exit(failureExitCode)
  }
}
