/** Every proof, or every bench, one after another, each in a process of its own: one that fails or crashes does not stop the rest. */
import { spawnExitingWithParent } from '../exit-with-parent.ts'
import { printProgress, secondsSince } from '../progress.mjs'
import { ROOT } from '../root.ts'

/** The exit code of one that needs what is not on this machine. */
export const CANNOT_RUN_HERE = 2

/** How one ended, and what it said last. */
export interface Ended {
  readonly code: number | null
  readonly said: string
}

const KEPT_CHARACTERS = 4000

/** By the command line of this process, with its own name in the place of `all`. */
const runAlone = (name: string): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawnExitingWithParent(process.execPath, [...process.argv.slice(1, -1), name], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text)
      said = (said + text).slice(-KEPT_CHARACTERS)
    })
    child.on('close', (code) => resolve({ code, said }))
  })

/** Past the stack of a crash, and what Node says of itself after it. */
const reasonIn = (said: string): string =>
  said.split('\n').findLast((line) => !/^([\s{}]|Node\.js v|$)/.test(line)) ?? ''

const outcomeOf = (code: number | null): 'held' | 'skipped' | 'failed' => {
  if (code === 0) return 'held'
  return code === CANNOT_RUN_HERE ? 'skipped' : 'failed'
}

/** Fails where one failed, and where nothing was shown at all. */
export const runAll = async (
  names: readonly string[],
  write: (text: string) => void,
  run: (name: string) => Promise<Ended> = runAlone,
): Promise<number> => {
  const counts = { held: 0, failed: 0, skipped: 0 }
  const width = Math.max(...names.map((name) => name.length))
  const lines: string[] = []
  for (const [at, name] of names.entries()) {
    printProgress(`${at + 1} of ${names.length}: ${name}`)
    const started = performance.now()
    const { code, said } = await run(name)
    const outcome = outcomeOf(code)
    counts[outcome] += 1
    const line = `${outcome.padEnd(7)}  ${name.padEnd(width)}  ${secondsSince(started)}`
    lines.push(outcome === 'held' ? line : `${line}  ${reasonIn(said)}`)
  }
  write(`${lines.join('\n')}\n${counts.held} held, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  return counts.failed === 0 && counts.held > 0 ? 0 : 1
}
