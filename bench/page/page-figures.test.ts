import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOf, limitsTable } from './page-figures.ts'

const CARD = {
  screen: 'card',
  locale: 'ja',
  rounds: 9,
  ours: { firstPaintMs: 550.4, layoutShift: 0.00123 },
  sameWords: { firstPaintMs: 500 },
  bareForm: {},
  oursAtTwice: { longestTaskMs: 61.2, firstPaintMs: 400 },
  sent: { documentBytes: 9000 },
}

test('figures stand by screen and language, rounded, and what was not measured is left out', () => {
  assert.deepEqual(figuresOf(9, [CARD, { ...CARD, locale: 'th', rounds: 3 }], {}), {
    rounds: 9,
    limits: {},
    screens: {
      card: {
        ja: {
          rounds: 9,
          ours: { firstPaintMs: 550, layoutShift: 0.0012, documentBytes: 9000 },
          sameWords: { firstPaintMs: 500 },
          ratios: { firstPaintToSameWords: 1.1008 },
          oursAtTwice: { longestTaskMs: 61 },
        },
        th: {
          rounds: 3,
          ours: { firstPaintMs: 550, layoutShift: 0.0012, documentBytes: 9000 },
          sameWords: { firstPaintMs: 500 },
          ratios: { firstPaintToSameWords: 1.1008 },
          oursAtTwice: { longestTaskMs: 61 },
        },
      },
    },
  })
})

test('the table says of each limit its bound, its worst figure, where that is, and the verdict', () => {
  const limits = {
    a: { says: 'first paint', limit: 1.15, worst: 1.2, at: 'card th', verdict: 'does not hold' },
    b: { says: 'score', least: 98, worst: 99, at: 'card', verdict: 'holds' },
  }
  assert.match(limitsTable(limits), /^first paint +≤ 1\.15 +1\.2 +card th +does not hold$/m)
  assert.match(limitsTable(limits), /^score +≥ 98 +99 +card +holds$/m)
})
