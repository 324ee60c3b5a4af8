/** Secret file: a credential that the operator gives in a file or on standard input, and never as an argument. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Environment } from '../../config/readers.ts'
import { fileNamed, type CommandProblem, type Terminal } from '../command.ts'

export const STANDARD_INPUT = '-'

const BYTES_MAX = 16 * 1024
const OTHERS = 0o077

/** What a file or standard input holds. */
type Chunks = AsyncIterable<Uint8Array | string>

const readBounded = async (chunks: Chunks): Promise<string | null> => {
  const bytes: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    const piece = Buffer.from(chunk)
    length += piece.byteLength
    if (length > BYTES_MAX) return null
    bytes.push(piece)
  }
  return Buffer.concat(bytes).toString('utf8')
}

/** A secret itself in place of a file: it must not be quoted, and the shell has written it down already. */
const looksLikeSecret = (name: string): boolean => /^((sk|rk|pk)_|AQE|\{)/.test(name)

/** The code alone: the message of an error quotes the name, which may be a secret that was given in its place. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no reason given'

export interface SecretFileOptions {
  readonly env: Environment
  readonly terminal: Terminal
  readonly standardInput: () => Chunks
}

/** The text of a file, or why there is none. Whoever else can read the file is told of. */
export const readSecretFile = async (
  option: string,
  name: string,
  { env, terminal, standardInput }: SecretFileOptions,
): Promise<{ readonly text: string } | CommandProblem> => {
  if (looksLikeSecret(name))
    return {
      problem: `--${option} takes the name of a file, and this is a secret itself: others on this machine could see it, and your shell may have written it down. Replace it at the acquirer, and give a file or ${STANDARD_INPUT}.`,
    }
  try {
    const isFile = name !== STANDARD_INPUT
    const path = fileNamed(env, name)
    if (isFile && ((await stat(path)).mode & OTHERS) !== 0)
      terminal.printError(`Others can read the file of --${option}: chmod 600 it, or delete it once this is done.`)
    const text = await readBounded(isFile ? createReadStream(path) : standardInput())
    if (text === null)
      return { problem: `--${option} has more than ${BYTES_MAX} bytes: give a file with the secret alone.` }
    return text.trim() === ''
      ? { problem: `--${option} is empty: give a file that holds the secret.` }
      : { text: text.trim() }
  } catch (error) {
    return {
      problem: `--${option} cannot be read (${codeOf(error)}): give a file, or ${STANDARD_INPUT} for standard input.`,
    }
  }
}
