import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLinkLimiter, OPENED_PER_LINK, OPENED_PER_NETWORK, type CountOpened } from './link-limits.ts'

const limiterAt = (): { readonly count: CountOpened; readonly time: { now: number } } => {
  const time = { now: 1_000_000 }
  return { count: createLinkLimiter(() => time.now), time }
}

test('of a thousand checkouts that one network asks for at once thirty are opened, and later one every two seconds', () => {
  const { count, time } = limiterAt()
  const asked = (): number =>
    Array.from({ length: 1000 }, (_, at) => count({ network: '192.0.2.1', linkId: `l${at % 7}` })).filter(
      (wait) => wait === 0,
    ).length
  assert.equal(asked(), OPENED_PER_NETWORK.burst)
  assert.equal(count({ network: '192.0.2.1', linkId: 'l0' }), 2)
  time.now += 10_000
  assert.equal(asked(), 5)
  assert.equal(count({ network: '192.0.2.2', linkId: 'l0' }), 0, 'another network does not wait')
})

test('of one link no more checkouts are opened than its limit, however many networks ask', () => {
  const { count, time } = limiterAt()
  const asked = (): number =>
    Array.from({ length: 1000 }, (_, at) => count({ network: `n${at}`, linkId: 'popular' })).filter(
      (wait) => wait === 0,
    ).length
  assert.equal(asked(), OPENED_PER_LINK.burst)
  assert.equal(count({ network: 'another', linkId: 'quiet' }), 0, 'another link is open')
  time.now += 2000
  assert.equal(asked(), 2 * OPENED_PER_LINK.perSecond)
})
