/** Package entries: the files of installed packages that stand in a release, and the texts of their licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { CommandError } from '../command-error.mjs'
import type { LockedPackage } from './lockfile.ts'
import { isReleasedOfPackage, missingNeighbours } from './release-files.ts'
import type { TarEntry } from './tar.ts'

/** Relative paths of all files below a folder, with slashes, sorted. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()

/** Without the packages that are installed inside it: each of those is listed by itself. */
const ownFiles = (folder: string): string[] => filesBelow(folder).filter((path) => !path.startsWith('node_modules/'))

const entriesOfOne = ({ path: place }: LockedPackage, installed: string): TarEntry[] => {
  const all = new Map(
    ownFiles(join(installed, place)).map((path) => [path, readFileSync(join(installed, place, path))]),
  )
  const texts = new Map([...all].map(([path, bytes]) => [path, bytes.toString('utf8')]))
  const [missing] = missingNeighbours(texts, isReleasedOfPackage)
  if (missing !== undefined) throw new CommandError(`${place} would be released without what it asks for, ${missing}`)
  return [...all]
    .filter(([path]) => isReleasedOfPackage(path))
    .map(([path, bytes]) => ({ path: `${place}/${path}`, bytes, isProgram: false }))
}

export const packageEntries = (packages: readonly LockedPackage[], installed: string): TarEntry[] =>
  packages.flatMap((each) => entriesOfOne(each, installed))

/** The first file in which packages of a clone differ from those that npm has just compared with their hashes. */
export const changedSinceInstall = (
  packages: readonly LockedPackage[],
  installed: string,
  clone: string,
): string | undefined => {
  const paths = packages.flatMap(({ path: place }) =>
    [...new Set([installed, clone].flatMap((root) => ownFiles(join(root, place))))].map((path) => `${place}/${path}`),
  )
  const bytesIn = (root: string, path: string): Buffer | null =>
    existsSync(join(root, path)) ? readFileSync(join(root, path)) : null
  return paths.find((path) => {
    const [wanted, used] = [bytesIn(installed, path), bytesIn(clone, path)]
    return wanted === null || used === null || !wanted.equals(used)
  })
}

const LICENCE_FILE = /^(licen[cs]e|copying)[^/]*$/i

/** Each licence asks for a copy of itself; that of a package inside the page stands nowhere else. */
export const licenceEntries = (packages: readonly LockedPackage[], installed: string): TarEntry[] => {
  const entries = packages.map(({ name, version, licence, path: place }) => {
    const file = ownFiles(join(installed, place)).find((path) => LICENCE_FILE.test(path))
    const text =
      file === undefined
        ? `${name} ${version} says that its licence is ${licence}, and comes without a text.\n`
        : readFileSync(join(installed, place, file), 'utf8')
    return { path: `licences/${name.replace('/', '__')}@${version}.txt`, bytes: Buffer.from(text), isProgram: false }
  })
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()]
}
