/** Refusals: a release that was changed after its build is not run, and the changed file is named. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../../tools/command-error.mjs'
import { installProject, readLockfile, writeProject } from '../../tools/release/npm-project.ts'
import { runBare } from './unpacked.ts'

const PACKAGE_FILE = 'node_modules/fastify/fastify.js'
const ADDED_FILE = 'server/node_modules/fastify/index.js'

const withFlippedBit = (bytes: Buffer): Buffer => {
  const flipped = Buffer.from(bytes)
  const middle = Math.floor(flipped.length / 2)
  flipped.writeUInt8(flipped.readUInt8(middle) ^ 1, middle)
  return flipped
}

const mustRefuse = async (folder: string, name: string): Promise<void> => {
  const { code, output } = await runBare('./kaikei', ['sandbox', 'cards'], folder)
  if (code !== 2 || !output.includes(name))
    throw new CommandError(`${name} was not refused by name (${code}): ${output}`)
}

/** One flipped bit in Node and in a package, and a package put where it would be found first. Answers how many were refused. */
export const refusedChanges = async (folder: string): Promise<number> => {
  for (const path of ['bin/node', PACKAGE_FILE]) {
    const file = join(folder, path)
    const before = readFileSync(file)
    writeFileSync(file, withFlippedBit(before))
    await mustRefuse(folder, `${path}: FAILED`)
    writeFileSync(file, before)
  }
  mkdirSync(join(folder, 'server/node_modules/fastify'), { recursive: true })
  writeFileSync(join(folder, ADDED_FILE), '')
  await mustRefuse(folder, ADDED_FILE)
  rmSync(join(folder, 'server/node_modules'), { recursive: true })
  const { code, output } = await runBare('./kaikei', ['sandbox', 'cards'], folder)
  if (code !== 0) throw new CommandError(`the release as it was built is refused: ${output}`)
  return 3
}

/** A package whose archive is not the one of the lockfile is refused by name. */
export const refusedByNpm = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-integrity-'))
  const lockfile = readLockfile()
  const other = lockfile.replace(
    /("node_modules\/fastify": \{[^}]*?"integrity": "sha512-)(.)/,
    (_all, start: string, letter: string) => `${start}${letter === 'A' ? 'B' : 'A'}`,
  )
  try {
    await writeProject(folder, ['fastify'], other)
    await installProject(folder)
    throw new Error('npm took it')
  } catch (error) {
    const said = error instanceof CommandError ? error.message : String(error)
    if (other === lockfile || !said.includes('node_modules/fastify is not the package of package-lock.json'))
      throw new CommandError(`a package that is not the one of the lockfile was not refused by name: ${said}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
