import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf, type HostilePageReport } from './prove.ts'

const REPORT: HostilePageReport = {
  chromium: '156.0',
  seed: 1,
  carriedOut: { ways: 30, neverOpen: [], openWithoutAllowlist: ['window.open (a connection)'], open: [] },
  flipped: { scripts: 8, visits: 26, ranChanged: [], unshown: [], styleSheets: [] },
  drawn: { payloads: 10_000, fields: 63, shown: 4000, faults: [], changedWithoutEscaping: 3000 },
  opened: {
    opened: 300,
    refusedTexts: 2,
    executed: [],
    violations: [],
    otherOrigins: [],
    executedWithoutDefence: 70,
  },
}

test('ways, changed scripts and payloads are counted, with what happens without our defences beside them', () => {
  assert.deepEqual(figuresOf(REPORT), {
    chromium: '156.0',
    seed: 1,
    waysOut: 30,
    waysOpen: 0,
    waysOpenWithoutAllowlist: 1,
    scripts: 8,
    changedScriptsOpened: 26,
    changedScriptsRun: 0,
    payloadsDrawn: 10_000,
    payloadFields: 63,
    payloadsShownAsText: 4000,
    treesChanged: 0,
    treesChangedWithoutEscaping: 3000,
    payloadsOpened: 300,
    refusedTexts: 2,
    executed: 0,
    violations: 0,
    executedWithoutDefence: 70,
  })
})

const { carriedOut, flipped, drawn, opened } = REPORT

const UNPROVEN: Readonly<Record<string, Partial<HostilePageReport>>> = {
  'a way out that is open': { carriedOut: { ...carriedOut, open: ['fetch'] } },
  'a way out that never worked': { carriedOut: { ...carriedOut, neverOpen: ['fetch'] } },
  'a changed script that ran': { flipped: { ...flipped, ranChanged: ['/assets/main.js on card'] } },
  'a script that ran nowhere': { flipped: { ...flipped, unshown: ['/assets/th.js never ran changed'] } },
  'a style sheet of its own': { flipped: { ...flipped, styleSheets: ['/assets/style.css'] } },
  'a payload that changed a tree': { drawn: { ...drawn, faults: ['subject: another tree for "<b>"'] } },
  'a payload that was executed': { opened: { ...opened, executed: ['a dialog for "<b>"'] } },
  'a violation of the policy': { opened: { ...opened, violations: ['Refused to load'] } },
  'a call to another origin': { opened: { ...opened, otherOrigins: ['http://evil.test/'] } },
}
for (const [what, changes] of Object.entries(UNPROVEN)) {
  test(`${what} fails the proof`, () => {
    const line = "1 of the page's promises do not hold, see above"
    assert.throws(() => figuresOf({ ...REPORT, ...changes }), new CommandError(line))
  })
}

const EMPTY: Readonly<Record<string, Partial<HostilePageReport>>> = {
  'no way out': { carriedOut: { ...carriedOut, ways: 0 } },
  'no changed script': { flipped: { ...flipped, visits: 0 } },
  'no payload that is shown': { drawn: { ...drawn, shown: 0 } },
  'payloads that do nothing without escaping': { drawn: { ...drawn, changedWithoutEscaping: 0 } },
  'payloads that do nothing without a policy': { opened: { ...opened, executedWithoutDefence: 0 } },
}
for (const [what, changes] of Object.entries(EMPTY)) {
  test(`${what} fails the proof too`, () => {
    const line = 'nothing was tried, or nothing works without our defences, which shows nothing'
    assert.throws(() => figuresOf({ ...REPORT, ...changes }), new CommandError(line))
  })
}
