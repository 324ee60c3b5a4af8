import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ROOT } from '../setup/setup.mjs'
import { environmentOutsideTests } from '../testing/child-processes.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const RUNNER = join(ROOT, 'tools', 'test', 'node-tests.ts')

interface TestRun {
  readonly code: unknown
  readonly counts: unknown
  readonly output: string
}

const runTests = async (t: TestContext, files: Record<string, string>): Promise<TestRun> => {
  const folder = temporaryFolder(t, files)
  const paths = Object.keys(files).map((file) => join(folder, file))
  const child = fork(RUNNER, paths, { silent: true, env: environmentOutsideTests() })
  let counts: unknown
  let output = ''
  child.on('message', (message) => (counts = message))
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (output += part))
  const code = await new Promise((resolve) => {
    child.on('close', resolve)
  })
  return { code, counts, output }
}

const IMPORTS = "import { describe, it, test } from 'node:test'\nimport assert from 'node:assert/strict'\n"

test('tests are counted by themselves, not their groups, and those on PostgreSQL once more', async (t) => {
  const { code, counts, output } = await runTests(t, {
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
  assert.match(output, /^ {2}[.s]{8}\n$/)
})

test('a failed test is printed with its path, its place, its difference and what its file printed', async (t) => {
  const { code, counts, output } = await runTests(t, {
    'pay.test.ts': `${IMPORTS}console.log('a hint')
describe('on SQLite', () => { it('pays once', () => assert.equal(1, 2)); it('refunds', () => {}) })`,
  })
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0, postgres: 0 })
  assert.equal(code, 1)
  assert.match(output, /✖ on SQLite > pays once \(.*pay\.test\.ts:4\)/)
  assert.match(output, /1 !== 2/)
  assert.match(output, /a hint/)
})

test('the diagnostics of a test are printed, the summary of its runner is not', async (t) => {
  const { output } = await runTests(t, {
    'storm.test.ts': `${IMPORTS}describe('on SQLite', () => { it('holds', (t) => t.diagnostic('1000 crashes')) })
test('holds alone', (t) => t.diagnostic('200 cuts'))`,
  })
  assert.deepEqual(
    output.split('\n').filter((line) => /[a-z]/.test(line)),
    ['  1000 crashes', '  200 cuts'],
  )
})

test('a file that cannot run and a file without a test are failures', async (t) => {
  const broken = await runTests(t, { 'broken.test.ts': "throw new Error('not today')" })
  assert.deepEqual(broken.counts, { passed: 0, failed: 1, skipped: 0, postgres: 0 })
  assert.match(broken.output, /not today/)
  const empty = await runTests(t, { 'empty.test.ts': 'export const nothing = 1' })
  assert.deepEqual(empty.counts, { passed: 0, failed: 1, skipped: 0, postgres: 0 })
  assert.match(empty.output, /empty\.test\.ts holds no test/)
})

test('a group that cannot be prepared fails with its tests, one that cannot be cleared away fails by itself', async (t) => {
  const { counts, output } = await runTests(t, {
    'prepared.test.ts': `${IMPORTS}import { before } from 'node:test'
describe('on PostgreSQL', () => { before(() => { throw new Error('no database') }); it('pays once', () => {}) })`,
    'cleared.test.ts': `${IMPORTS}import { after } from 'node:test'
describe('on SQLite', () => { after(() => { throw new Error('still open') }); it('pays once', () => {}) })`,
  })
  assert.deepEqual(counts, { passed: 1, failed: 3, skipped: 0, postgres: 0 })
  assert.match(output, /no database/)
  assert.match(output, /still open/)
})
