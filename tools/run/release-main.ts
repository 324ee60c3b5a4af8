/**
 * Release main: what `kaikei` of an unpacked release runs, after every listed file was compared with its hash. Nothing of the
 * release is imported before it is known that no other file stands among them.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listedPaths, unlistedFiles } from './unlisted-files.ts'

const FOLDER = fileURLToPath(new URL('../../', import.meta.url))
const REFUSED = 2

const refuse = (line: string): number => {
  process.stderr.write(`${line}\n`)
  return REFUSED
}

const run = async ([command, ...rest]: readonly string[]): Promise<number> => {
  const [unlisted] = unlistedFiles(FOLDER, listedPaths(readFileSync(`${FOLDER}SHA256SUMS`, 'utf8')))
  if (unlisted !== undefined)
    return refuse(`${unlisted} is no file of this release, so nothing is run: unpack the release anew.`)
  if (command !== 'start') return (await import('./kaikei.ts')).runKaikei(process.argv.slice(2))
  if (rest.length > 0)
    return refuse('start takes nothing: settings come from the environment (PORT=8080 ./kaikei start)')
  return (await import('./programs.ts')).runPrograms()
}

process.exit(await run(process.argv.slice(2)))
