import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectStages, runStagesInOrder, timingLine } from './run-stages.ts'
import { CommandError } from '../command-error.mjs'
import { STAGES, type StageResult, type Stage } from './stages.ts'

const stage = (name: string, result: StageResult, calls: string[] = []): Stage => ({
  name,
  budgetSeconds: 10,
  run: async ({ playwrightArgs }) => {
    calls.push([name, ...playwrightArgs].join(' '))
    return result
  },
})
const ALL_STAGES = ['types', 'unit', 'server'].map((name) => stage(name, { passed: 0, failed: 0, skipped: 0 }))

const describeSelection = (...args: string[]): string => {
  const selection = selectStages(args, ALL_STAGES)
  return selection.ok
    ? [selection.stages.map(({ name }) => name).join(','), ...selection.playwrightArgs].join(' ')
    : selection.problem.replace(/: npm test.*/, '')
}

test('the command chooses stages by name and passes the rest to Playwright', () => {
  assert.equal(describeSelection(), 'types,unit,server')
  assert.equal(describeSelection('--only', 'server'), 'server')
  assert.equal(describeSelection('--only', 'server,types'), 'types,server')
  assert.equal(describeSelection('--', '--grep', 'pays'), 'types,unit,server --grep pays')
  assert.equal(describeSelection('--only', 'server', '--', '--only', 'x'), 'server --only x')
})

test('what the command does not know is named', () => {
  assert.equal(describeSelection('--only', 'server,lnit'), 'there is no stage lnit')
  assert.equal(describeSelection('--only'), '--only names no stage')
  assert.equal(describeSelection('--only', ''), '--only names no stage')
  assert.equal(describeSelection('--onyl', 'server'), 'npm test does not know --onyl')
  assert.equal(describeSelection('--only', 'server', 'types'), 'npm test does not know types')
})

const runAndRead = async (
  stages: Stage[],
  playwrightArgs: string[] = [],
): Promise<{ code: number; lines: string[] }> => {
  let text = ''
  const code = await runStagesInOrder(stages, playwrightArgs, (part) => (text += part))
  return { code, lines: text.trimEnd().split('\n') }
}

test('the last line has the totals of all stages', async () => {
  const { code, lines } = await runAndRead([
    stage('unit', { passed: 5, failed: 0, skipped: 1 }),
    stage('server', { passed: 7, failed: 0, skipped: 2 }),
  ])
  assert.equal(code, 0)
  assert.equal(lines.at(-1), '12 passed, 0 failed, 3 skipped')
})

test('the first stage that fails is the last that runs, and how to run it alone is printed', async () => {
  const calls: string[] = []
  const { code, lines } = await runAndRead(
    [
      stage('unit', { passed: 5, failed: 0, skipped: 0 }, calls),
      stage('server', { passed: 7, failed: 2, skipped: 0, problem: '2 failed' }, calls),
      stage('journeys', { passed: 1, failed: 0, skipped: 0 }, calls),
    ],
    ['--headed'],
  )
  assert.equal(code, 1)
  assert.deepEqual(calls, ['unit --headed', 'server --headed'])
  assert.deepEqual(lines.slice(-3), [
    'server failed: 2 failed',
    'this stage alone: npm test -- --only server',
    '12 passed, 2 failed, 0 skipped',
  ])
})

test('a stage that fails without a failed test counts as one', async () => {
  const none = await runAndRead([stage('types', { passed: 0, failed: 0, skipped: 0, problem: 'tsc ended with 1' })])
  assert.equal(none.lines.at(-1), '0 passed, 1 failed, 0 skipped')
  const refuses = { name: 'server', budgetSeconds: 1, run: () => Promise.reject(new CommandError('no PostgreSQL')) }
  const refused = await runAndRead([refuses])
  assert.equal(refused.code, 1)
  assert.equal(refused.lines.at(-3), 'server failed: no PostgreSQL')
})

test('a stage shows its time beside its budget, with a mark when over it', () => {
  assert.equal(timingLine('unit', 12_300, 30), 'unit       12.3 s of 30 s')
  assert.equal(timingLine('unit', 30_000, 30), 'unit       30.0 s of 30 s')
  assert.match(timingLine('unit', 30_100, 30), /30\.1 s of 30 s {2}⚠ over its budget$/)
})

test('the budgets of all stages together are the 9 minutes that they may take', () => {
  assert.equal(
    STAGES.reduce((seconds, { budgetSeconds }) => seconds + budgetSeconds, 0),
    9 * 60,
  )
})
