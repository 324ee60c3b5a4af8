import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runKept } from './leashed.mjs'
import { onParentGone } from './parent.mjs'
import { isRecord, Refusal, say } from './say.mjs'
import { root } from './setup.mjs'

export type Figures = Record<string, number | string>
type Proof = (args: string[]) => Promise<Figures>

const proofs = (): string[] =>
  globSync('*.ts', { cwd: join(root, 'tools', 'proofs') })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => basename(file, '.ts'))
    .toSorted()

const isProof = (value: unknown): value is Proof => typeof value === 'function'

const load = async (name: string): Promise<Proof> => {
  const module: unknown = await import(pathToFileURL(join(root, 'tools', 'proofs', `${name}.ts`)).href)
  if (isRecord(module) && isProof(module['prove'])) return module['prove']
  throw new Refusal(`tools/proofs/${name}.ts exports no function prove`)
}

const git = async (...args: string[]): Promise<string> => {
  const { code, output } = await runKept('git', args, { cwd: root })
  if (code !== 0) throw new Refusal(`git ${args.join(' ')} failed: ${output.trim()}`)
  return output.trim()
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

export const runProof = async (args: readonly string[]): Promise<number> => {
  onParentGone(() => process.exit(1))
  const [name, ...rest] = args
  const known = proofs()
  if (name === undefined || !known.includes(name)) {
    const problem = name === undefined ? 'which proof?' : `there is no proof ${name}.`
    say([problem, ...known.map((each) => `  npm run prove -- ${each}`)].join('\n'))
    return 1
  }
  // Figures belong to a commit. The book itself may have changed: several proofs are run in a row.
  if ((await git('status', '--porcelain', '--', '.', ':!docs/proof.json')) !== '') {
    throw new Refusal('the working tree has changes that belong to no commit: commit or stash them, then prove')
  }
  const commit = await git('rev-parse', 'HEAD')
  const prove = await load(name)
  const started = performance.now()
  const figures = await prove(rest)
  const seconds = Math.round((performance.now() - started) / 100) / 10
  const file = join(root, 'docs', 'proof.json')
  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(file, withEntry(readBook(file), name, { date: new Date().toISOString(), commit, seconds, figures }))
  process.stdout.write(`${name}: ${JSON.stringify(figures)} in ${seconds} s\n`)
  return 0
}
