import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { spawnExitingWithParent } from '../exit-with-parent/spawn.mjs'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../setup/setup.mjs'
import type { TestCounts } from './test-report.ts'

/**
 * Test batches: the files of a stage, each batch in one process (node-tests.ts). A process for each file would spend more
 * time on loading the same modules than on most of the tests.
 */

/** More would leave the last process alone at the end of a stage. */
const FILES_MAX = 8

/** One more than there are cores: many tests wait for processes, leases and deadlines. */
const CONCURRENCY = availableParallelism() + 1

/** Files of one folder together: they load the same modules. Few files, such as those of the simulation, still run side by side. */
export const batchesOf = (
  files: readonly string[],
  processes: number = CONCURRENCY,
): readonly (readonly string[])[] => {
  const folders = Map.groupBy(files, (file) => dirname(file))
  const most = Math.min(FILES_MAX, Math.ceil(files.length / (2 * processes)))
  return [...folders.values()]
    .flatMap((inFolder) => {
      const batches = Math.ceil(inFolder.length / most)
      return Array.from({ length: batches }, (_, index) => inFolder.filter((_file, at) => at % batches === index))
    })
    .toSorted((a, b) => b.length - a.length)
}

const readCounts = (message: unknown): TestCounts | undefined => {
  if (!isRecord(message)) return undefined
  const { passed, failed, skipped, postgres } = message
  if (typeof passed !== 'number' || typeof failed !== 'number') return undefined
  if (typeof skipped !== 'number' || typeof postgres !== 'number') return undefined
  return { passed, failed, skipped, postgres }
}

/** Prints the lines of the batch, and what its tests printed if one of them failed. */
const runBatch = (files: readonly string[], env: NodeJS.ProcessEnv): Promise<TestCounts | undefined> =>
  new Promise((resolve) => {
    const started = performance.now()
    const lines: string[] = []
    let counts: TestCounts | undefined
    let output = ''
    const child = spawnExitingWithParent(process.execPath, ['tools/test/node-tests.ts', ...files], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      onMessage: (message) => {
        if (isRecord(message) && typeof message['line'] === 'string') lines.push(message['line'])
        else counts = readCounts(message)
      },
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (output += part))
    child.on('close', () => {
      if ((counts?.failed ?? 1) > 0) lines.push(`  what ${files.join(' ')} printed:\n${output}`)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      lines.push(`  ${dirname(files[0] ?? '')}: ${counts?.passed ?? 'not'} passed in ${seconds} s`)
      process.stdout.write(`${lines.join('\n')}\n`)
      resolve(counts)
    })
  })

/** Runs test files, some batches at a time. */
export const runTestFiles = async (
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<TestCounts | { readonly problem: string }> => {
  const total = { passed: 0, failed: 0, skipped: 0, postgres: 0 }
  const lost: string[] = []
  const waiting = [...batchesOf(files)]
  const runNext = async (): Promise<void> => {
    const batch = waiting.shift()
    if (batch === undefined) return
    const counts = await runBatch(batch, env)
    if (counts === undefined) lost.push(batch.join(' '))
    else for (const name of ['passed', 'failed', 'skipped', 'postgres'] as const) total[name] += counts[name]
    await runNext()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext))
  return lost.length > 0 ? { problem: `the test process ended without a result: ${lost.join(', ')}` } : total
}
