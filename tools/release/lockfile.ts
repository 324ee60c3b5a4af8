/** Lockfile: the packages that npm has written down, and which of them others need. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'

export interface LockedPackage {
  /** Where it is installed, such as `node_modules/smtp-server/node_modules/nodemailer`. */
  readonly path: string
  readonly name: string
  readonly version: string
  /** Of the archive in the registry: `sha512-` and its hash. */
  readonly integrity: string | undefined
  readonly licence: string
  readonly hasInstallScript: boolean
  readonly isDevelopment: boolean
  readonly isOptional: boolean
  /** The names that it asks for. */
  readonly needs: readonly string[]
}

export type Lockfile = ReadonlyMap<string, LockedPackage>

const namesIn = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : [])

const isOptionalPeer = (entry: Record<string, unknown>, name: string): boolean => {
  const meta = entry['peerDependenciesMeta']
  const about = isRecord(meta) ? meta[name] : undefined
  return isRecord(about) && about['optional'] === true
}

const packageOf = (path: string, entry: Record<string, unknown>): LockedPackage => {
  const { version, integrity, license } = entry
  const peers = namesIn(entry['peerDependencies']).filter((name) => !isOptionalPeer(entry, name))
  return {
    path,
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: typeof version === 'string' ? version : '',
    integrity: typeof integrity === 'string' ? integrity : undefined,
    licence: typeof license === 'string' ? license : 'unknown',
    hasInstallScript: entry['hasInstallScript'] === true,
    isDevelopment: entry['dev'] === true || entry['devOptional'] === true,
    isOptional: entry['optional'] === true,
    needs: [...namesIn(entry['dependencies']), ...peers],
  }
}

export const parseLockfile = (text: string): Lockfile => {
  const lock: unknown = JSON.parse(text)
  if (!isRecord(lock) || !isRecord(lock['packages'])) throw new CommandError('package-lock.json has no packages')
  const packages = Object.entries(lock['packages']).flatMap(([path, entry]) =>
    path === '' || !isRecord(entry) ? [] : [packageOf(path, entry)],
  )
  return new Map(packages.map((each) => [each.path, each]))
}

export const readLockfile = (folder: string): Lockfile =>
  parseLockfile(readFileSync(join(folder, 'package-lock.json'), 'utf8'))

/** The package that Node finds by a name from a place, as it looks: in its own folder first, then one further out each time. */
const findFrom = (lockfile: Lockfile, place: string, name: string): LockedPackage | undefined => {
  const found = lockfile.get(`${place === '' ? '' : `${place}/`}node_modules/${name}`)
  if (found !== undefined || place === '') return found
  const outer = place.lastIndexOf('/node_modules/')
  return findFrom(lockfile, outer === -1 ? '' : place.slice(0, outer), name)
}

export const needsOf = (lockfile: Lockfile, { path, needs }: LockedPackage): LockedPackage[] =>
  needs.flatMap((name) => findFrom(lockfile, path, name) ?? [])

/** The packages of these names and all that they need, sorted by path. */
export const reachableFrom = (lockfile: Lockfile, names: Iterable<string>): LockedPackage[] => {
  const found = new Map<string, LockedPackage>()
  const visit = (each: LockedPackage): void => {
    if (found.has(each.path)) return
    found.set(each.path, each)
    for (const needed of needsOf(lockfile, each)) visit(needed)
  }
  for (const name of names) {
    const direct = lockfile.get(`node_modules/${name}`)
    if (direct === undefined) throw new CommandError(`${name} is imported, but package-lock.json does not have it`)
    visit(direct)
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
