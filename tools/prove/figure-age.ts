/** Figure age: figures that were measured on older product code say so, and no release is made of them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { changesSince, type CountChanges } from './product-code.ts'
import { npmCommand, rowsOf, type Results } from './readme-figures.ts'

/** The text of a file of figures with every entry's age, as of the last commit. */
export const withAges = async (text: string, count: CountChanges): Promise<string> => {
  const results: unknown = JSON.parse(text)
  const entries = Object.entries(isRecord(results) ? results : {}).map(async ([name, entry]) => {
    if (!isRecord(entry)) throw new Error(`${name} has no figures`)
    const { date, commit, seconds, figures } = entry
    return [name, { date, commit, changesSince: await count(String(commit)), seconds, figures }] as const
  })
  return `${JSON.stringify(Object.fromEntries(await Promise.all(entries)), null, 2)}\n`
}

/** After each proof and each bench: the documents show the age of all figures, not of the new ones alone. */
export const writeAges = async (root: string): Promise<void> => {
  for (const name of ['proof.json', 'bench.json']) {
    const file = join(root, 'docs', name)
    writeFileSync(file, await withAges(readFileSync(file, 'utf8'), changesSince))
  }
}

/** Counts anew: a commit may have changed the product since the documents were written. */
export const refuseOldFigures = async (results: Results, count: CountChanges = changesSince): Promise<void> => {
  const old: string[] = []
  for (const { command, result } of rowsOf(results)) {
    const changes = await count(String(result['commit']))
    if (changes !== 0) old.push(`  ${npmCommand(command)}  (before ${changes ?? 'unknown'} changes)`)
  }
  if (old.length > 0)
    throw new CommandError(
      `figures in README.md were measured on older code. Run these, or npm run prove -- all, and commit what they write:\n${old.join('\n')}`,
    )
}
