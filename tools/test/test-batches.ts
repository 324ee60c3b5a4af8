/** Test batches: the files of a stage, several in one process (node-tests.ts). Loading the server takes a second each time. */
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { spawnExitingWithParent } from '../exit-with-parent.ts'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'
import type { TestCounts } from './test-report.ts'

/** More would leave one process alone at the end of a stage. */
const FILES_MAX = 24

/** Two more than there are cores: many tests wait for processes, leases and deadlines. */
const CONCURRENCY = availableParallelism() + 2

/**
 * Each has a process of its own, and these start first: the slow ones, which would end last if they began last; one that
 * measures the CPU time of requests, to which garbage of other files would be added; and one that uses up the names of prepared
 * statements in its process.
 */
export const FILES_ALONE = [
  'server/main.test.ts',
  'server/operations/pay.test.ts',
  'proof/whole-server/drawn-lines.test.ts',
  'proof/simulation/storms.test.ts',
  'proof/whole-server/three-ds-scenarios.test.ts',
  'proof/canaries/canaries.test.ts',
  'proof/planted-bugs/planted-bugs.test.ts',
  'server/operations/card-testing/forced-challenge.test.ts',
  'proof/webhooks/webhooks.test.ts',
  'proof/whole-server/request-cost.test.ts',
  'server/store/engine/database-engines.test.ts',
]

const roomOf = (file: string): string => file.split('/')[0] ?? ''

/** Neighbours share a process, because they load the same modules; no batch has files of two rooms. Proofs take longest and start first. */
export const batchesOf = (files: readonly string[]): readonly (readonly string[])[] => {
  const others = files.filter((file) => !FILES_ALONE.includes(file)).toSorted()
  const shared = [...Map.groupBy(others, roomOf).values()].flatMap((room) => {
    const size = Math.ceil(room.length / Math.ceil(room.length / FILES_MAX))
    return Array.from({ length: Math.ceil(room.length / size) }, (_, nth) => room.slice(nth * size, (nth + 1) * size))
  })
  const alone = FILES_ALONE.filter((file) => files.includes(file)).map((file) => [file])
  const isProof = ([file = '']: readonly string[]): number => (roomOf(file) === 'proof' ? 1 : 0)
  return [...alone, ...shared.toSorted((a, b) => isProof(b) - isProof(a) || b.length - a.length)]
}

const readCounts = (message: unknown): TestCounts | undefined => {
  if (!isRecord(message)) return undefined
  const { passed, failed, skipped, postgres } = message
  if (typeof passed !== 'number' || typeof failed !== 'number') return undefined
  if (typeof skipped !== 'number' || typeof postgres !== 'number') return undefined
  return { passed, failed, skipped, postgres }
}

const namesOf = (files: readonly string[]): string =>
  files.length === 1 ? files.join() : [...new Set(files.map((file) => dirname(file)))].join(', ')

/**
 * For a test or a hook that hangs. The longest takes a minute on two free cores; a machine that is busy with other work is no
 * failure. A flag: Node's runner gives its option `timeout` to no test in a group and to no hook.
 */
const TEST_TIMEOUT_MS = 240_000
/** What that does not end: an endless loop, a connection that is left open. */
const SILENCE_MAX_MS = 300_000
const STREAMS_TIMEOUT_MS = 2000

/** Prints the lines of the batch, and what its tests printed if one of them failed. Without counts its process was ended. */
const runBatch = (
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  silenceMaxMs: number,
): Promise<TestCounts | undefined> =>
  new Promise((resolve) => {
    const started = performance.now()
    const lines: string[] = []
    let counts: TestCounts | undefined
    let running = 'no test'
    const timer = setTimeout(() => {
      lines.push(`  ✖ said nothing for ${silenceMaxMs / 1000} s; the last test that it began: ${running}`)
      // Its own handler of SIGTERM would not run in an endless loop.
      child.kill('SIGKILL')
    }, silenceMaxMs)
    let output = ''
    const args = [`--test-timeout=${TEST_TIMEOUT_MS}`, 'tools/test/node-tests.ts', ...files]
    const child = spawnExitingWithParent(process.execPath, args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child.on('message', (message) => {
      timer.refresh()
      if (isRecord(message) && typeof message['line'] === 'string') lines.push(message['line'])
      else if (isRecord(message) && typeof message['running'] === 'string') running = message['running']
      else counts = readCounts(message)
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (output += part))
    // What a test has started may outlive its process and keep the streams open, which 'close' waits for.
    child.on('exit', () => {
      setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()), STREAMS_TIMEOUT_MS).unref()
    })
    child.on('close', () => {
      clearTimeout(timer)
      if ((counts?.failed ?? 1) > 0) lines.push(`  what ${files.join(' ')} printed:\n${output}`)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      lines.push(`  ${namesOf(files)}: ${counts?.passed ?? 'not'} passed in ${seconds} s`)
      process.stdout.write(`${lines.join('\n')}\n`)
      resolve(counts)
    })
  })

/** Runs test files, some batches at a time. */
export const runTestFiles = async (
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  silenceMaxMs = SILENCE_MAX_MS,
): Promise<TestCounts | { readonly problem: string }> => {
  const total = { passed: 0, failed: 0, skipped: 0, postgres: 0 }
  const lost: string[] = []
  const waiting = [...batchesOf(files)]
  const runNext = async (): Promise<void> => {
    const batch = waiting.shift()
    if (batch === undefined) return
    const counts = await runBatch(batch, env, silenceMaxMs)
    if (counts === undefined) lost.push(batch.join(' '))
    else for (const name of ['passed', 'failed', 'skipped', 'postgres'] as const) total[name] += counts[name]
    await runNext()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext))
  return lost.length > 0 ? { problem: `the test process ended without a result: ${lost.join(', ')}` } : total
}
