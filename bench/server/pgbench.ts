/** pgbench: PostgreSQL's own load program, running recorded statements on the database of the bench. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../../tools/command-error.mjs'
import { isProgram } from '../../tools/browser/is-program.ts'
import { runAndCapture } from '../../tools/exit-with-parent/spawn.mjs'
import { defaultBinaryFolders, findBinaries } from '../../tools/test/postgres.ts'
import { rateIn, type PgbenchScript } from './pgbench-script.ts'

export const findPgbench = (): string => {
  const program = join(findBinaries(defaultBinaryFolders)?.folder ?? '', 'bin', 'pgbench')
  if (!isProgram(program))
    throw new CommandError('there is no pgbench to compare with: install PostgreSQL (apt-get install postgresql)')
  return program
}

export interface PgbenchRun {
  readonly url: string
  readonly clients: number
  /** Of each client. */
  readonly transactions: number
  /** Beside the constants of the script. */
  readonly variables: Readonly<Record<string, string>>
}

/** Runs a script so many times, and answers how often a second. */
export const runPgbench = async (
  program: string,
  folder: string,
  { text, constants }: PgbenchScript,
  { url, clients, transactions, variables }: PgbenchRun,
): Promise<number> => {
  const file = join(folder, 'script.sql')
  await writeFile(file, text)
  const defined = Object.entries({ ...constants, ...variables }).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const plan = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-t', String(transactions), '-f', file]
  const { code, output } = await runAndCapture(program, [...plan, ...defined, url])
  const rate = rateIn(output)
  if (code !== 0 || Number.isNaN(rate)) throw new CommandError(`pgbench failed: ${output.slice(0, 2000)}`)
  return rate
}
