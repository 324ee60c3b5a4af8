import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test, type TestContext } from 'node:test'
import { ROOT } from '../root.ts'
import { environmentOutsideTests } from '../testing/child-processes.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const IMPORTS = `import { after, before, describe, it, test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
`
const PROGRAM = JSON.stringify(pathToFileURL(join(ROOT, 'tools', 'test', 'test-files.ts')).href)

interface TestRun {
  /** With the folder of the test files left out. */
  readonly output: string
  readonly counts: unknown
}

/** Runs test files as a stage does, all in one process, with short limits. */
const runTests = (t: TestContext, files: Readonly<Record<string, string>>): TestRun => {
  const texts = Object.entries(files).map(([name, body]) => [name, `${IMPORTS}${body}`])
  const folder = temporaryFolder(t, Object.fromEntries(texts))
  const paths = Object.keys(files).map((name) => relative(ROOT, join(folder, name)))
  const program = `import { runTestFiles } from ${PROGRAM}
const counts = await runTestFiles(${JSON.stringify(paths)}, 1, { testMs: 1000, silentMs: 5000, openMs: 1000 })
process.stdout.write(JSON.stringify(counts))`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    encoding: 'utf8',
    env: environmentOutsideTests(),
  })
  assert.equal(child.stderr, '')
  const output = child.stdout.replaceAll(`${relative(ROOT, folder)}/`, '').replaceAll(`${folder}/`, '')
  return { output, counts: JSON.parse(output.split('\n').at(-1) ?? '') }
}

/** Before and after what is planted: they must not be lost. */
const around = (body: string): string =>
  `test('opens', () => {})\n${body}\ndescribe('on PostgreSQL', () => { it('pays once', () => {}) })`

const PLANTED: Readonly<Record<string, readonly [body: string, why: RegExp, word: 'failed' | 'flaky']>> = {
  'hangs in a loop': ['for (;;);', /told nothing for too long\n/, 'failed'],
  'waits for ever': [
    'await new Promise(() => {})',
    /waits-for-ever\.test\.mjs:\d+\n.*timed out after 1000ms/,
    'failed',
  ],
  'ends its process': ['process.exit(0)', /ended its process: 0\n/, 'failed'],
  'kills its process': ["process.kill(process.pid, 'SIGKILL')", /ended its process: SIGKILL\n/, 'failed'],
  'fails at the first try': [
    "const tried = new URL('tried', import.meta.url)\nif (!existsSync(tried)) { writeFileSync(tried, ''); assert.equal(1, 2) }",
    /fails-at-the-first-try\.test\.mjs:\d+\n[^]*?1 !== 2/,
    'flaky',
  ],
  // In the last process: what ends a process closes its listeners.
  'leaves a listener': ['createServer().listen(0)', /left a listener open\n/, 'failed'],
}

test('each test that goes wrong in its own way is told, with the command that runs it, and no other test is lost', (t) => {
  const fileOf = (what: string): string => `${what.replaceAll(' ', '-')}.test.mjs`
  const files = Object.entries(PLANTED).map(([what, [body]]) => [
    fileOf(what),
    around(`describe('shop', () => { it('sells', () => {})\nit('${what}', async () => { ${body} }) })`),
  ])
  const { output, counts } = runTests(t, { 'a.test.mjs': around(''), ...Object.fromEntries(files) })
  for (const [what, [, why, word]] of Object.entries(PLANTED)) {
    const test = `shop > ${what} \\(${fileOf(what)}\\)`
    assert.match(output, new RegExp(`✖ ${test}\\n +${why.source}[^]*?\\n +alone: npm test -- ${fileOf(what)}\\n`))
    assert.match(output, new RegExp(`\\n  ${word}: ${test}\\n`))
  }
  assert.deepEqual(counts, { passed: 20, failed: 6, skipped: 0, onPostgres: 7 })
})

test('two tests of one file that end their process are both told', (t) => {
  const body = "test('first', () => process.exit(0))\ntest('second', () => process.exit(3))\ntest('third', () => {})"
  const { output, counts } = runTests(t, { 'a.test.mjs': body, 'b.test.mjs': around('') })
  assert.match(output, /✖ first .*\n +ended its process: 0\n[^]*✖ second .*\n +ended its process: 3\n/)
  assert.deepEqual(counts, { passed: 3, failed: 2, skipped: 0, onPostgres: 1 })
})

test('something else than a listener that is left open is told, with the file that leaves it', (t) => {
  const { output, counts } = runTests(t, {
    'a.test.mjs': around(''),
    'b.test.mjs': around('setInterval(() => {}, 1000)'),
  })
  assert.match(output, /✖ {2}\(a\.test\.mjs b\.test\.mjs\)\n +left open: .*Timeout/)
  assert.match(output, /\n {2}failed: {2}\(b\.test\.mjs\)\n/)
  assert.deepEqual(counts, { passed: 4, failed: 2, skipped: 0, onPostgres: 2 })
})

test('a file without a test fails, and so do one that cannot be loaded and one that throws after its first test', (t) => {
  const { output, counts } = runTests(t, {
    'a.test.mjs': '',
    'b.test.mjs': "throw new Error('not today')",
    'c.test.mjs': "test('opens', () => {})\nthrow new Error('half')",
    'd.test.mjs': around(''),
  })
  assert.match(output, /\(a\.test\.mjs\)\n +holds no test\n[^]*Error: not today\n[^]*Error: half\n/)
  assert.deepEqual(counts, { passed: 3, failed: 3, skipped: 0, onPostgres: 1 })
})

test('a file that ends its process while it is loaded is told, and the others run', (t) => {
  const { output, counts } = runTests(t, { 'a.test.mjs': around(''), 'b.test.mjs': 'process.exit(0)' })
  assert.match(output, /✖ {2}\(b\.test\.mjs\)\n +ended its process: 0\n/)
  assert.deepEqual(counts, { passed: 2, failed: 2, skipped: 0, onPostgres: 1 })
})

test('a group that cannot be prepared fails with its tests, one that cannot be cleared away fails by itself', (t) => {
  const { output, counts } = runTests(t, {
    'a.test.mjs': "describe('shop', () => { before(() => { throw new Error('2 failed') }); it('sells', () => {}) })",
    'b.test.mjs': "describe('bank', () => { after(() => { throw new Error('still open') }); it('pays', () => {}) })",
  })
  assert.match(output, /✖ shop > sells [^]*✖ shop [^]*2 failed[^]*✖ bank [^]*still open/)
  assert.deepEqual(counts, { passed: 1, failed: 3, skipped: 0, onPostgres: 0 })
})

test('an error that is thrown after its test has ended is a failure', (t) => {
  const { output, counts } = runTests(t, {
    'a.test.mjs': `test('pays', () => { setTimeout(() => { throw new Error('too late') }, 1) })
test('waits', () => new Promise((resolve) => { setTimeout(resolve, 50) }))`,
  })
  assert.match(output, /too late/)
  assert.deepEqual(counts, { passed: 2, failed: 1, skipped: 0, onPostgres: 0 })
})

test('tests are counted by themselves, also under one title, not their groups; skipped and planned ones are no failures', (t) => {
  const { output, counts } = runTests(t, {
    'a.test.mjs': `describe('on PostgreSQL', () => { it('pays', (t) => t.diagnostic('1000 crashes')); it.skip('cancels', () => {}) })
test.todo('expires')
test('sells', () => {})
test('sells', () => {})
test('sells', () => {})`,
  })
  assert.match(output, /^ {2}1000 crashes$/m)
  assert.deepEqual(counts, { passed: 4, failed: 0, skipped: 2, onPostgres: 1 })
})

test('where no test runs the stage fails', (t) => {
  const folder = temporaryFolder(t, {})
  const program = `import { runTestFiles } from ${PROGRAM}\nawait runTestFiles([], 1)`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8' })
  assert.match(child.stderr, /no test ran/)
})
