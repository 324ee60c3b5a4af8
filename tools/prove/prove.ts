import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runAndCapture } from '../exit-with-parent/spawn.mjs'
import { onParentExit } from '../exit-with-parent/watch-parent.mjs'
import type { Figures } from './proofs/figures.ts'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'
import { ROOT } from '../setup/setup.mjs'

/** Proof: a long measurement whose figures are written to docs/proof.json. */
export interface Proof {
  /** What may follow its name on the command line. */
  readonly parameters: string
  load(): Promise<{ prove(args: readonly string[]): Promise<Figures> }>
}

const PROOFS: Readonly<Record<string, Proof>> = {
  axe: { parameters: '[screen]…', load: () => import('./proofs/axe.ts') },
  browsers: { parameters: '', load: () => import('./proofs/browsers.ts') },
  canaries: { parameters: '', load: () => import('./proofs/canaries.ts') },
  'card-testing': { parameters: '[honest shoppers] [seed]', load: () => import('./proofs/card-testing.ts') },
  crashes: { parameters: '[kills on each database] [seed]', load: () => import('./proofs/crashes.ts') },
  'dropped-answers': { parameters: '', load: () => import('./proofs/dropped-answers.ts') },
  flaky: { parameters: "[repeats] [part of a journey's file name]…", load: () => import('./proofs/flaky.ts') },
  fuzz: { parameters: '[requests] [seed] [first episode]', load: () => import('./proofs/fuzz.ts') },
  'hostile-page': { parameters: '[seed]', load: () => import('./proofs/hostile-page.ts') },
  journeys: { parameters: '', load: () => import('./proofs/journeys.ts') },
  overload: { parameters: '[seconds of each load]', load: () => import('./proofs/overload.ts') },
  'planted-bugs': { parameters: '', load: () => import('./proofs/planted-bugs.ts') },
  proxy: { parameters: '', load: () => import('./proofs/proxy.ts') },
  scenarios: { parameters: '', load: () => import('./proofs/scenarios.ts') },
  simulation: { parameters: '[checkouts] [seed]', load: () => import('./proofs/simulation.ts') },
  survival: { parameters: '', load: () => import('./proofs/survival.ts') },
}

/** The proofs there are, the commit they are run on, and the file that their figures are written to. */
export interface ProofSetup {
  readonly proofs: Readonly<Record<string, Proof>>
  commit(): Promise<string>
  readonly resultsFile: string
}

const git = async (...args: string[]): Promise<string> => {
  const { code, output } = await runAndCapture('git', args, { cwd: ROOT })
  if (code !== 0) throw new CommandError(`git ${args.join(' ')} failed: ${output.trim()}`)
  return output.trim()
}

const DEFAULT_SETUP: ProofSetup = {
  proofs: PROOFS,
  commit: async () => {
    // Figures belong to a commit. The file itself may have changed: several proofs are run in a row.
    if ((await git('status', '--porcelain', '--', '.', ':!docs/proof.json')) !== '') {
      throw new CommandError('the working tree has changes that belong to no commit: commit or stash them, then prove')
    }
    return git('rev-parse', 'HEAD')
  },
  resultsFile: join(ROOT, 'docs', 'proof.json'),
}

/** The text of docs/proof.json with one proof's entry replaced; the others stay as they are. */
export const withEntry = (text: string, name: string, entry: Record<string, unknown>): string => {
  const results: unknown = JSON.parse(text)
  const entries = Object.entries({ ...(isRecord(results) ? results : {}), [name]: entry })
  return `${JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`
}

const readResults = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '{}'
  }
}

export const runProof = async (args: readonly string[], setup: ProofSetup = DEFAULT_SETUP): Promise<number> => {
  onParentExit(() => process.exit(1))
  const [name, ...rest] = args
  const proof = name !== undefined && Object.hasOwn(setup.proofs, name) ? setup.proofs[name] : undefined
  if (name === undefined || proof === undefined) {
    const problem = name === undefined ? 'which proof?' : `there is no proof ${name}.`
    const known = Object.entries(setup.proofs).map(([each, { parameters: takes }]) =>
      `  npm run prove -- ${each} ${takes}`.trimEnd(),
    )
    printProgress([problem, ...known].join('\n'))
    return 1
  }
  if (proof.parameters === '' && rest.length > 0) {
    throw new CommandError(`${name} takes nothing, not ${rest.join(' ')}: npm run prove -- ${name}`)
  }
  const commit = await setup.commit()
  const { prove } = await proof.load()
  const started = performance.now()
  const figures = await prove(rest)
  const seconds = Math.round((performance.now() - started) / 100) / 10
  mkdirSync(dirname(setup.resultsFile), { recursive: true })
  const entry = { date: new Date().toISOString(), commit, seconds, figures }
  writeFileSync(setup.resultsFile, withEntry(readResults(setup.resultsFile), name, entry))
  process.stdout.write(`${name}: ${JSON.stringify(figures)} in ${seconds} s\n`)
  return 0
}
