/** Release: its version, and how its commands are called: by npm in a clone, by `./kaikei` in an unpacked release. */
import { existsSync, readFileSync } from 'node:fs'

const ROOT = new URL('../../', import.meta.url)

interface CommandNames {
  readonly program: string
  readonly start: string
}

const IN_A_CLONE: CommandNames = { program: 'npm run -s kaikei --', start: 'npm start' }
const UNPACKED: CommandNames = { program: './kaikei', start: './kaikei start' }

/** Only an unpacked release has the list of its hashes. */
const isUnpacked = existsSync(new URL('SHA256SUMS', ROOT))

export const COMMAND_NAMES: CommandNames = isUnpacked ? UNPACKED : IN_A_CLONE

/** The packages of the sandbox's mailbox are not in a release (decision 47). */
export const HAS_MAILBOX = !isUnpacked

/** Its number alone, such as 1.51.0. */
export const releaseNumber = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
  const named = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined
  if (typeof named !== 'string') throw new Error('package.json has no version')
  return named
}

export const releaseVersion = (): string => `v${releaseNumber()}`

/** Every script that a page of this release runs, with its hash: the build has written it. */
export const SCRIPT_INVENTORY = new URL('dist/scripts.json', ROOT)
