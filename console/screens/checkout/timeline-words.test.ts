import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHECKOUT_STATUSES } from '#contract/checkout.ts'
import { MAIL_STATES } from '#contract/mail-facts.ts'
import { hasReason, tellChange, timelineWords } from './timeline-words.ts'

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
      const told = states.map((to) => tellChange({ what, id: 'receipt', to, by: 'merchant' }, words))
      assert.equal(new Set(told).size, states.length, what)
      for (const sentence of told) assert.doesNotMatch(sentence, /^\w+: /, sentence)
    }
})

test('who cancelled, and that a closed checkout was opened again, is told', () => {
  const words = timelineWords['en-US']
  const cancelled = (by: string): string => tellChange({ what: 'checkout', from: 'open', to: 'cancelled', by }, words)
  assert.deepEqual([cancelled('shopper'), cancelled('merchant')], ['The shopper cancelled it', 'The shop cancelled it'])
  assert.equal(tellChange({ what: 'checkout', from: 'held', to: 'open', by: 'operator' }, words), words.reopened)
})

test('a state that a newer server tells is shown by its own word', () => {
  assert.equal(tellChange({ what: 'payout', to: 'made', by: 'worker' }, timelineWords.ja), 'payout: made')
})

test('a reason is shown where something was refused', () => {
  const shown = (what: string, to: string): boolean => hasReason({ what, to, by: 'worker' })
  assert.deepEqual(
    [shown('attempt', 'declined'), shown('mail', 'refused'), shown('checkout', 'paid')],
    [true, true, false],
  )
  // A reason that only repeats the state says nothing.
  assert.equal(hasReason({ what: 'attempt', to: 'unknown', by: 'shopper', why: 'unknown' }), false)
})
