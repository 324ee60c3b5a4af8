import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { addReports, figuresOf, type FuzzFindings } from './prove.ts'

const MEBIBYTE = 2 ** 20
const memory = (heapMiB: number) => ({ heapBytes: heapMiB * MEBIBYTE, residentBytes: 100 * MEBIBYTE })

const FINDINGS: FuzzFindings = {
  seed: 1,
  report: {
    requests: 1_000_000,
    rawRequests: 20_000,
    episodes: 10_000,
    statuses: new Map([
      [200, 400_000],
      [201, 100_000],
      [404, 500_000],
      [500, 7],
    ]),
    problems: [],
  },
  seconds: 500,
  errors: [],
  isRunning: true,
  unreached: [],
  payments: 4000,
  lastPayment: undefined,
  sent: { webhooks: 9000, mails: 4000, problems: [] },
  first: { requests: 200_000, memory: memory(30) },
  last: memory(32),
}

test('the fuzz proof counts requests, answers, payments and memory', () => {
  const figures = figuresOf(FINDINGS)
  assert.equal(figures['requests'], 1_000_000)
  assert.equal(figures['requestsPerSecond'], 2000)
  assert.equal(figures['answers2xx'], 500_000)
  assert.equal(figures['answersOfThePage500'], 7)
  assert.equal(figures['heapMiBAtTheEnd'], 32)
})

test('a bad answer, an error line, an end, a failed payment and a route that was not reached fail the proof', () => {
  const fails = (changes: Partial<FuzzFindings>): void => {
    assert.throws(() => figuresOf({ ...FINDINGS, ...changes }), CommandError)
  }
  fails({ report: { ...FINDINGS.report, problems: ['answered 500'] } })
  fails({ errors: ['{"level":"error"}'] })
  fails({ isRunning: false })
  fails({ lastPayment: '409' })
  fails({ sent: { ...FINDINGS.sent, problems: ['a mail that is no UTF-8'] } })
  fails({ sent: { ...FINDINGS.sent, webhooks: 0 } })
  fails({ unreached: ['GET /healthz 200: 0'] })
})

test('memory may grow by 8 MiB and 20 bytes for each request between the two readings', () => {
  const allowed = 8 + (800_000 * 20) / MEBIBYTE
  assert.equal(figuresOf({ ...FINDINGS, last: memory(30 + allowed) })['seed'], 1)
  assert.throws(() => figuresOf({ ...FINDINGS, last: memory(30.1 + allowed) }), CommandError)
})

test('a short run need not reach every route', () => {
  const report = { ...FINDINGS.report, requests: 200 }
  const first = { requests: 40, memory: memory(30) }
  assert.equal(figuresOf({ ...FINDINGS, report, first, unreached: ['GET /healthz 200: 0'] })['requests'], 200)
})

test('the parts of a run add up', () => {
  const sum = addReports(FINDINGS.report, { ...FINDINGS.report, statuses: new Map([[200, 1]]), problems: ['p'] })
  assert.deepEqual([sum.requests, sum.statuses.get(200), sum.problems], [2_000_000, 400_001, ['p']])
})
