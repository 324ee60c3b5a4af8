/** Host's npm: how a release runs it, and what it refused. */
import { delimiter, join } from 'node:path'
import { readLockfile } from './lockfile.ts'

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
  const refused = [...readLockfile(folder).values()].find(
    ({ integrity }) => integrity !== undefined && integrity === wanted,
  )
  return refused === undefined
    ? ''
    : `${refused.path} is not the package of package-lock.json: its bytes have another hash\n`
}
