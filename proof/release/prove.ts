/** Proof, release: built twice to the same bytes, unpacked where nothing is, paid in; and every change of it refused by name. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { COMMANDS } from '../../server/commands/command-groups.ts'
import { CannotRunHere, CommandError } from '../../tools/command-error.mjs'
import { runAndCapture } from '../../tools/exit-with-parent.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress } from '../../tools/progress.mjs'
import { buildRelease, type BuiltRelease } from '../../tools/release/build-release.ts'
import { hostEnvironment } from '../../tools/release/npm-project.ts'
import { ROOT } from '../../tools/root.ts'
import { reportedChanges } from './changed-page.ts'
import { makeEmptyRoot } from './empty-root.ts'
import { refusedByNpm, refusedChanges } from './refusals.ts'
import { isRoot, pay, runBare, startRelease, unpack } from './unpacked.ts'

export interface ReleaseReport extends Pick<
  BuiltRelease,
  'bytes' | 'unpackedBytes' | 'files' | 'packages' | 'packagesInPage'
> {
  readonly hashes: readonly string[]
  readonly msToFirstPayment: number
  /** Null: we are not root, and cannot make one. */
  readonly emptyRoot: { readonly libraries: number; readonly msToFirstPayment: number } | null
  readonly commands: number
  readonly changesRefused: number
  /** Changes of the page that the probe named. */
  readonly pageChangesReported: number
}

export const figuresOf = ({ hashes, emptyRoot, ...report }: ReleaseReport): Figures => {
  if (hashes.length < 2 || new Set(hashes).size !== 1)
    throw new CommandError(`builds of one commit differ: ${hashes.join(', ')}`)
  return {
    ...report,
    identicalBuilds: hashes.length,
    emptyRoot: emptyRoot === null ? 'not tried: only root can make one' : { ...emptyRoot },
  }
}

/** Settings that differ from the first build. They must not change the bytes of the release. */
const ELSEWHERE = { TZ: 'Asia/Kathmandu', LC_ALL: 'C', LANG: 'ja_JP.UTF-8', NODE_ENV: 'development' }

/** What `npm run release` does once every figure is new: those of this proof are not yet. */
const BUILD = `import { buildRelease } from './tools/release/build-release.ts'
process.stdout.write((await buildRelease()).sha256 + '\\n')`

/** In another folder, from a clone of the commit with packages of its own, in another time zone and language, with another umask. */
const buildElsewhere = async (folder: string): Promise<string> => {
  const env = hostEnvironment(process.env)
  const clone = await runAndCapture('git', ['clone', '--quiet', ROOT, folder], { env })
  if (clone.code !== 0) throw new CommandError(`git clone failed: ${clone.output}`)
  const command = `umask 077; npm ci --silent && exec node_modules/.bin/node --input-type=module --eval "$BUILD"`
  const { code, output } = await runAndCapture('sh', ['-c', command], {
    cwd: folder,
    env: { ...env, ...ELSEWHERE, BUILD },
  })
  const hash = /^[0-9a-f]{64}$/m.exec(output)?.[0]
  if (code !== 0 || hash === undefined) throw new CommandError(`the second build failed: ${output}`)
  return hash
}

const elapsed = async (work: () => Promise<void>): Promise<number> => {
  const started = performance.now()
  await work()
  return Math.round(performance.now() - started)
}

/** Unpacks, starts, pays; the probe then finds nothing of another release, and every change of the page; stops. */
const payUnpacked = async (
  archive: string,
  folder: string,
): Promise<Pick<ReleaseReport, 'msToFirstPayment' | 'pageChangesReported'>> => {
  let stop = async (): Promise<void> => {}
  let shopper = ''
  let place = ''
  const msToFirstPayment = await elapsed(async () => {
    place = await unpack(archive, folder)
    const running = await startRelease({ command: ['./kaikei'], cwd: place, dataDir: join(folder, 'data') })
    ;({ stop, shopper } = running)
    await pay(running)
  })
  const { code, output } = await runBare('./kaikei', ['probe', shopper], place)
  if (code !== 0) throw new CommandError(`the probe of a page as it was built ended with ${code}: ${output}`)
  printProgress(`probe: ${output.trim()}`)
  const pageChangesReported = await reportedChanges(place, shopper, folder)
  await stop()
  return { msToFirstPayment, pageChangesReported }
}

const payInEmptyRoot = async (archive: string, root: string): Promise<ReleaseReport['emptyRoot']> => {
  if (!isRoot()) return null
  const name = basename(archive, '.tar.gz')
  const { libraries, dataDir } = await makeEmptyRoot(root, process.execPath)
  let stop = async (): Promise<void> => {}
  const msToFirstPayment = await elapsed(async () => {
    await unpack(archive, join(root, 'opt'))
    const command = ['chroot', '--userspec=65534:65534', root, `/opt/${name}/kaikei`] as const
    // chroot itself needs root; it becomes nobody inside.
    const running = await startRelease({ command, cwd: root, dataDir, user: {} })
    ;({ stop } = running)
    await pay(running)
  })
  await stop()
  return { libraries, msToFirstPayment }
}

/** Every command explains itself, and without a word about the sandbox nothing starts. */
const tryCommands = async (place: string): Promise<number> => {
  for (const name of COMMANDS.keys()) {
    const { code, output } = await runBare('./kaikei', [...name.split(' '), '--help'], place)
    if (code !== 0 || !output.includes(`./kaikei ${name}`))
      throw new CommandError(`./kaikei ${name} --help ended with ${code}: ${output}`)
  }
  const { code, output } = await runBare('./kaikei', ['start'], place)
  if (code === 0 || !output.includes('SANDBOX=on'))
    throw new CommandError(`without SANDBOX it ended with ${code}: ${output}`)
  return COMMANDS.size
}

export const parameters = ''

export const measure = async (): Promise<Figures> => {
  if (process.platform !== 'linux')
    throw new CannotRunHere('this proof starts a release in a root of its own: run it on Linux')
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-release-proof-'))
  // The user `nobody` must be able to enter it.
  chmodSync(folder, 0o755)
  try {
    const { file, sha256, bytes, unpackedBytes, files, packages, packagesInPage } = await buildRelease()
    printProgress(`built: ${sha256}`)
    const again = await buildElsewhere(join(folder, 'clone'))
    printProgress(`built elsewhere: ${again}`)
    const unpacked = join(folder, 'unpacked')
    const paid = await payUnpacked(file, unpacked)
    printProgress(`paid ${paid.msToFirstPayment} ms after unpacking began`)
    const emptyRoot = await payInEmptyRoot(file, join(folder, 'root'))
    const place = join(unpacked, basename(file, '.tar.gz'))
    const commands = await tryCommands(place)
    const changesRefused = await refusedChanges(place)
    await refusedByNpm()
    const sizes = { bytes, unpackedBytes, files, packages, packagesInPage }
    return figuresOf({
      ...sizes,
      hashes: [sha256, again],
      ...paid,
      emptyRoot,
      commands,
      changesRefused: changesRefused + 1,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
