/** npm run release: one archive that starts on a machine without npm. The same commit gives the same bytes. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { runBuild } from '../build/page-build.ts'
import { CommandError } from '../command-error.mjs'
import { runAndCapture } from '../exit-with-parent/spawn.mjs'
import { git, whollyCommitted } from '../git.ts'
import { printProgress } from '../progress.mjs'
import { refuseOldFigures } from '../prove/figure-age.ts'
import { readResults } from '../prove/readme-figures.ts'
import { hostEnvironment, refusedPackage, ROOT } from '../setup/setup.mjs'
import { pinnedHash, readComponents, readNodeHashes, runtimeFor, sourcePaths, type Components } from './components.ts'
import { licencesDocument, refusedLicences } from './licences.ts'
import { changedSinceInstall, filesBelow, licenceEntries, packageEntries } from './package-entries.ts'
import { isReleased } from './release-files.ts'
import { tarOf, type TarEntry } from './tar.ts'
import { readManifest, sbomText, THIS_PLATFORM, type Manifest } from './write-sbom.ts'

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

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const fileEntry = (path: string, bytes: Buffer | string, isProgram = false): TarEntry => ({
  path,
  bytes: Buffer.from(bytes),
  isProgram,
})

/** Installed anew from the lockfile, into an empty folder: npm compares every archive with its hash there, and names what differs. */
export const installProduction = async (folder: string, lockfile: string): Promise<void> => {
  for (const name of ['package.json', '.npmrc']) copyFileSync(join(ROOT, name), join(folder, name))
  writeFileSync(join(folder, 'package-lock.json'), lockfile)
  const omit = ['--ignore-scripts', '--omit=dev', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await runAndCapture('npm', ['ci', ...omit], {
    cwd: folder,
    env: hostEnvironment(process.env),
  })
  if (code !== 0)
    throw new CommandError(
      `${output.trimEnd()}\n${refusedPackage(output, folder)}the packages of the release could not be installed`,
    )
}

/** The Node of this system, by the pinned hash once more: an installed file may have changed since. */
const nodeEntry = (components: Components): TarEntry => {
  const runtime = runtimeFor(components, THIS_PLATFORM)
  const bytes = readFileSync(join(ROOT, runtime.path, 'bin', 'node'))
  if (sha256(bytes) !== pinnedHash(readNodeHashes(), runtime))
    throw new CommandError(`${runtime.path}/bin/node is not the program that tools/setup/node-hashes.txt pins`)
  return { path: 'bin/node', bytes, isProgram: true }
}

/** What Node needs of it at run time: the kind of its modules, and where `#contract` and `#payment` are. */
const releaseManifest = ({ version, licence, imports }: Manifest): string =>
  `${JSON.stringify({ name: 'kaikei', version, private: true, license: licence, type: 'module', imports }, null, 2)}\n`

const entriesOf = async (components: Components, installed: string): Promise<TarEntry[]> => {
  const built = filesBelow(join(ROOT, 'dist')).map((path) => `dist/${path}`)
  const own = [...(await sourcePaths()), ...built].filter(isReleased)
  const entries = [
    ...own.map((path) => fileEntry(path, readFileSync(join(ROOT, path)))),
    ...packageEntries(components.server, installed),
    ...licenceEntries([...components.server, ...components.page], installed),
    fileEntry('licences/node.txt', readFileSync(join(ROOT, runtimeFor(components, THIS_PLATFORM).path, 'LICENSE'))),
    fileEntry('licences/README.md', licencesDocument(components)),
    fileEntry('sbom.cdx.json', sbomText(components, THIS_PLATFORM)),
    fileEntry('package.json', releaseManifest(readManifest())),
    fileEntry('kaikei', readFileSync(join(ROOT, 'tools', 'release', 'kaikei.sh')), true),
    nodeEntry(components),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const sums = entries.map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`).join('')
  return [...entries, fileEntry('SHA256SUMS', sums)]
}

export const buildRelease = async (): Promise<BuiltRelease> => {
  await whollyCommitted()
  const components = await readComponents()
  const refused = refusedLicences([...components.server, ...components.page, ...components.runtimes])
  if (refused.length > 0)
    throw new CommandError(`licences that tools/release/licences.ts does not allow: ${refused.join(', ')}`)
  await runBuild()
  const installed = mkdtempSync(join(tmpdir(), 'kaikei-release-'))
  try {
    await installProduction(installed, readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
    // The page is built of the packages in this clone, which anybody may have changed since they were installed.
    const changed = changedSinceInstall(components.page, installed, ROOT)
    if (changed !== undefined)
      throw new CommandError(`${changed} is not the file of package-lock.json: delete node_modules, then try again`)
    const entries = await entriesOf(components, installed)
    const seconds = Number(await git('log', '-1', '--format=%ct'))
    const name = `kaikei-${readManifest().version}-${THIS_PLATFORM}`
    const inFolder = entries.map((entry) => ({ ...entry, path: `${name}/${entry.path}` }))
    const archive = gzipSync(tarOf(inFolder, seconds), { level: constants.Z_BEST_COMPRESSION })
    mkdirSync(join(ROOT, 'dist'), { recursive: true })
    const file = join(ROOT, 'dist', `${name}.tar.gz`)
    writeFileSync(file, archive)
    writeFileSync(`${file}.sha256`, `${sha256(archive)}  ${name}.tar.gz\n`)
    return {
      file,
      sha256: sha256(archive),
      bytes: archive.length,
      unpackedBytes: entries.reduce((sum, { bytes }) => sum + bytes.length, 0),
      files: entries.length,
      packages: components.server.length,
      packagesInPage: components.page.length,
    }
  } finally {
    rmSync(installed, { recursive: true, force: true })
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
