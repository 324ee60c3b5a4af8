import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../command-error.mjs'
import { prove } from './simulation.ts'

const REPORT: Readonly<Record<string, unknown>> = {
  runs: 400,
  checkouts: 1000,
  steps: 5000,
  crashes: 3,
  charges: 900,
  refunds: 100,
  passed: ['before charge', 'after charge'],
  diedAt: ['before charge'],
  failures: [],
}

const playing = (changes: Readonly<Record<string, unknown>>, code = 0) => {
  const played: string[] = []
  const play = (args: readonly string[]) => {
    played.push(args.join(' '))
    return Promise.resolve({ code, output: `a warning\n${JSON.stringify({ ...REPORT, ...changes })}\n` })
  }
  return { play, played }
}

test('a seed or a number of checkouts that is none is refused before anything is played', async () => {
  const { play, played } = playing({})
  for (const checkouts of ['0', '1000000001', '1.5', 'many', '-3', 'NaN'])
    await assert.rejects(prove([checkouts], play), CommandError)
  for (const seed of ['0', '1000000000', '1.5', 'x', '-1', 'NaN', ''])
    await assert.rejects(prove(['40', seed], play), CommandError)
  assert.deepEqual(played, [])
})

test('the figures are the sums of what was played: four kinds of races, a silent hour, power cuts, storms', async () => {
  const { play, played } = playing({})
  const figures = await prove(['20000', '7'], play)
  assert.equal(played.length, 9)
  assert.ok(played.includes('--play two-tabs --seed 7 --runs 100 --checkouts 10'))
  assert.ok(played.includes('--play storm --seed 257 --runs 250 --checkouts 40'))
  assert.deepEqual(figures, {
    firstSeed: 7,
    checkouts: 2000,
    portCalls: 45_000,
    crashes: 27,
    charges: 8100,
    refunds: 900,
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
    brokenPromises: 0,
  })
  await prove(['1', '999999999'], play)
})

test('every broken promise is counted, and any one is a refusal', async () => {
  const failures = [{ command: 'node proof/simulation/main.ts --seed 7', broken: ['charged twice', 'lost'] }]
  const { play } = playing({ failures }, 1)
  await assert.rejects(prove(['1'], play), new CommandError('16 promises were broken, see above'))
})

test('a simulation that ends badly, or without a report of the charges, is a refusal', async () => {
  await assert.rejects(prove(['1'], playing({}, 1).play), /^Error: server\/simulation\/main\.ts ended with 1: /)
  const ending = (output: string) => () => Promise.resolve({ code: 0, output })
  await assert.rejects(prove(['1'], ending('--seed takes a whole number\n')), CommandError)
  await assert.rejects(prove(['1'], ending('')), CommandError)
  await assert.rejects(prove(['1'], ending('{"failures":[]}')), new CommandError('the report has no number runs'))
  await assert.rejects(prove(['1'], ending('{"runs":1}')), CommandError)
})
