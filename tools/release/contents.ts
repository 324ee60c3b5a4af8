/** Contents: everything of others that a release holds: packages of the server, packages inside the built page and console, and Node. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { git } from '../git.ts'
import { ROOT } from '../root.ts'
import { billOf, lockedPackages, readManifest, writeProject, type LockedPackage } from './npm-project.ts'
import { isReleased, packagesImportedBy } from './release-files.ts'

export const THIS_PLATFORM = `${process.platform}-${process.arch}`

/** npm's packages of Node, one for each system: one of them is called otherwise than the rest. */
const NODE_PACKAGE = /^node-(bin-)?(?=linux-|darwin-)/

export interface Contents {
  /** In `node_modules` of a release. */
  readonly server: readonly LockedPackage[]
  /** In the scripts of the page and of the console, and nowhere else. */
  readonly page: readonly LockedPackage[]
  /** One for each system. */
  readonly runtimes: readonly LockedPackage[]
}

const isPage = (path: string): boolean =>
  /^(page|ui|console)\/.*\.tsx?$/.test(path) && !/\.test\.ts$|\/testing\//.test(path)
const isServer = (path: string): boolean => /\.(ts|mjs)$/.test(path) && isReleased(path)

export const sourcePaths = async (): Promise<string[]> => (await git('ls-files')).split('\n')

/** Packages that are imported by name, and the one that holds Node. */
export const readNames = async () => {
  const paths = await sourcePaths()
  const importedBy = (isOne: (path: string) => boolean): string[] =>
    packagesImportedBy(paths.filter(isOne).map((path) => readFileSync(join(ROOT, path), 'utf8')))
  const runtimes = Object.keys(readManifest().optionalDependencies).filter((name) => NODE_PACKAGE.test(name))
  const runtime = runtimes.find((name) => name.replace(NODE_PACKAGE, '') === THIS_PLATFORM)
  if (runtime === undefined) throw new CommandError(`there is no Node for ${THIS_PLATFORM} in package.json`)
  const page = importedBy(isPage).filter((name) => name !== 'vite')
  return { server: importedBy(isServer), page, runtimes, runtime }
}

const inProject = async <T>(names: readonly string[], read: (folder: string) => T | Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-project-'))
  try {
    await writeProject(folder, names)
    return await read(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const isNeeded = ({ optional }: LockedPackage): boolean => optional !== true

export const readContents = async (): Promise<Contents> => {
  const names = await readNames()
  const needed = (folder: string): LockedPackage[] => lockedPackages(folder).filter(isNeeded)
  const [server, page] = await Promise.all([inProject(names.server, needed), inProject(names.page, needed)])
  const inServer = new Set(server.map(({ place }) => place))
  return {
    server,
    page: page.filter(({ place }) => !inServer.has(place)),
    runtimes: lockedPackages().filter(({ name }) => names.runtimes.includes(name)),
  }
}

/** The bill of materials of this system's release. */
export const readBill = async (): Promise<string> => {
  const { server, page, runtime } = await readNames()
  return inProject([...server, ...page, runtime], billOf)
}
