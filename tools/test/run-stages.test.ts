import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequest, runInOrder, tableLine } from './run-stages.ts'
import { CommandError } from '../command-error.mjs'
import { STAGES, type Result, type Stage } from './stages.ts'

const stage = (name: string, result: Result, calls: string[] = []): Stage => ({
  name,
  budgetSeconds: 10,
  run: async ({ playwright }) => {
    calls.push([name, ...playwright].join(' '))
    return result
  },
})
const all = ['types', 'unit', 'server'].map((name) => stage(name, { passed: 0, failed: 0, skipped: 0 }))

const chosen = (...args: string[]): string => {
  const request = readRequest(args, all)
  return request.ok
    ? [request.stages.map(({ name }) => name).join(','), ...request.playwright].join(' ')
    : request.problem.replace(/: npm test.*/, '')
}

test('the command chooses stages by name and hands the rest to Playwright', () => {
  assert.equal(chosen(), 'types,unit,server')
  assert.equal(chosen('--only', 'server'), 'server')
  assert.equal(chosen('--only', 'server,types'), 'types,server')
  assert.equal(chosen('--', '--grep', 'pays'), 'types,unit,server --grep pays')
  assert.equal(chosen('--only', 'server', '--', '--only', 'x'), 'server --only x')
})

test('what the command does not know is named', () => {
  assert.equal(chosen('--only', 'server,lnit'), 'there is no stage lnit')
  assert.equal(chosen('--only'), '--only names no stage')
  assert.equal(chosen('--only', ''), '--only names no stage')
  assert.equal(chosen('--onyl', 'server'), 'npm test does not know --onyl')
  assert.equal(chosen('--only', 'server', 'types'), 'npm test does not know types')
})

const output = async (stages: Stage[], playwright: string[] = []): Promise<{ code: number; lines: string[] }> => {
  let text = ''
  const code = await runInOrder(stages, playwright, (part) => (text += part))
  return { code, lines: text.trimEnd().split('\n') }
}

test('the last line sums what all stages counted', async () => {
  const { code, lines } = await output([
    stage('unit', { passed: 5, failed: 0, skipped: 1 }),
    stage('server', { passed: 7, failed: 0, skipped: 2 }),
  ])
  assert.equal(code, 0)
  assert.equal(lines.at(-1), '12 passed, 0 failed, 3 skipped')
})

test('the first stage that fails is the last that runs, and the way to run it alone is told', async () => {
  const calls: string[] = []
  const { code, lines } = await output(
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
  const none = await output([stage('types', { passed: 0, failed: 0, skipped: 0, problem: 'tsc ended with 1' })])
  assert.equal(none.lines.at(-1), '0 passed, 1 failed, 0 skipped')
  const refuses = { name: 'server', budgetSeconds: 1, run: () => Promise.reject(new CommandError('no PostgreSQL')) }
  const refused = await output([refuses])
  assert.equal(refused.code, 1)
  assert.equal(refused.lines.at(-3), 'server failed: no PostgreSQL')
})

test('a stage shows its time beside its budget, with a mark when over it', () => {
  assert.equal(tableLine('unit', 12_300, 30), 'unit       12.3 s of 30 s')
  assert.equal(tableLine('unit', 30_000, 30), 'unit       30.0 s of 30 s')
  assert.match(tableLine('unit', 30_100, 30), /30\.1 s of 30 s {2}⚠ over its budget$/)
})

test('the budgets of all stages together are the 9 minutes that they may take', () => {
  assert.equal(
    STAGES.reduce((seconds, { budgetSeconds }) => seconds + budgetSeconds, 0),
    9 * 60,
  )
})
