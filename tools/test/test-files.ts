/** Test files: runs them in few processes, because loading the server takes a second each time. */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { CommandError } from '../command-error.mjs'
import { spawnExitingWithParent } from '../exit-with-parent.ts'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'
import type { TestMessage } from './test-process.ts'

/** For a test or a hook; for a process that tells nothing, as in an endless loop; for what is open after the last test. */
const LIMITS = { testMs: 240_000, silentMs: 300_000, openMs: 30_000 }
/** Two more than there are cores: many tests wait for processes, leases and deadlines. */
const AT_A_TIME = availableParallelism() + 2
/** More have one cause, and each file alone would take an hour. */
const RUN_AGAIN_MAX = 20

/** Each has a process of its own: slow ones, one that measures CPU time, and one that uses up the names of statements. */
const ALONE = /\/(main|dev|storms|canaries|request-cost|database-engines|test-files)\.test\.ts$/

const isMessage = (message: unknown): message is TestMessage => isRecord(message)
const isFailure = ({ state }: TestMessage): boolean => state === 'failed'

/** Runs files in one process and prints what failed; then what is left of them, without the test that has ended the process. */
const runProcess = async (
  files: readonly string[],
  without: readonly string[],
  limits: typeof LIMITS,
): Promise<TestMessage[]> => {
  const results: TestMessage[] = []
  const left = new Set(files)
  const running = new Set<string>()
  const add = (result: TestMessage): void => {
    results.push(result)
    running.delete(result.title)
    const text = `✖ ${result.title} (${result.file})\n${result.why}\nalone: npm test -- ${result.file}`
    if (isFailure(result)) process.stdout.write(`  ${text.replaceAll('\n', '\n    ')}\n`)
  }
  const onMessage = (message: unknown): void => {
    silence.refresh()
    if (!isMessage(message)) return
    if (message.state === 'begins') running.add(message.title)
    else if (message.state !== 'ended') add(message)
    else if (left.delete(message.file)) running.clear()
  }
  // Its own handler of SIGTERM would not run in an endless loop.
  const silence = setTimeout(() => child.kill('SIGKILL'), limits.silentMs)
  const patterns = without.map((title) => title.replaceAll(' > ', ' ').replaceAll(/[^\w ]/g, '.'))
  // A flag: Node gives the option `timeout` of its runner to no test in a group and to no hook.
  const flags = [`--test-timeout=${limits.testMs}`, ...patterns.map((pattern) => `--test-skip-pattern=^${pattern}$`)]
  const args = [...flags, 'tools/test/test-process.ts', `${limits.openMs}`, ...files]
  // What tests print is for whoever runs their file alone.
  const output = files.length === 1 ? 'inherit' : 'ignore'
  const child = spawnExitingWithParent(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', output, output, 'ipc'],
  })
  child.on('message', onMessage)
  await once(child, 'close')
  clearTimeout(silence)
  if (left.size === 0 && (child.exitCode === 0 || results.some(isFailure))) return results

  const title = [...running].at(-1) ?? ''
  const [file = files.join(' ')] = title === '' ? [] : left
  const why = child.killed ? 'told nothing for too long' : `ended its process: ${child.exitCode ?? child.signalCode}`
  add({ title, file, state: 'failed', why })
  if (title !== '' && !without.includes(title))
    results.push(...(await runProcess([...left], [...without, title], limits)))
  else if (files.length > 1) for (const each of left) results.push(...(await runProcess([each], [], limits)))
  return results
}

/** Of several results of a test its failure counts. */
const statesOf = (results: readonly TestMessage[]): ReadonlyMap<string, TestMessage['state']> => {
  const [failed, others] = [results.filter(isFailure), results.filter((each) => !isFailure(each))]
  return new Map([...others, ...failed].map(({ title, file, state }) => [`${title} (${file})`, state]))
}

/** Runs the files in so many processes, and then by itself each file in which a test failed. */
export const runTestFiles = async (files: readonly string[], processes: number, limits = LIMITS) => {
  const shared = files.filter((file) => !ALONE.test(file))
  const shards = Array.from({ length: processes }, (_, nth) => shared.filter((_file, at) => at % processes === nth))
  const lists = [...files.filter((file) => ALONE.test(file)).map((file) => [file]), ...shards]
  const results: TestMessage[] = []
  const runNext = async (): Promise<void> => {
    for (let list = lists.shift(); list !== undefined; list = lists.shift())
      if (list.length > 0) results.push(...(await runProcess(list, [], limits)))
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, runNext))

  const again = new Set(results.filter(isFailure).flatMap(({ file }) => file.split(' ')))
  const resultsAgain: TestMessage[] = []
  for (const file of [...again].slice(0, RUN_AGAIN_MAX)) resultsAgain.push(...(await runProcess([file], [], limits)))
  const [states, statesAgain] = [statesOf([...results, ...resultsAgain]), statesOf(resultsAgain)]
  for (const [test, state] of states)
    if (state === 'failed') process.stdout.write(`  ${statesAgain.get(test) === 'passed' ? 'flaky' : state}: ${test}\n`)
  const count = (wanted: TestMessage['state'], part = ''): number =>
    [...states].filter(([test, state]) => state === wanted && test.includes(part)).length
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
  if (counts.passed + counts.failed === 0) throw new CommandError('no test ran')
  return { ...counts, onPostgres: count('passed', 'PostgreSQL') }
}
