// Install: what every npm script runs first. JavaScript for the host's own Node: before the first install there is no other.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LOCKFILE = readFileSync('package-lock.json', 'utf8')
const STAMP = join('node_modules', '.installed')
// Beside node_modules, and of this process alone: an install that is killed, or a second one, changes nothing there.
const FOLDER = join('dist', `.install-${process.pid}`)

// Scripts of an operator read the exit code of kaikei: 2 says that it could not do its work.
const FAILED = process.env['npm_lifecycle_event'] === 'kaikei' ? 2 : 1

/** @param {string} line */
const print = (line) => process.stderr.write(`${line}\n`)

// The whole text and no times of change: a checkout makes every file new.
const isInstalled = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === LOCKFILE

/** npm compares every package, the one that holds Node among them, with its SHA-512 in the lockfile. */
const runNpm = () => {
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(file, join(FOLDER, file))
  // The host's own npm and Node, also where node_modules/.bin is first on the PATH. `node --run` tells of neither.
  const { npm_node_execpath: node, npm_execpath: npm } = process.env
  const [command, ...script] = node === undefined || npm === undefined ? ['npm'] : [node, npm]
  // Packages may not run scripts here, also if the user's settings allow it.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  // Warnings would tell of every package that wants a newer Node than the host's.
  const quiet = '--loglevel=error'
  const { status } = spawnSync(command, [...script, ...args, quiet], { cwd: FOLDER, stdio: ['ignore', 2, 2] })
  if (status !== 0)
    return 'the packages could not be installed (npm ci; see above). A hash that it names stands in package-lock.json, below its package'
  if (existsSync(join(FOLDER, 'node_modules', '.bin', 'node'))) return undefined
  return 'npm has installed no Node: see that its registry has a Node 26 for this system, then run it again'
}

const moveIntoPlace = () => {
  writeFileSync(join(FOLDER, STAMP), LOCKFILE)
  // Another start was faster, and may already run its program from there.
  if (isInstalled()) return undefined
  try {
    if (existsSync('node_modules')) renameSync('node_modules', join(FOLDER, 'former'))
    renameSync(join(FOLDER, 'node_modules'), 'node_modules')
    return undefined
  } catch (error) {
    if (isInstalled()) return undefined
    return `node_modules cannot be replaced, perhaps because of another start in this folder; run it again (${String(error)})`
  }
}

if (!isInstalled()) {
  const started = performance.now()
  print('installing packages…')
  // npm gets Ctrl-C too and ends; what it has written is then removed below.
  process.on('SIGINT', () => {})
  mkdirSync(FOLDER, { recursive: true })
  const problem = runNpm() ?? moveIntoPlace()
  rmSync(FOLDER, { recursive: true, force: true })
  print(problem ?? `packages installed in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (problem !== undefined) process.exit(FAILED)
}
