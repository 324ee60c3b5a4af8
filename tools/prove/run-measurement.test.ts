import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Figures } from '../measurement/figures.ts'
import { runMeasurement, withEntry, type MeasurementSetup } from './run-measurement.ts'
import { CannotRunHere, CommandError } from '../command-error.mjs'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const EXISTING = withEntry('{}', 'crashes', { seconds: 2 })

const setupIn = (
  folder: string,
  measure: (args: readonly string[]) => Promise<Figures | null>,
  parameters = '[kills]',
): MeasurementSetup => ({
  command: 'prove',
  names: ['crashes'],
  load: () => Promise.resolve({ parameters, measure }),
  commit: () => Promise.resolve('c0ffee'),
  resultsFile: join(folder, 'docs', 'proof.json'),
  writeDocuments: async () => writeFileSync(join(folder, 'README.md'), 'written'),
})

test('a proof replaces its own figures and leaves the others', () => {
  const once = withEntry('{}', 'flaky', { seconds: 1 })
  const twice = withEntry(once, 'crash', { seconds: 2 })
  assert.equal(
    withEntry(twice, 'flaky', { seconds: 3 }),
    `${JSON.stringify({ crash: { seconds: 2 }, flaky: { seconds: 3 } }, null, 2)}\n`,
  )
})

test('figures of lost payments are written with their commit, and the command ends with 0', async (t) => {
  const setup = setupIn(temporaryFolder(t, {}), ([kills]) => Promise.resolve({ kills: Number(kills), lost: 0 }))
  assert.equal(await runMeasurement(['crashes', '7'], setup), 0)
  const results = readFileSync(setup.resultsFile, 'utf8')
  assert.match(results, /"commit": "c0ffee"/)
  assert.equal(readFileSync(join(setup.resultsFile, '../../README.md'), 'utf8'), 'written')
  assert.match(results, /"figures": {\s+"kills": 7,\s+"lost": 0\s+}/)
})

test('a proof that fails writes nothing', async (t) => {
  const fails = () => Promise.reject(new CommandError('3 of 40 journeys failed'))
  const setup = setupIn(temporaryFolder(t, { 'docs/proof.json': EXISTING }), fails)
  await assert.rejects(runMeasurement(['crashes'], setup), CommandError)
  assert.equal(readFileSync(setup.resultsFile, 'utf8'), EXISTING)
  const first = setupIn(temporaryFolder(t, {}), fails)
  await assert.rejects(runMeasurement(['crashes'], first), CommandError)
  assert.equal(existsSync(first.resultsFile), false)
})

test('a part of a proof writes no figures, and the command ends with 0', async (t) => {
  const setup = setupIn(temporaryFolder(t, { 'docs/proof.json': EXISTING }), () => Promise.resolve(null))
  assert.equal(await runMeasurement(['crashes', 'some'], setup), 0)
  assert.equal(readFileSync(setup.resultsFile, 'utf8'), EXISTING)
})

test('a proof that cannot run here writes nothing and fails nothing, and the command says so by its exit code', async (t) => {
  const setup = setupIn(temporaryFolder(t, { 'docs/proof.json': EXISTING }), () =>
    Promise.reject(new CannotRunHere('PHP was not found')),
  )
  assert.equal(await runMeasurement(['crashes'], setup), 2)
  assert.equal(readFileSync(setup.resultsFile, 'utf8'), EXISTING)
})

test('figures of changes that belong to no commit are not even measured', async (t) => {
  let measured = 0
  const setup = setupIn(temporaryFolder(t, {}), () => Promise.resolve({ measured: (measured += 1) }))
  const commit = () => Promise.reject(new CommandError('the working tree has changes'))
  for (const name of ['crashes', 'all'])
    await assert.rejects(runMeasurement([name], { ...setup, commit }), CommandError)
  assert.equal(measured, 0)
})

test('an unknown or missing proof ends with 1 before anything runs', async (t) => {
  const setup = setupIn(temporaryFolder(t, {}), () => Promise.resolve({ lost: 0 }))
  assert.equal(await runMeasurement([], setup), 1)
  assert.equal(await runMeasurement(['no-such-proof'], setup), 1)
  assert.equal(await runMeasurement(['constructor'], setup), 1)
  assert.equal(await runMeasurement(['all', 'crashes'], setup), 1)
})

test('a proof that takes nothing refuses what it is given', async (t) => {
  const setup = setupIn(temporaryFolder(t, {}), () => Promise.resolve({ lost: 0 }), '')
  await assert.rejects(runMeasurement(['crashes', '5'], setup), /^Error: crashes takes nothing, not 5/)
})
