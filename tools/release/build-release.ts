/** npm run release: one archive that starts on a machine without npm. The same commit gives the same bytes. */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runBuild } from '../build/page-build.ts'
import { CommandError } from '../command-error.mjs'
import { git, whollyCommitted } from '../git.ts'
import { printProgress } from '../progress.mjs'
import { refuseOldFigures } from '../prove/figure-age.ts'
import { readResults } from '../prove/readme-figures.ts'
import { ROOT } from '../root.ts'
import { runCommand } from '../run-command.ts'
import { filesBelow, packFolder } from './archive.ts'
import { readBill, readContents, readNames, sourcePaths, THIS_PLATFORM } from './contents.ts'
import { licencesDocument, refusedLicences } from './licences.ts'
import { installProject, lockedPackages, readManifest, writeProject, type LockedPackage } from './npm-project.ts'
import { isReleased, isReleasedOfPackage, missingNeighbours } from './release-files.ts'

export interface BuiltRelease {
  readonly file: string
  readonly sha256: string
  readonly bytes: number
  /** What it unpacks to. */
  readonly unpackedBytes: number
  readonly files: number
  readonly packages: number
  readonly packagesInPage: number
}

const PROGRAMS = ['kaikei', 'bin/node']

const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Without the packages that are installed inside it: each of those has a place of its own. */
const ownFiles = (place: string): string[] => filesBelow(place).filter((path) => !path.startsWith('node_modules/'))

/** The first file in which a package of this clone differs from the one that npm has just compared with its hash. */
const changedFile = (installed: string, place: string): string | undefined => {
  const paths = new Set([installed, ROOT].flatMap((root) => ownFiles(join(root, place))))
  return [...paths]
    .map((path) => join(place, path))
    .find((path) => {
      const [wanted, used] = [join(installed, path), join(ROOT, path)]
      return !existsSync(wanted) || !existsSync(used) || !readFileSync(wanted).equals(readFileSync(used))
    })
}

const copyPackage = (installed: string, place: string, folder: string): void => {
  const files = ownFiles(join(installed, place))
  const texts = files.map((path) => [path, readFileSync(join(installed, place, path), 'utf8')] as const)
  const [missing] = missingNeighbours(new Map(texts), isReleasedOfPackage)
  if (missing !== undefined) throw new CommandError(`${place} would be released without what it asks for, ${missing}`)
  for (const path of files.filter(isReleasedOfPackage)) copy(join(installed, place, path), join(folder, place, path))
}

const LICENCE_FILE = /^(licen[cs]e|copying)[^/]*$/i

/** Each licence asks for a copy of itself; that of a package inside the page stands nowhere else. */
const writeLicence = (installed: string, { place, name, version, licence }: LockedPackage, folder: string): void => {
  const file = ownFiles(join(installed, place)).find((path) => LICENCE_FILE.test(path))
  const text =
    file === undefined
      ? `${name} ${version} says that its licence is ${licence}, and comes without a text.\n`
      : readFileSync(join(installed, place, file), 'utf8')
  write(join(folder, 'licences', `${name.replace('/', '__')}@${version}.txt`), text)
}

/** What Node needs of it at run time: the kind of its modules, and where `#contract` and `#payment` are. */
const releaseManifest = (): string => {
  const { version, license, imports } = readManifest()
  return `${JSON.stringify({ name: 'kaikei', version, private: true, license, type: 'module', imports }, null, 2)}\n`
}

/** Packages as npm has just installed them. */
interface Installed {
  readonly folder: string
  readonly packages: readonly LockedPackage[]
}

const install = async (folder: string, names: readonly string[]): Promise<Installed> => {
  mkdirSync(folder)
  await writeProject(folder, names)
  await installProject(folder)
  return { folder, packages: lockedPackages(folder).filter(({ place }) => existsSync(join(folder, place))) }
}

const copyOurs = async (folder: string): Promise<void> => {
  const built = filesBelow(join(ROOT, 'dist')).map((path) => `dist/${path}`)
  for (const path of [...(await sourcePaths()), ...built].filter(isReleased)) copy(join(ROOT, path), join(folder, path))
  copy(join(ROOT, 'tools', 'release', 'kaikei.sh'), join(folder, 'kaikei'))
  write(join(folder, 'package.json'), releaseManifest())
}

const copyNode = (place: string, folder: string): void => {
  copy(join(place, 'bin', 'node'), join(folder, 'bin', 'node'))
  copy(join(place, 'LICENSE'), join(folder, 'licences', 'node.txt'))
}

/** The page is built of the packages in this clone, which anybody may have changed since they were installed. */
const refuseChanged = ({ folder, packages }: Installed): void => {
  const [changed] = packages.flatMap(({ place }) => changedFile(folder, place) ?? [])
  if (changed !== undefined)
    throw new CommandError(`${changed} is not the file of package-lock.json: delete node_modules, then try again`)
}

/** Everything that a release holds, in `folder`. */
const fillFolder = async (folder: string, server: Installed, page: Installed, runtime: string): Promise<void> => {
  await copyOurs(folder)
  for (const each of server.packages)
    if (each.name === runtime) copyNode(join(server.folder, each.place), folder)
    else copyPackage(server.folder, each.place, folder)
  for (const { folder: installed, packages } of [server, page])
    for (const each of packages) if (each.name !== runtime) writeLicence(installed, each, folder)
  write(join(folder, 'licences', 'README.md'), licencesDocument(await readContents()))
  write(join(folder, 'sbom.cdx.json'), await readBill())
  const sums = filesBelow(folder).map((path) => `${sha256Of(join(folder, path))}  ${path}\n`)
  write(join(folder, 'SHA256SUMS'), sums.join(''))
}

/** `work` is an empty folder. */
const buildIn = async (work: string): Promise<BuiltRelease> => {
  const { server, page, runtimes } = await readContents()
  const refused = refusedLicences([...server, ...page, ...runtimes])
  if (refused.length > 0)
    throw new CommandError(`licences that tools/release/licences.ts does not allow: ${refused.join(', ')}`)
  await runBuild()
  const names = await readNames()
  const ofPage = await install(join(work, 'page'), names.page)
  refuseChanged(ofPage)
  const ofServer = await install(join(work, 'server'), [...names.server, names.runtime])
  const name = `kaikei-${readManifest().version}-${THIS_PLATFORM}`
  const folder = join(work, name)
  await fillFolder(folder, ofServer, ofPage, names.runtime)
  const files = filesBelow(folder)
  const file = join(ROOT, 'dist', `${name}.tar.gz`)
  packFolder(file, folder, PROGRAMS, new Date(Number(await git('log', '-1', '--format=%ct')) * 1000))
  const sha256 = sha256Of(file)
  writeFileSync(`${file}.sha256`, `${sha256}  ${name}.tar.gz\n`)
  return {
    file,
    sha256,
    bytes: statSync(file).size,
    unpackedBytes: files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0),
    files: files.length,
    packages: server.length,
    packagesInPage: page.length,
  }
}

export const buildRelease = async (): Promise<BuiltRelease> => {
  await whollyCommitted()
  const work = mkdtempSync(join(tmpdir(), 'kaikei-release-'))
  try {
    return await buildIn(work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Beside the build, which a proof runs before the figures of all proofs are new. */
export const runRelease = async (): Promise<number> => {
  await refuseOldFigures(readResults(ROOT))
  const { file, sha256: hash, bytes, files, packages } = await buildRelease()
  printProgress(`${file}: ${(bytes / 1e6).toFixed(1)} MB, ${files} files, ${packages} packages and Node`)
  process.stdout.write(`${hash}\n`)
  return 0
}

if (import.meta.main) await runCommand(runRelease)
