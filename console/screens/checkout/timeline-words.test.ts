import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHECKOUT_STATUSES } from '#contract/checkout.ts'
import { MAIL_STATES } from '#contract/mail-facts.ts'
import { tellChange, timelineWords } from './timeline-words.ts'

const ENDED = MAIL_STATES.filter((state) => state !== 'waiting' && state !== 'sending')
const STATES: Readonly<Record<string, readonly string[]>> = {
  checkout: [...CHECKOUT_STATUSES, 'held'],
  attempt:
    'started authenticating challenged authenticated refused charging unknown charged declined void abandoned'.split(
      ' ',
    ),
  refund: ['requested', 'unknown', 'refunded', 'refused'],
  dispute: ['inquiry', 'open', 'won', 'lost'],
  mail: ENDED,
  delivery: ['delivered', 'failed', 'dropped'],
}

test('every change of state is a sentence in both languages, and no two states of one thing read alike', () => {
  for (const words of Object.values(timelineWords))
    for (const [what, states] of Object.entries(STATES)) {
      const told = states.map((to) => tellChange({ what, id: 'receipt', to, by: 'merchant', why: '' }, words))
      assert.equal(new Set(told).size, states.length, what)
      for (const sentence of told) assert.doesNotMatch(sentence, /^\w+: /, sentence)
    }
})

test('who cancelled, and that a closed checkout was opened again, is told', () => {
  const words = timelineWords['en-US']
  const cancelled = (by: string): string =>
    tellChange({ what: 'checkout', from: 'open', to: 'cancelled', by, why: 'cancel' }, words)
  assert.deepEqual([cancelled('shopper'), cancelled('merchant')], ['The shopper cancelled it', 'The shop cancelled it'])
  assert.equal(
    tellChange({ what: 'checkout', from: 'held', to: 'open', by: 'operator', why: '' }, words),
    words.reopened,
  )
})

test('a state that a newer server tells is shown by its own word', () => {
  assert.equal(tellChange({ what: 'payout', to: 'made', by: 'worker', why: '' }, timelineWords.ja), 'payout: made')
})

test('a checkout that its reusable link has closed was not cancelled by the shop', () => {
  const closed = (why: string): string =>
    tellChange({ what: 'checkout', from: 'open', to: 'cancelled', by: 'merchant', why }, timelineWords.ja)
  assert.equal(closed('link full'), '固定リンクの受付件数が上限に達したため、受付を終了しました')
  assert.equal(closed('cancel'), 'ショップがキャンセルしました')
})

test('a try that was abandoned says that nothing was charged, not that the shopper gave up', () => {
  const told = tellChange({ what: 'attempt', to: 'abandoned', by: 'shopper', why: 'start' }, timelineWords['en-US'])
  assert.equal(told, 'This try ended; nothing was charged')
})
