import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'
import { environmentOutsideTests } from '../testing/child-processes.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const RUNNER = join(ROOT, 'tools', 'test', 'node-tests.ts')

interface TestRun {
  readonly code: unknown
  readonly counts: unknown
  /** The lines of the report. */
  readonly lines: readonly string[]
}

const runTests = async (t: TestContext, files: Record<string, string>): Promise<TestRun> => {
  const folder = temporaryFolder(t, files)
  const paths = Object.keys(files).map((file) => join(folder, file))
  const execArgv = ['--test-timeout=1000']
  const child = fork(RUNNER, paths, { silent: true, env: environmentOutsideTests(), execArgv })
  const lines: string[] = []
  let counts: unknown
  child.on('message', (message) => {
    if (isRecord(message) && typeof message['line'] === 'string') lines.push(message['line'])
    else counts = message
  })
  const code = await new Promise((resolve) => {
    child.on('close', resolve)
  })
  return { code, counts, lines }
}

const IMPORTS = "import { describe, it, test } from 'node:test'\nimport assert from 'node:assert/strict'\n"

test('tests are counted by themselves, not their groups, and those on PostgreSQL once more', async (t) => {
  const { code, counts, lines } = await runTests(t, {
    'pay.test.ts': `${IMPORTS}
      for (const engine of ['SQLite', 'PostgreSQL']) describe('on ' + engine, () => {
        it('pays once', () => {})
        describe('later', () => { it('refunds', () => {}) })
        it.skip('cancels', () => {})
      })
      test.todo('expires')`,
    'yen.test.ts': `${IMPORTS}test('a price is whole', () => {})`,
  })
  assert.deepEqual(counts, { passed: 5, failed: 0, skipped: 3, postgres: 2 })
  assert.equal(code, 0)
  assert.deepEqual(lines, [])
})

test('a failed test is printed with its path, its place, and its difference', async (t) => {
  const { code, counts, lines } = await runTests(t, {
    'pay.test.ts': `${IMPORTS}
describe('on SQLite', () => { it('pays once', () => assert.equal(1, 2)); it('refunds', () => {}) })`,
  })
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0, postgres: 0 })
  assert.equal(code, 1)
  assert.match(lines.join('\n'), /✖ on SQLite > pays once \(.*pay\.test\.ts:4\)[^]*1 !== 2/)
})

test('the diagnostics of a test are printed, the summary of its runner is not', async (t) => {
  const { lines } = await runTests(t, {
    'storm.test.ts': `${IMPORTS}describe('on SQLite', () => { it('holds', (t) => t.diagnostic('1000 crashes')) })
test('holds alone', (t) => t.diagnostic('200 cuts'))`,
  })
  assert.deepEqual(lines, ['  1000 crashes', '  200 cuts'])
})

test('an error that is thrown after its test has ended is a failure', async (t) => {
  const { code, counts, lines } = await runTests(t, {
    'late.test.ts': `${IMPORTS}test('pays', () => { setTimeout(() => { throw new Error('too late') }, 1) })
test('waits', () => new Promise((resolve) => { setTimeout(resolve, 50) }))`,
  })
  assert.deepEqual(counts, { passed: 2, failed: 1, skipped: 0, postgres: 0 })
  assert.match(lines.join('\n'), /too late/)
  assert.equal(code, 1)
})

test('a file that cannot run and a file without a test are failures', async (t) => {
  const broken = await runTests(t, { 'broken.test.ts': "throw new Error('not today')" })
  assert.deepEqual(broken.counts, { passed: 0, failed: 1, skipped: 0, postgres: 0 })
  assert.match(broken.lines.join('\n'), /not today/)
  const empty = await runTests(t, { 'empty.test.ts': 'export const nothing = 1' })
  assert.deepEqual(empty.counts, { passed: 0, failed: 1, skipped: 0, postgres: 0 })
  assert.match(empty.lines.join('\n'), /empty\.test\.ts holds no test/)
})

test('a group that cannot be prepared fails with its tests, one that cannot be cleared away fails by itself', async (t) => {
  const { counts, lines } = await runTests(t, {
    'prepared.test.ts': `${IMPORTS}import { before } from 'node:test'
describe('on PostgreSQL', () => { before(() => { throw new Error('no database') }); it('pays once', () => {}) })`,
    'cleared.test.ts': `${IMPORTS}import { after } from 'node:test'
describe('on SQLite', () => { after(() => { throw new Error('still open') }); it('pays once', () => {}) })`,
  })
  assert.deepEqual(counts, { passed: 1, failed: 3, skipped: 0, postgres: 0 })
  assert.match(lines.join('\n'), /no database[^]*still open/)
})

test('a test of a group and a hook that never end fail by name', async (t) => {
  const { counts, lines } = await runTests(t, {
    'hang.test.ts': `${IMPORTS}import { after } from 'node:test'
const never = () => new Promise(() => undefined)
describe('on SQLite', () => { it('pays once', never) })
describe('on PostgreSQL', () => { after(never); it('refunds', () => {}) })`,
  })
  assert.deepEqual(counts, { passed: 1, failed: 2, skipped: 0, postgres: 1 })
  assert.match(lines.join('\n'), /on SQLite > pays once[^]*timed out after 1000ms[^]*on PostgreSQL[^]*timed out/)
})

test('an error that nobody awaits is told before the test that waits for its result has timed out', async (t) => {
  const { counts, lines } = await runTests(t, {
    'lost.test.ts': `${IMPORTS}describe('on SQLite', () => {
  it('pays once', async () => {
    const { promise } = Promise.withResolvers()
    setTimeout(() => void Promise.reject(new Error('no connection')), 1)
    await promise
  })
})`,
  })
  assert.deepEqual(counts, { passed: 0, failed: 2, skipped: 0, postgres: 0 })
  assert.match(lines.join('\n'), /nobody awaited: Error: no connection[^]*pays once/)
})
