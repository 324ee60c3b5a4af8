import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, type WebhookFindings } from './prove.ts'

const RUN = { events: 40, tries: 300, crashes: 9, moments: 30, momentsOfDeath: 30, problems: [] }
const REACHED = { registered: 0, requestsOpened: 0, connections: 0 }
const FOUND: WebhookFindings = {
  seed: 16,
  sqlite: RUN,
  postgres: RUN,
  waits: { alone: 500, besideTen: 1500 },
  altered: { isTrueOneTaken: true, accepted: 0 },
  hostile: { addresses: 200, names: 200, rebindings: 20, redirects: 5, ...REACHED },
  bugs: { planted: 5, missed: [] },
}

test('the webhook proof says what was sent, forged and tried to be reached', () => {
  const figures = figuresOf(FOUND)
  assert.deepEqual(
    [figures['SQLite: events'], figures['lost'], figures['socketsOpened'], figures['plantedBugsCaught']],
    [40, 0, 0, 5],
  )
})

test('anything lost, delayed, forged, reached or not caught fails the webhook proof', () => {
  const bad: Partial<WebhookFindings>[] = [
    { sqlite: { ...RUN, problems: ['flaky has missed 1 events'] } },
    { postgres: { ...RUN, problems: ['1 were sent after 410'] } },
    { waits: { alone: 500, besideTen: 1501 } },
    { altered: { isTrueOneTaken: true, accepted: 1 } },
    { altered: { isTrueOneTaken: false, accepted: 0 } },
    { hostile: { ...FOUND.hostile, registered: 1 } },
    { hostile: { ...FOUND.hostile, requestsOpened: 1 } },
    { hostile: { ...FOUND.hostile, connections: 1 } },
    { bugs: { planted: 5, missed: ['a lease that never ends'] } },
  ]
  for (const each of bad) assert.throws(() => figuresOf({ ...FOUND, ...each }), CommandError, JSON.stringify(each))
})
