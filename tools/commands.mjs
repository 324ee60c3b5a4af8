// Commands of the npm scripts: what each runs. It is loaded by its path, because bench/ and proof/ import tools/, and an import
// back would be a circle.
import { join } from 'node:path'
import { CommandError } from './command-error.mjs'
import { isRecord } from './is-record.mjs'
import { ROOT } from './setup/setup.mjs'

/**
 * The file of each command, and the function that runs it and answers the exit code.
 * @type {Readonly<Record<string, readonly [file: string, name: string]>>}
 */
export const COMMANDS = {
  bench: ['tools/prove/run-measurement.ts', 'runBench'],
  build: ['tools/build/page-build.ts', 'runBuild'],
  kaikei: ['tools/run/kaikei.ts', 'runKaikei'],
  openapi: ['proof/reference/openapi-file.ts', 'writeOpenApiFile'],
  prove: ['tools/prove/run-measurement.ts', 'runProof'],
  release: ['tools/release/build-release.ts', 'runRelease'],
  sbom: ['tools/release/write-sbom.ts', 'writeSbom'],
  screens: ['proof/screens/screenshots.ts', 'takePictures'],
  start: ['tools/run/start.ts', 'startServerAndSandbox'],
  test: ['tools/test.ts', 'runTests'],
}

/**
 * @param {unknown} value
 * @returns {value is (args: readonly string[]) => Promise<number>}
 */
const isRunner = (value) => typeof value === 'function'

/**
 * @param {string} command
 * @returns {Promise<(args: readonly string[]) => Promise<number>>}
 */
export const loadCommand = async (command) => {
  const [file, name] = Object.hasOwn(COMMANDS, command) ? (COMMANDS[command] ?? []) : []
  if (file === undefined || name === undefined)
    throw new CommandError(`there is no command ${command}: name one of ${Object.keys(COMMANDS).join(', ')}`)
  /** @type {unknown} */
  const module = await import(join(ROOT, file))
  const run = isRecord(module) ? module[name] : undefined
  if (!isRunner(run)) throw new Error(`${file} exports no ${name}`)
  return run
}
