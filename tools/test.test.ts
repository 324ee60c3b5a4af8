import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { CommandError } from './command-error.mjs'
import { runStages } from './test.ts'

const counts = (passed: number, failed = 0, skipped = 0) => ({ passed, failed, skipped })

const stage = (name: string, files: readonly string[] = [], result = counts(1), calls: string[] = []) => ({
  name,
  files,
  run: (chosen: readonly string[], playwrightArgs: readonly string[]) => {
    calls.push([name, ...chosen, ...playwrightArgs].join(' '))
    return Promise.resolve(result)
  },
})
const ALL = [stage('types'), stage('unit', ['a.test.ts', 'b.test.ts']), stage('journeys', ['pay.spec.ts'])]

/** What it wrote, and what it ran. */
const runAndRead = async (t: TestContext, args: readonly string[], stages: Parameters<typeof runStages>[1] = ALL) => {
  let text = ''
  for (const stream of [process.stdout, process.stderr])
    t.mock.method(stream, 'write', (part: string) => (text += part) !== '')
  const code = await runStages(args, stages).finally(() => t.mock.restoreAll())
  return { code, lines: text.trimEnd().split('\n') }
}

const CHOICES: readonly (readonly [args: readonly string[], runs: readonly string[]])[] = [
  [[], ['types', 'unit a.test.ts b.test.ts', 'journeys pay.spec.ts']],
  [
    ['--only', 'unit,types'],
    ['types', 'unit a.test.ts b.test.ts'],
  ],
  [['b.test.ts'], ['unit b.test.ts']],
  [
    ['pay.spec.ts', 'a.test.ts'],
    ['unit a.test.ts', 'journeys pay.spec.ts'],
  ],
  [['--only', 'journeys', '--', 'guide', '--headed'], ['journeys pay.spec.ts guide --headed']],
]

for (const [args, runs] of CHOICES)
  test(`stages and test files are chosen by name: ${args.join(' ')}`, async (t) => {
    const calls: string[] = []
    const stages = ALL.map(({ name, files }) => stage(name, files, counts(1), calls))
    assert.equal((await runAndRead(t, args, stages)).code, 0)
    assert.deepEqual(calls, runs)
  })

test('what is no stage and no test file is named, and nothing runs', async (t) => {
  const { code, lines } = await runAndRead(t, ['--only', 'unit,lnit'])
  assert.equal(code, 1)
  assert.deepEqual(lines, [
    'npm test does not know lnit: name test files, or --only types,unit,journeys',
    '0 passed, 1 failed, 0 skipped',
  ])
  for (const args of [['--only'], ['--only', ''], ['--onyl', 'unit'], ['c.test.ts']])
    assert.equal((await runAndRead(t, args)).lines.at(-1), '0 passed, 1 failed, 0 skipped')
})

test('the last line has the totals of all stages', async (t) => {
  const stages = [stage('unit', [], counts(5, 0, 1)), stage('server', [], counts(7, 0, 2))]
  const { code, lines } = await runAndRead(t, [], stages)
  assert.equal(code, 0)
  assert.equal(lines.at(-1), '12 passed, 0 failed, 3 skipped')
})

test('the first stage that fails is the last that runs, and how to run it alone is printed', async (t) => {
  const calls: string[] = []
  const stages = [
    stage('unit', [], counts(5), calls),
    stage('server', [], counts(7, 2), calls),
    stage('journeys', [], counts(1), calls),
  ]
  const { code, lines } = await runAndRead(t, [], stages)
  assert.equal(code, 1)
  assert.deepEqual(calls, ['unit', 'server'])
  assert.deepEqual(lines.slice(-2), ['server failed: npm test -- --only server', '12 passed, 2 failed, 0 skipped'])
})

test('a stage that could not run counts as one failure', async (t) => {
  const run = () => Promise.reject(new CommandError('no PostgreSQL'))
  const { code, lines } = await runAndRead(t, [], [{ name: 'server', files: [], run }])
  assert.equal(code, 1)
  assert.deepEqual(lines, ['no PostgreSQL', '0 passed, 1 failed, 0 skipped'])
})
