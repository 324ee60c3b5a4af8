import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeScores, medianScores } from './lighthouse-scores.ts'

test('each category has its own median', () => {
  const runs = [
    { performance: 90, accessibility: 100, 'best-practices': 96 },
    { performance: 99, accessibility: 100, 'best-practices': 100 },
    { performance: 97, accessibility: 95, 'best-practices': 100 },
  ]
  assert.deepEqual(medianScores(runs), { performance: 97, accessibility: 100, 'best-practices': 100 })
})

test('a category without a score in any run is refused: there is no median of no scores', () => {
  assert.throws(() => medianScores([{ performance: 99, accessibility: 100 }]), /no run has a score for best-practices/)
})

test('the lowest screen is judged: 98 for performance, 100 for the others', () => {
  const screens = {
    card: { performance: 98, accessibility: 99, 'best-practices': 100 },
    receipt: { performance: 100, accessibility: 100, 'best-practices': 100 },
  }
  const judged = judgeScores(screens)
  assert.deepEqual(judged['performance'], {
    says: 'Lighthouse, performance',
    least: 98,
    worst: 98,
    at: 'card',
    verdict: 'holds',
  })
  const verdictOf = (name: string): unknown => {
    const entry = judged[name]
    return typeof entry === 'object' ? entry['verdict'] : undefined
  }
  assert.equal(verdictOf('accessibility'), 'does not hold')
  assert.equal(verdictOf('best-practices'), 'holds')
})
