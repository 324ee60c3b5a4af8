import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { measure } from './prove.ts'

const REPORT: Readonly<Record<string, unknown>> = {
  runs: 400,
  checkouts: 1000,
  steps: 5000,
  crashes: 3,
  charges: 900,
  refunds: 100,
  holdUnavailable: 5,
  cardsLost: 4,
  cardsBack: 2,
  daysSummed: 3,
  doubtsOnHome: 6,
  crashPointsPassed: ['before charge', 'after charge'],
  crashPointsHit: ['before charge'],
  failures: [],
}

const simulationReporting = (changes: Readonly<Record<string, unknown>>, code = 0) => {
  const calls: string[] = []
  const runSimulation = (args: readonly string[]) => {
    calls.push(args.join(' '))
    return Promise.resolve({ code, output: `a warning\n${JSON.stringify({ ...REPORT, ...changes })}\n` })
  }
  return { runSimulation, calls }
}

test('a seed or a number of checkouts that is none is refused before anything runs', async () => {
  const { runSimulation, calls } = simulationReporting({})
  for (const checkouts of ['0', '1000000001', '1.5', 'many', '-3', 'NaN'])
    await assert.rejects(measure([checkouts], runSimulation), CommandError)
  for (const seed of ['0', '1000000000', '1.5', 'x', '-1', 'NaN', ''])
    await assert.rejects(measure(['40', seed], runSimulation), CommandError)
  assert.deepEqual(calls, [])
})

test('the figures are the sums of all runs: four kinds of races, a silent hour, power cuts, storms, and PostgreSQL', async () => {
  const { runSimulation, calls } = simulationReporting({})
  const figures = await measure(['10000', '7'], runSimulation)
  assert.equal(calls.length, 14)
  assert.ok(calls.includes('--workload two-tabs --seed 7 --runs 100 --checkouts 10'))
  assert.ok(calls.includes('--workload storm --acquirer order-id --servers 1 --seed 132 --runs 125 --checkouts 40'))
  assert.ok(calls.includes('--workload storm --seed 7 --runs 40 --checkouts 2 --postgres'))
  assert.deepEqual(figures, {
    firstSeed: 7,
    checkouts: 2000,
    checkoutsOnSeveralServers: 1000,
    cardHoldUnavailable: 70,
    cardsLostByTheHold: 56,
    wipedCardsThatCameBack: 28,
    daysSummedMeanwhile: 42,
    doubtsNamedOnHome: 84,
    portCalls: 70_000,
    crashes: 42,
    charges: 12_600,
    refunds: 1400,
    momentsBeforeOrAfterACall: 2,
    momentsOfDeath: 1,
    crashSteps: 200,
    crashSchedules: 4,
    crashStepRuns: 800,
    crashStepCrashes: 6,
    'two-tabs': 1000,
    'pay-against-cancel': 1000,
    'pay-against-deadline': 1000,
    'refund-against-refund': 1000,
    silentHours: 400,
    schedulesOnPostgreSQL: 2000,
    brokenPromises: 0,
  })
  await measure(['1', '999999999'], runSimulation)
})

test('every broken promise is counted, and any one fails the proof', async () => {
  const failures = [{ command: 'node proof/simulation/main.ts --seed 7', brokenPromises: ['charged twice', 'lost'] }]
  const { runSimulation } = simulationReporting({ failures }, 1)
  await assert.rejects(measure(['1'], runSimulation), new CommandError('26 promises were broken, see above'))
})

test('runs in which the worker has summed no day fail the proof', async () => {
  const { runSimulation } = simulationReporting({ daysSummed: 0 })
  await assert.rejects(measure(['1'], runSimulation), /^Error: no day was summed meanwhile/)
})

test('a simulation that ends with an error, or without a report of the charges, fails the proof', async () => {
  await assert.rejects(
    measure(['1'], simulationReporting({}, 1).runSimulation),
    /^Error: proof\/simulation\/main\.ts ended with 1: /,
  )
  const printing = (output: string) => () => Promise.resolve({ code: 0, output })
  await assert.rejects(measure(['1'], printing('--seed takes a whole number\n')), CommandError)
  await assert.rejects(measure(['1'], printing('')), CommandError)
  await assert.rejects(measure(['1'], printing('{"failures":[]}')), new CommandError('the report has no number runs'))
  await assert.rejects(measure(['1'], printing('{"runs":1}')), CommandError)
})
