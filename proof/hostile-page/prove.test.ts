import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, type HostilePageReport } from './prove.ts'

const REPORT: HostilePageReport = {
  chromium: '156.0',
  seed: 1,
  carriedOut: { ways: 30, neverOpen: [], openWithoutAllowlist: ['window.open (a connection)'], open: [] },
  drawn: { payloads: 10_000, fields: 63, shown: 4000, faults: [], changedWithoutEscaping: 3000 },
}

test('ways and payloads are counted, with what happens without our defences beside them', () => {
  assert.deepEqual(figuresOf(REPORT), {
    chromium: '156.0',
    seed: 1,
    waysOut: 30,
    waysOpen: 0,
    waysOpenWithoutAllowlist: 1,
    payloadsDrawn: 10_000,
    payloadFields: 63,
    payloadsShownAsText: 4000,
    treesChanged: 0,
    treesChangedWithoutEscaping: 3000,
  })
})

const { carriedOut, drawn } = REPORT

const UNPROVEN: Readonly<Record<string, Partial<HostilePageReport>>> = {
  'a way out that is open': { carriedOut: { ...carriedOut, open: ['fetch'] } },
  'a way out that never worked': { carriedOut: { ...carriedOut, neverOpen: ['fetch'] } },
  'a payload that changed a tree': { drawn: { ...drawn, faults: ['subject: another tree for "<b>"'] } },
}
for (const [what, changes] of Object.entries(UNPROVEN)) {
  test(`${what} fails the proof`, () => {
    const line = "1 of the page's promises do not hold, see above"
    assert.throws(() => figuresOf({ ...REPORT, ...changes }), new CommandError(line))
  })
}

const EMPTY: Readonly<Record<string, Partial<HostilePageReport>>> = {
  'no way out': { carriedOut: { ...carriedOut, ways: 0 } },
  'no payload that is shown': { drawn: { ...drawn, shown: 0 } },
  'payloads that do nothing without escaping': { drawn: { ...drawn, changedWithoutEscaping: 0 } },
}
for (const [what, changes] of Object.entries(EMPTY)) {
  test(`${what} fails the proof too`, () => {
    const line = 'nothing was tried, or nothing works without our defences, which shows nothing'
    assert.throws(() => figuresOf({ ...REPORT, ...changes }), new CommandError(line))
  })
}
