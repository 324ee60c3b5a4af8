import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLinkLimiter, KEPT_PER_LINK, STORED_PER_LINK, STORED_PER_NETWORK } from './link-limits.ts'

interface Visit {
  readonly network: string
  readonly linkId: string
}
type CountStored = (visit: Visit) => number

const limiterAt = () => {
  const time = { now: 1_000_000 }
  const limiter = createLinkLimiter(() => time.now)
  return { limiter, count: (visit: Visit): number => limiter(visit).waitSeconds, time }
}

/** How many of so many are stored, each from the network that `of` names. */
const storedOf = (count: CountStored, times: number, of: (at: number) => string, linkId = 'busy'): number =>
  Array.from({ length: times }, (_none, at) => count({ network: of(at), linkId })).filter((wait) => wait === 0).length

test('of a thousand checkouts that one network has stored at once thirty are stored, and later one every two seconds', () => {
  const { count, time } = limiterAt()
  const asked = (): number =>
    Array.from({ length: 1000 }, (_, at) => count({ network: '192.0.2.1', linkId: `l${at % 7}` })).filter(
      (wait) => wait === 0,
    ).length
  assert.equal(asked(), STORED_PER_NETWORK.burst)
  assert.equal(count({ network: '192.0.2.1', linkId: 'l0' }), 2)
  time.now += 10_000
  assert.equal(asked(), 5)
  assert.equal(count({ network: '192.0.2.2', linkId: 'l0' }), 0, 'another network does not wait')
})

test('of one link no more checkouts are stored than its budget and what is kept of it, however many networks ask', () => {
  const { count, time } = limiterAt()
  let networks = 0
  const asked = (): number => storedOf(count, 1000, () => `n${(networks += 1)}`)
  assert.equal(asked(), STORED_PER_LINK.burst + KEPT_PER_LINK.burst)
  assert.equal(count({ network: 'another', linkId: 'quiet' }), 0, 'another link is open')
  time.now += 2000
  assert.equal(asked(), 2 * (STORED_PER_LINK.perSecond + KEPT_PER_LINK.perSecond))
})

test('what is kept of a link’s budget is not given to networks that have stored something by it in the last ten minutes', () => {
  const { count, time } = limiterAt()
  const bots = (at: number): string => `bot ${at % 20}`
  assert.equal(storedOf(count, 20 * STORED_PER_NETWORK.burst, bots), STORED_PER_LINK.burst)
  assert.equal(
    storedOf(count, KEPT_PER_LINK.burst, (at) => `visitor ${at}`),
    KEPT_PER_LINK.burst,
  )
  time.now += 599_000
  storedOf(count, 2000, bots)
  assert.ok(count({ network: bots(0), linkId: 'busy' }) > 0)
  assert.equal(count({ network: 'a visitor who comes late', linkId: 'busy' }), 0)
})

test('a network that has stored something is new again after ten minutes, and at another link it is new', () => {
  const { count, time } = limiterAt()
  assert.equal(count({ network: 'bot 0', linkId: 'busy' }), 0)
  const drain = (): number => storedOf(count, 2000, (at) => `other ${at % 40}`)
  drain()
  assert.ok(count({ network: 'bot 0', linkId: 'busy' }) > 0)
  time.now += 600_000
  // By networks that are known: nothing of what is kept is taken.
  assert.equal(
    storedOf(count, STORED_PER_LINK.burst, (at) => `known ${at % 10}`),
    STORED_PER_LINK.burst,
  )
  assert.equal(count({ network: 'bot 0', linkId: 'busy' }), 0)
  assert.ok(count({ network: 'bot 0', linkId: 'busy' }) > 0)
})

test('of IPv6 a /56 counts as three networks and a /48 as ten, at all links and in what is kept', () => {
  const hex = (value: number): string => value.toString(16)
  const household = (at: number): string => `2001:db8:1:1${hex(at % 256).padStart(2, '0')}::/64`
  const site = (at: number): string => `2001:db8:2:${hex(at * 256)}::/64`
  const elsewhere = (at: number): string => `2001:db8:${hex(3 + at)}:0::/64`
  const links = limiterAt().count
  const inTurn = (of: (at: number) => string): number =>
    Array.from({ length: 1000 }, (_none, at) => links({ network: of(at % 200), linkId: `l${at}` })).filter(
      (wait) => wait === 0,
    ).length
  assert.equal(inTurn(household), 3 * STORED_PER_NETWORK.burst)
  assert.equal(inTurn(site), 10 * STORED_PER_NETWORK.burst)
  assert.equal(inTurn(elsewhere), 1000)
  const { count } = limiterAt()
  storedOf(count, 2000, (at) => `bot ${at % 40}`)
  assert.equal(storedOf(count, 100, household), 3)
  assert.equal(storedOf(count, 100, site), 10)
  assert.equal(storedOf(count, 20, elsewhere), 20)
})

test('a first card that stored nothing takes nothing: of its network, of its link, of what is kept for new networks', () => {
  const { limiter, count } = limiterAt()
  const refused = (network: string): void => limiter({ network, linkId: 'busy' }).giveBack()
  for (let card = 0; card < 5000; card += 1) refused(`n${card % 3}`)
  assert.equal(
    storedOf(count, 1000, () => 'n0'),
    STORED_PER_NETWORK.burst,
  )
  assert.equal(
    storedOf(count, 1000, (at) => `other ${at % 40}`),
    STORED_PER_LINK.burst - STORED_PER_NETWORK.burst,
  )
  for (let card = 0; card < 5000; card += 1) refused('n1')
  assert.equal(count({ network: 'n1', linkId: 'busy' }), 0, 'it is new')
})

test('a network that is refused by a busy link alone keeps what it may store by others', () => {
  const { count } = limiterAt()
  storedOf(count, 5000, (at) => `other ${at}`)
  assert.equal(
    storedOf(count, 1000, () => 'visitor'),
    0,
  )
  assert.equal(
    storedOf(count, 1000, () => 'visitor', 'quiet'),
    STORED_PER_NETWORK.burst,
  )
})

test('what is kept of a link is not kept anew because thousands of networks store something by other links', () => {
  const { count } = limiterAt()
  let networks = 0
  const drain = (linkId: string): number => storedOf(count, 1000, () => `n${(networks += 1)}`, linkId)
  assert.equal(drain('busy'), STORED_PER_LINK.burst + KEPT_PER_LINK.burst)
  for (let link = 0; link < 60; link += 1) drain(`l${link}`)
  assert.equal(drain('busy'), 0)
})
