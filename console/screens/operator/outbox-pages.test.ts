import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutboxItemAnswer } from '#contract/console/operator.ts'
import { joinPages, keyOf } from './outbox-pages.ts'

const delivery = (id: string, webhookId: string, tries: number): OutboxItemAnswer => ({
  kind: 'delivery',
  shop: 'tea',
  id,
  webhookId,
  type: 'checkout.paid',
  state: 'pending',
  since: '2026-11-18T12:00:00.000Z',
  tries,
})

test('a delivery that was tried between two pages and is on both is shown once, as it was read last', () => {
  const [moved, again, other] = [delivery('evt', 'we_a', 1), delivery('evt', 'we_a', 2), delivery('evt', 'we_b', 1)]
  assert.deepEqual(joinPages([{ items: [moved] }, { items: [other, again] }]), [again, other])
  assert.notEqual(keyOf(moved), keyOf(other))
})
