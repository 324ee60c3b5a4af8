import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { played } from './played.ts'
import type { PlayName } from './plays.ts'
import type { Report } from './simulate.ts'
import { sumOf, type Sum } from './sum.ts'

const RACES = 1000
const AT_ONCE = 20

const run = async (t: TestContext, play: PlayName): Promise<Sum> => {
  const reports: Report[] = []
  for (let seed = 1; seed <= RACES / AT_ONCE; seed += 1)
    reports.push(await played({ play, seed, checkouts: AT_ONCE, crashAt: null }))
  const sum = sumOf(reports)
  t.diagnostic(`${sum.checkouts} races, ${sum.crashes} crashes, ended ${JSON.stringify(sum.endings)}`)
  return sum
}

/** A race that one side always wins is none. */
const assertBothWin = ({ endings }: Sum, ...statuses: readonly string[]): void => {
  for (const status of statuses) assert.ok((endings[status] ?? 0) > RACES / 20, `too few ended ${status}`)
}

describe('two at once, a thousand races of each kind in fifty simulated schedules', () => {
  test('two tabs that both pay are charged once, and both are told that it is paid', async (t) => {
    const { charges, endings } = await run(t, 'two-tabs')
    assert.equal(charges, RACES)
    assert.deepEqual(endings, { paid: RACES })
  })

  test('a payment against a cancel ends paid or cancelled, never both', async (t) => {
    const sum = await run(t, 'pay-against-cancel')
    assert.equal(sum.charges, sum.endings['paid'])
    assertBothWin(sum, 'paid', 'cancelled')
  })

  test('a payment against the deadline ends paid or expired, and one that was claimed in time is honoured', async (t) => {
    const sum = await run(t, 'pay-against-deadline')
    assert.equal(sum.charges, sum.endings['paid'])
    assertBothWin(sum, 'paid', 'expired')
  })

  test('refunds against each other never give back more than was paid', async (t) => {
    const sum = await run(t, 'refund-against-refund')
    assert.ok(sum.refunds > RACES / 2)
    assertBothWin(sum, 'paid', 'refunded')
  })
})
