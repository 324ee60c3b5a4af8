/** Unlisted files: those in the folders of an unpacked release that its list of hashes does not name. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The paths in a list that sha256sum wrote: the hash, two spaces, the path. */
export const listedPaths = (sums: string): string[] =>
  sums
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(line.indexOf('  ') + 2))

/** Every file below a folder. A link is none of ours and is not followed: it may lead anywhere, and in a circle. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

/**
 * A package put into `server/node_modules` would be taken before the one that was released, though every listed file is as it
 * was. Folders that the list does not name, such as the data of a server that is started here, are none of the release's.
 */
export const unlistedFiles = (folder: string, listed: readonly string[]): string[] => {
  const known = new Set(listed)
  const tops = new Set(listed.filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/'))))
  return [...tops].flatMap((top) =>
    filesBelow(join(folder, top))
      .map((path) => relative(folder, path))
      .filter((path) => !known.has(path)),
  )
}
