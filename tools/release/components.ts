/** Components: everything of others that a release holds: packages of the server, packages inside the built page and console, and Node. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../git.ts'
import { CommandError } from '../command-error.mjs'
import { ROOT } from '../root.ts'
import { reachableFrom, readLockfile, type LockedPackage, type Lockfile } from './lockfile.ts'
import { isReleased, packagesImportedBy } from './release-files.ts'

export interface Components {
  readonly lockfile: Lockfile
  /** In `node_modules` of a release. */
  readonly server: readonly LockedPackage[]
  /** In the scripts of the page and of the console, and nowhere else. */
  readonly page: readonly LockedPackage[]
  /** One for each system. */
  readonly runtimes: readonly LockedPackage[]
}

const isPage = (path: string): boolean =>
  /^(page|ui|console)\/.*\.tsx?$/.test(path) && !/\.test\.ts$|\/testing\//.test(path)
const isSource = (path: string): boolean => /\.(ts|mjs)$/.test(path)

const componentsOf = (lockfile: Lockfile, paths: readonly string[], read: (path: string) => string): Components => {
  const serverNames = packagesImportedBy(paths.filter((path) => isSource(path) && isReleased(path)).map(read))
  const pageNames = packagesImportedBy(paths.filter(isPage).map(read)).filter((name) => name !== 'vite')
  const server = reachableFrom(lockfile, serverNames)
  const inServer = new Set(server.map(({ path }) => path))
  return {
    lockfile,
    server,
    page: reachableFrom(lockfile, pageNames).filter(({ path }) => !inServer.has(path)),
    runtimes: [...lockfile.values()].filter(({ name }) => /^node-(bin-)?(linux|darwin)-/.test(name)),
  }
}

export const sourcePaths = async (): Promise<string[]> => (await git('ls-files')).split('\n')

export const readComponents = async (): Promise<Components> =>
  componentsOf(readLockfile(ROOT), await sourcePaths(), (path) => readFileSync(join(ROOT, path), 'utf8'))

/** The names of npm's packages of Node: one of them is called otherwise than the rest. */
export const runtimeFor = ({ runtimes }: Components, platform: string): LockedPackage => {
  const found = runtimes.find(({ name }) => name.replace(/^node-(bin-)?/, '') === platform)
  if (found === undefined) throw new CommandError(`there is no Node for ${platform} in package-lock.json`)
  return found
}

/** SHA-256 of a package's `bin/node`, as it is pinned. */
export const pinnedHash = (hashes: string, { name, version }: LockedPackage): string => {
  const line = hashes.split('\n').find((each) => each.endsWith(`  ${name}@${version}`))
  if (line === undefined) throw new CommandError(`tools/release/node-hashes.txt has no ${name}@${version}`)
  return line.slice(0, line.indexOf(' '))
}

export const readNodeHashes = (): string => readFileSync(join(ROOT, 'tools', 'release', 'node-hashes.txt'), 'utf8')
