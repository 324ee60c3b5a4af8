import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge, ratiosOf, type ScreenFigures } from './limits.ts'

const CARD: ScreenFigures = {
  screen: 'card',
  locale: 'ja',
  rounds: 9,
  ours: {
    firstPaintMs: 550,
    fieldUsableMs: 575,
    liveMs: 1000,
    layoutShift: 0,
    blockingMs: 150,
    requestsBeforeFieldUsable: 3,
    requests: 9,
  },
  sameWords: { firstPaintMs: 500, fieldUsableMs: 500 },
  bareForm: { firstPaintMs: 400, fieldUsableMs: 460 },
  oursAtTwice: { longestTaskMs: 50 },
  sent: { scriptBytes: 76_000, documentBytes: 10_000 },
}

const verdicts = (all: readonly ScreenFigures[]): string[] =>
  Object.entries(judge(all)).flatMap(([name, entry]) =>
    typeof entry === 'object' && entry['verdict'] === 'does not hold' ? [`${name} does not hold`] : [],
  )

test('the page is compared to both controls, and the button to the field of the same words', () => {
  assert.deepEqual(ratiosOf(CARD), {
    firstPaintToSameWords: 1.1,
    fieldUsableToSameWords: 1.15,
    firstPaintToBareForm: 1.375,
    fieldUsableToBareForm: 1.25,
    buttonLiveToSameWordsFieldUsable: 2,
  })
})

test('a figure at its limit holds', () => {
  assert.deepEqual(verdicts([CARD]), [])
})

test('each limit fails just above it', () => {
  const worse = (part: ScreenFigures['ours']): ScreenFigures => ({ ...CARD, ours: { ...CARD.ours, ...part } })
  assert.deepEqual(verdicts([worse({ firstPaintMs: 576 })]), ['firstPaintToSameWords does not hold'])
  assert.deepEqual(verdicts([worse({ fieldUsableMs: 576 })]), ['fieldUsableToSameWords does not hold'])
  assert.deepEqual(verdicts([worse({ liveMs: 1001 })]), ['buttonLive does not hold'])
  assert.deepEqual(verdicts([worse({ layoutShift: 0.0001 })]), ['layoutShift does not hold'])
  assert.deepEqual(verdicts([worse({ blockingMs: 150.1 })]), ['blockingTime does not hold'])
  assert.deepEqual(verdicts([worse({ requestsBeforeFieldUsable: 4 })]), ['requestsBeforeFieldUsable does not hold'])
  assert.deepEqual(verdicts([worse({ requests: 10 })]), ['requests does not hold'])
  assert.deepEqual(verdicts([{ ...CARD, oursAtTwice: { longestTaskMs: 51 } }]), ['longestTask does not hold'])
  assert.deepEqual(verdicts([{ ...CARD, sent: { ...CARD.sent, scriptBytes: 76_001 } }]), ['scripts does not hold'])
  assert.deepEqual(verdicts([{ ...CARD, sent: { ...CARD.sent, documentBytes: 10_001 } }]), ['document does not hold'])
  const bare = { firstPaintMs: 340, fieldUsableMs: 350 }
  assert.deepEqual(verdicts([{ ...CARD, bareForm: bare }]), [
    'firstPaintToBareForm does not hold',
    'fieldUsableToBareForm does not hold',
  ])
})

test('the worst of all screens and languages is judged and named', () => {
  const receipt = { ...CARD, screen: 'receipt', locale: 'th', ours: { firstPaintMs: 700 }, bareForm: {} }
  assert.deepEqual(judge([CARD, receipt])['firstPaintToSameWords'], {
    says: 'first paint, of the same words',
    limit: 1.15,
    worst: 1.4,
    at: 'receipt th',
    verdict: 'does not hold',
  })
})

test('a limit without a measured figure is an error, not a limit that holds', () => {
  const withoutLive = { ...CARD, ours: { ...CARD.ours, liveMs: Number.NaN } }
  assert.throws(() => judge([withoutLive]), /nothing was measured for: pay button live/)
})
