import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from './command-error.mjs'
import { chooseStages, runStages } from './test.ts'

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

const chosen = (...args: string[]): string =>
  chooseStages(args, ALL)
    .map(({ name, files }) => [name, ...files].join(' '))
    .join('; ')

test('stages are chosen by their names, and by test files, of which only those that are named run', () => {
  assert.equal(chosen(), 'types; unit a.test.ts b.test.ts; journeys pay.spec.ts')
  assert.equal(chosen('--only', 'unit,types'), 'types; unit a.test.ts b.test.ts')
  assert.equal(chosen('b.test.ts'), 'unit b.test.ts')
  assert.equal(chosen('pay.spec.ts', 'a.test.ts'), 'unit a.test.ts; journeys pay.spec.ts')
})

test('what is no stage and no test file is named', () => {
  assert.throws(
    () => chosen('--only', 'unit,lnit'),
    /^Error: npm test does not know lnit: .*--only types,unit,journeys$/,
  )
  for (const args of [['--only'], ['--only', ''], ['--onyl', 'unit'], ['c.test.ts']])
    assert.throws(() => chosen(...args), CommandError)
})

const runAndRead = async (t: { mock: typeof test.mock }, ...stages: Parameters<typeof runStages>[0][number][]) => {
  const write = t.mock.method(process.stdout, 'write', () => true)
  const code = await runStages(stages, ['--headed']).finally(() => write.mock.restore())
  return { code, lines: write.mock.calls.map(({ arguments: [text] }) => String(text).trimEnd()) }
}

test('the last line has the totals of all stages', async (t) => {
  const { code, lines } = await runAndRead(t, stage('unit', [], counts(5, 0, 1)), stage('server', [], counts(7, 0, 2)))
  assert.equal(code, 0)
  assert.equal(lines.at(-1), '12 passed, 0 failed, 3 skipped')
})

test('the first stage that fails is the last that runs, and how to run it alone is printed', async (t) => {
  const calls: string[] = []
  const { code, lines } = await runAndRead(
    t,
    stage('unit', ['a.test.ts'], counts(5), calls),
    stage('server', [], counts(7, 2), calls),
    stage('journeys', [], counts(1), calls),
  )
  assert.equal(code, 1)
  assert.deepEqual(calls, ['unit a.test.ts --headed', 'server --headed'])
  assert.deepEqual(lines.slice(-2), ['server failed: npm test -- --only server', '12 passed, 2 failed, 0 skipped'])
})

test('a stage that could not run counts as one failure', async (t) => {
  const run = () => Promise.reject(new CommandError('no PostgreSQL'))
  const { code, lines } = await runAndRead(t, { name: 'server', files: [], run })
  assert.equal(code, 1)
  assert.equal(lines[0], 'no PostgreSQL')
  assert.equal(lines.at(-1), '0 passed, 1 failed, 0 skipped')
})
