/** Clocks: a machine whose wall clock jumps two years ahead or a day back, and one that was off for a month. */
import {
  alarms,
  countPaid,
  until,
  wait,
  withAttackedServer,
  type Attack,
  type AttackedServer,
  type Measured,
} from './attacked-server.ts'
import { stoppedFor, withShiftableClock } from './shiftable-clock.ts'

const OPEN_LINKS = 5
const PAYMENTS = 3
/** Longer than a round of forgetting what is old. */
const SHIFTED_MS = 65_000
const SEEN_WITHIN_MS = 30_000

/** What a wrong clock could end or forget: each row by its name, `x`. */
const KEPT: Readonly<Record<string, string>> = {
  links: "SELECT id AS x FROM checkouts WHERE status = 'open'",
  events: 'SELECT id AS x FROM events',
  mails: 'SELECT id AS x FROM mails WHERE recipient IS NOT NULL',
  'idempotency keys': 'SELECT key_hash AS x FROM idempotency_keys',
  addresses: 'SELECT id AS x FROM checkouts WHERE shopper_email IS NOT NULL',
}

const kept = (server: AttackedServer): Promise<Readonly<Record<string, readonly string[]>>> =>
  server.sql(async (each) => {
    const found: Record<string, string[]> = {}
    for (const [name, statement] of Object.entries(KEPT))
      found[name] = (await each.rows(statement)).map((row) => String(row['x']))
    return found
  })

const jump = (by: string, name: string, report: (line: string) => void): Promise<Measured> =>
  withShiftableClock((clock) =>
    withAttackedServer({ more: clock.env }, async (server) => {
      const shop = server.shop()
      await countPaid(server.shop(), PAYMENTS, report)
      for (let each = 0; each < OPEN_LINKS; each += 1)
        await shop.merchant('POST', '/checkouts', { amount: 1980 }, { headers: { 'idempotency-key': `link-${each}` } })
      const before = await kept(server)
      await clock.shift(by)
      const began = performance.now()
      const isSeen = await until(SEEN_WITHIN_MS, async () => alarms(server.logLines, /clock/) > 0)
      const seenMs = performance.now() - began
      const paidMeanwhile = await countPaid(server.shop(), PAYMENTS, report)
      await wait(Math.max(0, SHIFTED_MS - (performance.now() - began)))
      await clock.shift('+0')
      await wait(3000)
      const after = await kept(server)
      const lost = Object.entries(before).map(([what, rows]) => {
        const gone = rows.filter((row) => after[what]?.includes(row) !== true).length
        report(`${name}: ${gone} of ${rows.length} ${what} lost`)
        return gone
      })
      return {
        [`${name}: lost`]: lost.reduce((sum, gone) => sum + gone, 0),
        [`${name}: payments of 3 paid meanwhile`]: paidMeanwhile,
        [`${name}: payments of 3 paid afterwards`]: await countPaid(server.shop(), PAYMENTS, report),
        [`${name}: seconds until an alarm`]: (isSeen ? seenMs : SEEN_WITHIN_MS) / 1000,
      }
    }),
  )

const monthOff = (report: (line: string) => void): Promise<Measured> =>
  stoppedFor(
    '+31d',
    (server) => countPaid(server.shop(), PAYMENTS, report),
    async (server) => {
      const paid = await countPaid(server.shop(), PAYMENTS, report)
      await wait(15_000)
      return {
        'a month off: payments of 3 paid afterwards': paid,
        'a month off: alarms': alarms(server.logLines, /./),
      }
    },
  )

/** Beside each other: each of them mostly waits. */
const wrongClocks = async (report: (line: string) => void): Promise<Measured> => {
  const [ahead, back, off] = await Promise.all([
    jump('+2y', 'clock two years ahead', report),
    jump('-1d', 'clock a day back', report),
    monthOff(report),
  ])
  return { ...ahead, ...back, ...off }
}

export const clocks: readonly Attack[] = [{ name: 'wrong clocks', run: wrongClocks }]
