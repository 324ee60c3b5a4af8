/** Unlisted files: those in the folders of an unpacked release that its list of hashes does not name, and links. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The paths in a list that sha256sum wrote: the hash, two spaces, the path. */
export const listedPaths = (sums: string): string[] =>
  sums
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(line.indexOf('  ') + 2))

/** Every file below a folder. A link is not followed: it may lead anywhere, and in a circle. */
const entriesBelow = (folder: string): { readonly path: string; readonly isFile: boolean }[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? entriesBelow(path) : [{ path, isFile: entry.isFile() }]
  })

/**
 * Files among the released ones that the release does not list. A package put into `server/node_modules` would be taken before the
 * one that was released, though every listed file is as it was; and so would the neighbours of the file that a link leads to,
 * though its bytes are right. Folders that the list does not name, such as the data of a server that is started here, are none
 * of the release's.
 */
export const unlistedFiles = (folder: string, listed: readonly string[]): string[] => {
  const known = new Set(listed)
  const tops = new Set(listed.map((path) => path.split('/', 1).join()))
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => tops.has(name))
    .flatMap((top) => {
      const path = join(folder, top.name)
      return top.isDirectory() ? entriesBelow(path) : [{ path, isFile: top.isFile() }]
    })
    .map(({ path, isFile }) => ({ path: relative(folder, path), isFile }))
    .filter(({ path, isFile }) => !isFile || !known.has(path))
    .map(({ path }) => path)
}
