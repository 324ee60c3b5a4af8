import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseOldFigures, withAges } from './figure-age.ts'

const CHANGES: Readonly<Record<string, number>> = { now: 0, before: 812 }
const count = (commit: string): Promise<number | null> => Promise.resolve(CHANGES[commit] ?? null)

const entryOf = (commit: string) => ({ date: '2026-11-17T05:00:00.000Z', commit, seconds: 1, figures: { hangs: 0 } })
const resultsOf = (fuzz: string, server: string) => ({
  prove: { fuzz: entryOf(fuzz), journeys: entryOf('before') },
  bench: { server: entryOf(server) },
})

test('every entry gets the number of changes since its commit, and keeps its figures', async () => {
  const text = JSON.stringify({ fuzz: { ...entryOf('before'), changesSince: 3 }, axe: entryOf('gone') })
  assert.deepEqual(JSON.parse(await withAges(text, count)), {
    fuzz: { ...entryOf('before'), changesSince: 812 },
    axe: { ...entryOf('gone'), changesSince: null },
  })
})

test('a release is refused while a row is older than the code, with what to run', async () => {
  await refuseOldFigures(resultsOf('now', 'now'), count)
  await assert.rejects(refuseOldFigures(resultsOf('before', 'gone'), count), {
    name: 'Error',
    message: [
      'figures in README.md were measured on older code. Run these, or npm run prove -- all, and commit what they write:',
      '  npm run prove -- fuzz  (before 812 changes)',
      '  npm run bench -- server  (before unknown changes)',
    ].join('\n'),
  })
})
