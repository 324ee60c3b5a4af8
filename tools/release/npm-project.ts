/** npm project: some of our dependencies with all that they need, as they are locked, in a folder of their own. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { CommandError } from '../command-error.mjs'
import { runAndCapture } from '../exit-with-parent.ts'
import { ROOT } from '../root.ts'

const Versions = Type.Record(Type.String(), Type.String())
const Manifest = Type.Object({
  version: Type.String(),
  license: Type.String(),
  imports: Versions,
  dependencies: Versions,
  optionalDependencies: Versions,
})

export const readManifest = () => Parse(Manifest, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))

const Locked = Type.Object({
  version: Type.Optional(Type.String()),
  license: Type.Optional(Type.String()),
  integrity: Type.Optional(Type.String()),
  optional: Type.Optional(Type.Boolean()),
  hasInstallScript: Type.Optional(Type.Boolean()),
})
const Lockfile = Type.Object({ packages: Type.Record(Type.String(), Locked) })

export interface LockedPackage extends Type.Static<typeof Locked> {
  /** Where it is installed, such as `node_modules/smtp-server/node_modules/nodemailer`. */
  readonly place: string
  readonly name: string
  readonly licence: string
}

export const readLockfile = (folder = ROOT): string => readFileSync(join(folder, 'package-lock.json'), 'utf8')

export const lockedPackages = (folder = ROOT): LockedPackage[] =>
  Object.entries(Parse(Lockfile, JSON.parse(readLockfile(folder))).packages)
    .filter(([place]) => place !== '')
    .map(([place, each]) => ({
      ...each,
      place,
      name: place.replace(/^.*node_modules\//, ''),
      licence: each.license ?? 'unknown',
    }))

/** The host's own npm and node: an npm of the host's may not know the bundled Node yet. */
export const hostEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  PATH: (env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.endsWith(join('node_modules', '.bin')))
    .join(delimiter),
})

/** npm names the hash that it wanted but not the package. This line names the package; empty where there is nothing to say. */
export const refusedPackage = (output: string, folder: string): string => {
  const wanted = /wanted \(?(sha\d+-[A-Za-z0-9+/=]+)/.exec(output)?.[1]
  const refused = lockedPackages(folder).find(({ integrity }) => integrity !== undefined && integrity === wanted)
  return refused === undefined
    ? ''
    : `${refused.place} is not the package of package-lock.json: its bytes have another hash\n`
}

/** What npm printed, without warnings of npm or of its Node: a bill of materials is read from it. */
const runNpm = async (folder: string, ...args: readonly string[]): Promise<string> => {
  const env = { ...hostEnvironment(process.env), NODE_NO_WARNINGS: '1' }
  const { code, output } = await runAndCapture('npm', [...args, '--loglevel=error'], { cwd: folder, env })
  if (code === 0) return output
  throw new CommandError(`${output.trimEnd()}\n${refusedPackage(output, folder)}npm ${args.join(' ')} failed`)
}

/** npm cuts the lockfile to what these need, and asks nobody: every version stands in it. */
export const writeProject = async (
  folder: string,
  names: readonly string[],
  lockfile = readLockfile(),
): Promise<void> => {
  const { version, license, dependencies, optionalDependencies } = readManifest()
  const versions = new Map(Object.entries({ ...dependencies, ...optionalDependencies }))
  const missing = names.find((name) => !versions.has(name))
  if (missing !== undefined) throw new CommandError(`${missing} is imported, but no dependency of package.json`)
  const picked = Object.fromEntries([...versions].filter(([name]) => names.includes(name)))
  const manifest = { name: 'kaikei', version, private: true, license, dependencies: picked }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), lockfile)
  copyFileSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'))
  await runNpm(folder, 'install', '--package-lock-only', '--offline', '--no-audit', '--no-fund')
}

/** npm compares every archive with its hash in the lockfile, and names what differs. */
export const installProject = async (folder: string): Promise<void> => {
  await runNpm(folder, 'ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund')
}

const Bill = Type.Object({ metadata: Type.Object({ component: Type.Record(Type.String(), Type.Unknown()) }) })

/** Its bill of materials (CycloneDX) without what is other each time or elsewhere: number, time, npm's version, name of the folder. */
export const billOf = async (folder: string): Promise<string> => {
  const text = await runNpm(
    folder,
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
    '--omit=optional',
  )
  const bill = Parse(Bill, JSON.parse(text))
  const component = { ...bill.metadata.component, name: 'kaikei' }
  return `${JSON.stringify({ ...bill, serialNumber: undefined, metadata: { component } }, null, 2)}\n`
}
