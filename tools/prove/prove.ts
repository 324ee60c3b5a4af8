import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runKept } from '../exit-with-parent/spawn.mjs'
import { onParentGone } from '../exit-with-parent/parent-exit.mjs'
import type { Figures } from './proofs/figures.ts'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'
import { root } from '../setup/setup.mjs'

export interface Proof {
  /** What may follow its name. */
  readonly takes: string
  load(): Promise<{ prove(args: readonly string[]): Promise<Figures> }>
}

const PROOFS: Readonly<Record<string, Proof>> = {
  axe: { takes: '[screen]…', load: () => import('./proofs/axe.ts') },
  canaries: { takes: '', load: () => import('./proofs/canaries.ts') },
  crashes: { takes: '[kills on each database] [seed]', load: () => import('./proofs/crashes.ts') },
  'dropped-answers': { takes: '', load: () => import('./proofs/dropped-answers.ts') },
  flaky: { takes: "[repeats] [part of a journey's file name]…", load: () => import('./proofs/flaky.ts') },
  scenarios: { takes: '', load: () => import('./proofs/scenarios.ts') },
  simulation: { takes: '[checkouts] [seed]', load: () => import('./proofs/simulation.ts') },
  survival: { takes: '', load: () => import('./proofs/survival.ts') },
}

/** What is proven, of which commit, and where it is written down. */
export interface Desk {
  readonly proofs: Readonly<Record<string, Proof>>
  commit(): Promise<string>
  readonly book: string
}

const git = async (...args: string[]): Promise<string> => {
  const { code, output } = await runKept('git', args, { cwd: root })
  if (code !== 0) throw new CommandError(`git ${args.join(' ')} failed: ${output.trim()}`)
  return output.trim()
}

const OURS: Desk = {
  proofs: PROOFS,
  commit: async () => {
    // Figures belong to a commit. The book itself may have changed: several proofs are run in a row.
    if ((await git('status', '--porcelain', '--', '.', ':!docs/proof.json')) !== '') {
      throw new CommandError('the working tree has changes that belong to no commit: commit or stash them, then prove')
    }
    return git('rev-parse', 'HEAD')
  },
  book: join(root, 'docs', 'proof.json'),
}

/** The text of docs/proof.json with one proof's entry replaced; the others stay as they are. */
export const withEntry = (text: string, name: string, entry: Record<string, unknown>): string => {
  const book: unknown = JSON.parse(text)
  const entries = Object.entries({ ...(isRecord(book) ? book : {}), [name]: entry })
  return `${JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`
}

const readBook = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '{}'
  }
}

export const runProof = async (args: readonly string[], desk: Desk = OURS): Promise<number> => {
  onParentGone(() => process.exit(1))
  const [name, ...rest] = args
  const proof = name !== undefined && Object.hasOwn(desk.proofs, name) ? desk.proofs[name] : undefined
  if (name === undefined || proof === undefined) {
    const problem = name === undefined ? 'which proof?' : `there is no proof ${name}.`
    const known = Object.entries(desk.proofs).map(([each, { takes }]) =>
      `  npm run prove -- ${each} ${takes}`.trimEnd(),
    )
    printProgress([problem, ...known].join('\n'))
    return 1
  }
  if (proof.takes === '' && rest.length > 0) {
    throw new CommandError(`${name} takes nothing, not ${rest.join(' ')}: npm run prove -- ${name}`)
  }
  const commit = await desk.commit()
  const { prove } = await proof.load()
  const started = performance.now()
  const figures = await prove(rest)
  const seconds = Math.round((performance.now() - started) / 100) / 10
  mkdirSync(dirname(desk.book), { recursive: true })
  const entry = { date: new Date().toISOString(), commit, seconds, figures }
  writeFileSync(desk.book, withEntry(readBook(desk.book), name, entry))
  process.stdout.write(`${name}: ${JSON.stringify(figures)} in ${seconds} s\n`)
  return 0
}
