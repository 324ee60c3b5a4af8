/** Tar archive: the ustar format, in which the same files are always the same bytes. */
import { CommandError } from '../command-error.mjs'

export interface TarEntry {
  readonly path: string
  readonly bytes: Buffer
  readonly isProgram: boolean
}

const BLOCK = 512
const NAME_BYTES = 100
const PREFIX_BYTES = 155
const LARGEST = 0o77777777777

/** The path in the two fields of the header, which are parted at a slash. */
const splitPath = (path: string): readonly [prefix: string, name: string] => {
  if (Buffer.byteLength(path) <= NAME_BYTES) return ['', path]
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)]
    // A folder ends with a slash: behind that one there is no name.
    if (name === '') break
    if (Buffer.byteLength(prefix) <= PREFIX_BYTES && Buffer.byteLength(name) <= NAME_BYTES) return [prefix, name]
  }
  throw new CommandError(`${path} is too long a path for a tar archive`)
}

const octal = (value: number, bytes: number): string => `${value.toString(8).padStart(bytes - 1, '0')}\0`

interface Header {
  /** With a slash at its end: a folder. */
  readonly path: string
  readonly mode: number
  readonly bytes: number
}

/** Owner and group are 0, so that the bytes do not depend on the machine. */
const headerOf = ({ path, mode, bytes }: Header, seconds: number): Buffer => {
  if (bytes > LARGEST) throw new CommandError(`${path} is too large for a tar archive`)
  const [prefix, name] = splitPath(path)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write(octal(mode, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(bytes, 12), 124)
  header.write(octal(seconds, 12), 136)
  header.write(' '.repeat(8), 148)
  header.write(path.endsWith('/') ? '5' : '0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Every folder that a path lies in, with a slash at its end. */
const foldersOf = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1)

/**
 * The entries sorted by path, all changed at the same second. Folders have entries of their own: whoever unpacks as root with a
 * strict umask, such as 027, would otherwise make folders that the server's own user cannot enter.
 */
export const tarOf = (entries: readonly TarEntry[], seconds: number): Buffer => {
  const folders = [...new Set(entries.flatMap(({ path }) => foldersOf(path)))]
  const blocks = [
    ...folders.map((path) => ({ path, blocks: [headerOf({ path, mode: 0o755, bytes: 0 }, seconds)] })),
    ...entries.map(({ path, bytes, isProgram }) => ({
      path,
      blocks: [
        headerOf({ path, mode: isProgram ? 0o755 : 0o644, bytes: bytes.length }, seconds),
        bytes,
        Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
      ],
    })),
  ].toSorted(byPath)
  return Buffer.concat([...blocks.flatMap((each) => each.blocks), Buffer.alloc(2 * BLOCK)])
}
