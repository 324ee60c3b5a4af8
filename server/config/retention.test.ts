import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { RETENTION } from '#payment/retention.ts'
import { Problem } from './readers.ts'
import { readRetention } from './retention.ts'

test('without settings everything is kept as long as the defaults say', () => {
  assert.deepEqual(readRetention({}), RETENTION)
  assert.equal(RETENTION.addressesMs, 540 * DAY_MS)
})

test('each time has a shortest and a longest, in whole days', () => {
  for (const [name, from] of [
    ['KEEP_DELIVERIES_DAYS', 7],
    ['KEEP_EVENTS_DAYS', 30],
    ['KEEP_MAILS_DAYS', 4],
    ['KEEP_ADDRESSES_DAYS', 190],
  ] as const) {
    const with90 = (days: number | string) => readRetention({ KEEP_EVENTS_DAYS: '3650', [name]: String(days) })
    for (const days of [from, 3650]) assert.doesNotThrow(() => with90(days), `${name} ${days}`)
    for (const days of [from - 1, 3651, 7.5, 'x']) assert.throws(() => with90(days), Problem, `${name} ${days}`)
  }
})

test('an event is kept as long as its deliveries', () => {
  assert.throws(() => readRetention({ KEEP_EVENTS_DAYS: '40', KEEP_DELIVERIES_DAYS: '41' }), /KEEP_EVENTS_DAYS is 40/)
  assert.equal(readRetention({ KEEP_EVENTS_DAYS: '40', KEEP_DELIVERIES_DAYS: '40' }).eventsMs, 40 * DAY_MS)
})
