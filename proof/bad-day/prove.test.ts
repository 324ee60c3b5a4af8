import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from './limits.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { FAMILIES, judge, measure } from './prove.ts'

const AT_THE_LIMIT = Object.fromEntries(
  Object.entries(LIMITS['outbox'] ?? {}).map(([name, { most, least }]) => [name, most ?? least ?? Number.NaN]),
)
const PING = 'healthy ping beside slow endpoints, seconds'
const PULLED = 'new events pulled after 91 quiet days'

test('a family whose figures stand at their limits holds, and each line says before, now and limit', () => {
  const { lines, problems } = judge('outbox', { measured: AT_THE_LIMIT, problems: [] })
  assert.deepEqual(problems, [])
  assert.equal(lines.length, Object.keys(AT_THE_LIMIT).length)
  assert.ok(lines.includes(`${PING}: 30 → 5 (at most 5)`), lines.join('\n'))
  assert.ok(lines.includes(`${PULLED}: 0 → 1 (at least 1)`), lines.join('\n'))
})

test('one step past a limit, a figure that was not measured, and an attack that could not be carried out are named', () => {
  const { [PING]: _none, ...withoutPing } = AT_THE_LIMIT
  const fails = (measured: Readonly<Record<string, number>>, problems: readonly string[] = []) =>
    judge('outbox', { measured, problems }).problems
  assert.deepEqual(fails({ ...AT_THE_LIMIT, [PING]: 5.1 }), [`outbox: ${PING}: 5.1, not at most 5`])
  assert.deepEqual(fails({ ...AT_THE_LIMIT, [PULLED]: 0 }), [`outbox: ${PULLED}: 0, not at least 1`])
  assert.deepEqual(fails({ ...AT_THE_LIMIT, [PING]: Number.NaN }), [`outbox: ${PING}: NaN, not at most 5`])
  assert.deepEqual(fails(withoutPing), [`outbox: ${PING} was not measured`])
  assert.deepEqual(fails(AT_THE_LIMIT, ['no mount']), ['outbox: no mount'])
})

test('every family has limits, and no limit is of a family that there is not', () => {
  assert.deepEqual(Object.keys(LIMITS), Object.keys(FAMILIES))
})

test('a family that nobody knows is refused before anything is attacked', async () => {
  await assert.rejects(
    measure(['weather']),
    new CommandError(`no such family: weather. There are ${Object.keys(FAMILIES).join(', ')}`),
  )
})
