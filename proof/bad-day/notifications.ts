/**
 * Notifications: whoever knows the HMAC key of one shop sends what is signed and cannot be read, among good notifications of ten
 * shops; and rows that cannot be read stand in the queues of the worker.
 */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECRET_KEY_FILE } from '../../server/config/secret-key.ts'
import { openBenchDatabase } from '../filled-database/bench-database.ts'
import type { Engine } from '../filled-database/copy-checkout.ts'
import { runKaikei } from '../harness/server-process.ts'
import { seededRandom, type SeededRandom } from '../harness/seeded-random.ts'
import { addAdyenShops, type AdyenShop, type Item } from './adyen-shops.ts'
import { until, wait, withAttackedServer, type Attack, type AttackedServer, type Measured } from './attacked-server.ts'

const SHOPS = 10
const GOOD = 200
const HANDLED_WITHIN_MS = 5000

const EVENTS = ['CAPTURE', 'REFUND', 'CHARGEBACK'] as const
const LONG = 'X'.repeat(1001)
const NO_TEXTS = [null, 7, true, {}, [], '', 'a:b', 'A B', '\u0000', '\ud800', '\n', LONG]

const amounts = (): Item[] => {
  const values = [2 ** 53, 2 ** 53 - 1, 1e15, 1e300, 100_000_000, -1, -(2 ** 53), 0.5, '1980', '', null, true, [], {}]
  return [
    ...values.map((value) => ({ amount: { value, currency: 'JPY' } })),
    { amount: { currency: 'JPY' } },
    ...[null, 1980, '1980', []].map((amount) => ({ amount })),
    ...['jpy', 'JPYJ', '', 'J:Y', '\u0000', null, 392].map((currency) => ({ amount: { value: 1980, currency } })),
  ]
}

/** As deep as 8 kB hold: whoever writes it as JSON by recursion ends. */
const nested = (): unknown => JSON.parse('['.repeat(4000) + ']'.repeat(4000))

/** A hundred kinds: each is an item that somebody signs, and that says nothing that can be read. */
const kinds = (): readonly Item[] => {
  const ofAmounts = EVENTS.flatMap((eventCode) => amounts().map((more) => ({ eventCode, ...more })))
  const others = [
    { amount: { value: 2 ** 53, currency: 'JPY' }, reason: nested() },
    { amount: { value: 2 ** 53, currency: 'JPY' }, eventDate: nested() },
    { amount: nested() },
    { pspReference: nested() },
    ...NO_TEXTS.map((pspReference) => ({ pspReference })),
    ...[null, 7, {}, 'a:b', '\u0000', LONG].map((originalReference) => ({ originalReference })),
    ...[null, 7, {}, [], LONG].map((merchantReference) => ({ merchantReference })),
    ...[null, 7, '', 'capture', 'CAPTURE:true', '\u0000', LONG].map((eventCode) => ({ eventCode })),
    ...[null, 0, 1, '', 'TRUE', 'yes', {}].map((success) => ({ success })),
  ]
  return [...others, ...ofAmounts].slice(0, 100)
}

interface Sent {
  readonly shop: AdyenShop
  readonly item: Item
  readonly isGood: boolean
}

const shuffled = (sent: readonly Sent[], random: SeededRandom): Sent[] =>
  sent
    .map((each) => ({ each, at: random.fraction() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ each }) => each)

const namedOnce = (lines: readonly string[]): number => {
  const alarms = lines.filter((line) => line.includes('"alarm"') && line.includes('set aside'))
  const names = alarms.map((line) => /"code":"([^"]+)"/.exec(line)?.[1] ?? '')
  return new Set(names).size === names.length ? names.length : -1
}

const HANDLED_IN_TIME = `handled_at IS NOT NULL AND handled_at - received_at <= ${HANDLED_WITHIN_MS}`

/** Of good ones alone: until this step some of the others were stored beside them. */
const goodInTime = (server: AttackedServer, good: readonly Sent[]): Promise<number> => {
  const references = good.map(({ item }) => `'${String(item['pspReference'])}'`).join(', ')
  return server.count(
    `SELECT count(*) AS n FROM acquirer_notifications WHERE psp_reference IN (${references}) AND ${HANDLED_IN_TIME}`,
  )
}

const malformedAmongGood = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, async (server) => {
    const shops = await addAdyenShops(
      server,
      Array.from({ length: SHOPS }, (_none, nth) => `adyen${nth}`),
    )
    const sent = (isGood: boolean, more: Item, nth: number): Sent[] =>
      shops.slice(nth % SHOPS, (nth % SHOPS) + 1).map((shop) => ({ shop, item: shop.item(more), isGood }))
    const bad = kinds().flatMap((more, nth) => sent(false, more, nth))
    const good = Array.from({ length: GOOD }, (_none, nth) => sent(true, {}, nth)).flat()
    const refused = { good: 0, bad: 0 }
    for (const { shop, item, isGood } of shuffled([...bad, ...good], seededRandom(1)))
      if ((await shop.notify([item])).status !== 200) refused[isGood ? 'good' : 'bad'] += 1
    await until(2 * HANDLED_WITHIN_MS, async () => (await goodInTime(server, good)) === GOOD)
    // The same once more names nothing twice, and what is not signed may be another then.
    for (const { shop, item } of bad) await shop.notify([{ ...item, reason: 'again', eventDate: 'again' }])
    await wait(1000)
    report(`${engine}: ${refused.good} good and ${refused.bad} bad ones were not accepted`)
    return {
      [`${engine}: good notifications of ${GOOD} handled within 5 s`]: await goodInTime(server, good),
      [`${engine}: malformed notifications of 100 named once`]: namedOnce(server.logLines),
      [`${engine}: backups with an amount of 2^53 restored`]: await backedUp(server, report),
    }
  })

/** As a server of the release before has stored it. */
const OLD_AMOUNT = `INSERT INTO acquirer_notifications (merchant_id, mode, id, event, success, amount_yen, psp_reference,
  occurred_at, received_at, handled_at)
  SELECT id, 'test', 'OLD', 'CAPTURE', 1, 9007199254740992, 'OLD', 0, 0, 0 FROM merchants WHERE label = 'adyen0'`

/** A backup with such a row, restored into an empty database of the same engine. */
const backedUp = async (server: AttackedServer, report: (line: string) => void): Promise<number> => {
  await server.sql((each) => each.rows(OLD_AMOUNT))
  const scratch = await openBenchDatabase(server.engine, {})
  const file = join(scratch.dataDir, 'x.backup')
  const at = (dataDir: string, url: string | null) => ({
    DATA_DIR: dataDir,
    ...(url === null ? {} : { DATABASE_URL: url }),
  })
  try {
    await copyFile(join(server.dataDir, SECRET_KEY_FILE), join(scratch.dataDir, SECRET_KEY_FILE))
    await runKaikei(['backup', file], at(server.dataDir, server.databaseUrl))
    await runKaikei(['restore', file], at(scratch.dataDir, scratch.url))
    return 1
  } catch (error) {
    report(`${server.engine}: ${String(error).slice(0, 300)}`)
    return 0
  } finally {
    await scratch.remove()
  }
}

export const notifications: readonly Attack[] = [
  { name: 'malformed ones among good ones on SQLite', run: (report) => malformedAmongGood('SQLite', report) },
  { name: 'malformed ones among good ones on PostgreSQL', run: (report) => malformedAmongGood('PostgreSQL', report) },
]
