import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { createGuardedClock, type GuardedClock } from '../operations/clock/guarded-clock.ts'
import type { SecondClock } from '../operations/clock/confirm-clock.ts'
import type { Database } from '../store/engine/database.ts'
import { integer } from '../store/engine/columns.ts'
import { confirmTime } from '../store/engine/heartbeat.ts'
import { readAfterInquiry } from '../operations/read-checkout.ts'
import { createClockWatch } from './clock-watch.ts'
import type { Mailer } from './mail/mailer.ts'
import { withMetrics } from './metrics.ts'
import { workOnce } from './worker.ts'

const NOW = Date.parse('2026-11-17T03:00:00Z')
const HOUR_MS = 3_600_000
const YEAR_MS = 365 * DAY_MS
const ASK_INTERVAL_MS = 10_000

interface Machine {
  readonly clock: GuardedClock
  /** Time passes. */
  pass(ms: number): void
  /** Somebody sets the clock. */
  shift(ms: number): void
  readonly elapsed: () => number
}

const startMachine = (newestStored: number | null, shifted = 0): Machine => {
  let [passedMs, shiftMs] = [0, shifted]
  const elapsed = (): number => passedMs
  const machine = { now: () => NOW + passedMs + shiftMs, sleep: async (ms: number) => void (passedMs += ms) }
  return {
    clock: createGuardedClock(machine, elapsed, newestStored),
    elapsed,
    pass: (ms) => void (passedMs += ms),
    shift: (ms) => void (shiftMs += ms),
  }
}

interface World extends Machine {
  readonly server: TestServer
  /** How many mails. */
  readonly sent: () => number
  readonly said: string[]
  look(): Promise<void>
  work(): Promise<void>
  paysNow(): Promise<number>
  statusOf(id: string): Promise<unknown>
  /** Rows that a wrong time would delete or empty. */
  kept(): Promise<{ readonly events: number; readonly mails: number }>
}

const countOf = async ({ rows }: Pick<Database, 'rows'>, what: string): Promise<number> =>
  integer((await rows(`SELECT COUNT(*) AS total FROM ${what}`))[0] ?? {}, 'total')

const openWorld = async (
  database: Database,
  machine: Machine,
  secondClocks: readonly SecondClock[] = [],
): Promise<World> => {
  const { clock, pass, elapsed } = machine
  const server = await openTestServer({
    gateway: fakeGateway(),
    database,
    clock: { now: clock.now, sleep: clock.sleep, advance: pass },
    clockCheck: clock,
  })
  let sent = 0
  const mailer: Mailer = {
    isSandbox: true,
    send: async () => {
      sent += 1
      return { outcome: 'sent', answer: '250 ok' }
    },
  }
  const said: string[] = []
  const log = {
    ...server.deps.log,
    alarm: (event: string) => void said.push(`alarm: ${event}`),
    info: (event: string) => void said.push(`info: ${event}`),
  }
  return {
    ...machine,
    server,
    sent: () => sent,
    said,
    look: createClockWatch({ clock, secondClocks, database, log, elapsed }),
    work: () => workOnce(server.deps, mailer),
    paysNow: async () => {
      const id = await server.createCheckout()
      return (await server.pay(id, await server.startAttempt(id))).statusCode
    },
    statusOf: async (id) => (await server.readCheckout(id)).json<{ status: string }>().status,
    kept: async () => ({
      events: await countOf(database, 'events'),
      mails: await countOf(database, 'mails WHERE recipient IS NOT NULL'),
    }),
  }
}

const inAnHour = ({ clock }: Machine): string => new Date(clock.now() + HOUR_MS).toISOString()

describe('a clock that jumps', () => {
  onBothDatabases(({ open, name }) => {
    for (const [what, shiftMs] of Object.entries({ 'two years ahead': 2 * YEAR_MS, 'a day back': -DAY_MS }))
      test(`${what} for one round expires, deletes and mails nothing; payments go on by the right time`, async () => {
        const machine = startMachine(NOW)
        const world = await openWorld(await open(), machine)
        const { server, sent, said, look, work, paysNow, statusOf, kept, pass, shift } = world
        const link = await server.createCheckout({ validUntil: inAnHour(machine) })
        assert.equal(await paysNow(), 200)
        await look()
        await work()
        assert.deepEqual([said, sent()], [[], 1])
        const before = await kept()

        shift(shiftMs)
        assert.equal(await paysNow(), 200)
        await work()
        await look()
        assert.deepEqual([said, sent()], [['alarm: the clock is not confirmed'], 1])
        assert.equal(await statusOf(link), 'open')
        assert.deepEqual(await kept(), { events: before.events + 1, mails: before.mails + 1 })
        const [paid = {}] = await server.deps.database.rows('SELECT MAX(booked_at) AS newest FROM ledger_lines')
        assert.ok(Number(paid['newest']) <= NOW)
        const metrics = await withMetrics(server.deps).scrape()
        assert.match(metrics, /^kaikei_clock_confirmed 0$/m)
        assert.ok(metrics.includes(`\nkaikei_clock_difference_seconds ${shiftMs / 1000}\n`))

        shift(-shiftMs)
        pass(1000)
        await look()
        await work()
        assert.deepEqual([said.slice(1), sent()], [['info: the clock is confirmed'], 2])
      })

    test('and stays there: the alarm is repeated, and an operator confirms the new time from beside', async () => {
      const machine = startMachine(NOW)
      const { server, said, look, work, paysNow, statusOf, pass, shift, clock } = await openWorld(await open(), machine)
      const link = await server.createCheckout({ validUntil: inAnHour(machine) })
      shift(2 * YEAR_MS)
      for (let minute = 0; minute <= 5; minute += 1) {
        await look()
        await work()
        assert.equal(await paysNow(), 200)
        pass(60_000)
      }
      await look()
      assert.deepEqual(said, ['alarm: the clock is not confirmed', 'alarm: the clock is not confirmed'])
      assert.equal(await statusOf(link), 'open')
      await confirmTime(server.deps.database, clock.wall())
      pass(ASK_INTERVAL_MS)
      await look()
      assert.equal(said.at(-1), 'info: the clock is confirmed')
      await work()
      assert.deepEqual([await statusOf(link), clock.now()], ['expired', clock.wall()])
    })

    // One engine shows the rest: it asks the same statements again.
    if (name === 'PostgreSQL') return

    test('an operator who has confirmed another time confirms nothing', async () => {
      const machine = startMachine(NOW)
      const { server, look, clock, shift } = await openWorld(await open(), machine)
      await confirmTime(server.deps.database, NOW)
      shift(2 * YEAR_MS)
      await look()
      assert.equal(clock.isConfirmed(), false)
    })

    test('a server that was off for a month starts with the right time where the acquirer says the same', async () => {
      const machine = startMachine(NOW - 30 * DAY_MS)
      const world = await openWorld(await open(), machine, [async () => NOW])
      await world.look()
      assert.deepEqual([world.said, world.clock.isConfirmed(), world.clock.now()], [[], true, NOW])
    })

    const CLOCKS: Readonly<Record<string, readonly SecondClock[]>> = {
      'there is nobody to ask': [],
      'nobody answers': [async () => null, async () => null],
      'the acquirer says the stored time': [async () => NOW - 30 * DAY_MS],
      'the acquirer is far from both': [async () => NOW - 9 * YEAR_MS],
      'one second clock says the same and another the stored time': [async () => NOW, async () => NOW - 30 * DAY_MS],
    }
    for (const [what, secondClocks] of Object.entries(CLOCKS))
      test(`a server that was off for a month goes on from the newest stored time where ${what}`, async () => {
        const machine = startMachine(NOW - 30 * DAY_MS)
        const { said, look, work, paysNow, statusOf, server, clock } = await openWorld(
          await open(),
          machine,
          secondClocks,
        )
        await look()
        const link = await server.createCheckout({ validUntil: inAnHour(machine) })
        await work()
        assert.deepEqual([said, clock.isConfirmed()], [['alarm: the clock is not confirmed'], false])
        assert.deepEqual([await paysNow(), await statusOf(link)], [200, 'open'])
      })

    test('where the newest stored time itself is two years ahead nothing expires, is deleted or is mailed by it', async () => {
      const database = await open()
      const before = startMachine(NOW)
      const { server, kept, statusOf, paysNow } = await openWorld(database, before)
      const link = await server.createCheckout({ validUntil: inAnHour(before) })
      assert.equal(await paysNow(), 200)
      const rows = await kept()

      const { clock } = startMachine(NOW + 2 * YEAR_MS)
      const deps = { ...server.deps, clock, clockCheck: clock }
      await workOnce(deps, { isSandbox: true, send: async () => assert.fail('a mail was sent') })
      const reading = await readAfterInquiry(deps, { merchantId: TEA_MERCHANT.id, checkoutId: link })
      assert.equal(reading?.checkout.state.status, 'open')
      assert.deepEqual([clock.isConfirmed(), await kept()], [false, rows])

      let sent = 0
      clock.follow()
      await workOnce(deps, { isSandbox: true, send: async () => ({ outcome: 'sent', answer: String((sent += 1)) }) })
      assert.deepEqual([sent, await statusOf(link)], [1, 'open'])
    })
  })
})
