/** Archive: a folder as one compressed file. The same files are always the same bytes, whoever packs them, and when. */
import { chmodSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { create } from 'tar'

/** Relative paths of all files and folders below a folder, sorted. */
const everythingBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: relative(folder, join(entry.parentPath, entry.name)) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))

export const filesBelow = (folder: string): string[] =>
  everythingBelow(folder).flatMap(({ entry, path }) => (entry.isFile() ? [path] : []))

/**
 * Folders have entries and modes of their own: whoever unpacks as root with a strict umask, such as 027, would otherwise make
 * folders that the server's own user cannot enter.
 */
export const packFolder = (file: string, folder: string, programs: readonly string[], mtime: Date): void => {
  const cwd = dirname(folder)
  const name = relative(cwd, folder)
  const below = everythingBelow(folder)
  for (const { entry, path } of below)
    chmodSync(join(folder, path), entry.isDirectory() || programs.includes(path) ? 0o755 : 0o644)
  chmodSync(folder, 0o755)
  const paths = [name, ...below.map(({ path }) => join(name, path))]
  create({ sync: true, file, cwd, portable: true, mtime, gzip: { level: 9 }, noDirRecurse: true }, paths)
}
