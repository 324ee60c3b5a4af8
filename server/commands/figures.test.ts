import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, jstDate, startOfJstDay } from '#contract/jst.ts'
import { besideServer, type BesideServer } from '../../proof/harness/beside-server.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { sumShop } from '../background/sum-day-figures.ts'
import { systemClock, systemRandom } from '../dependencies.ts'
import type { Database } from '../store/engine/database.ts'
import { beginDay, claimSumming } from '../store/reports/day-figure-progress.ts'
import { addNewShops } from '../store/reports/shops-to-sum.ts'

const LONG_AGO = Date.parse('2026-03-01T12:00:00+09:00')

besideServer('the commands about figures of days, beside a running server', (whenOpen) => {
  let env: BesideServer['env']
  let database: Database
  whenOpen((opened) => {
    ;({ database, env } = opened)
  })
  const check = () => runCommand(['figures', 'check', '--merchant', 'tea'], env)
  const tea = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const

  test('a row that is wrong is found, and mended by summing its day again', async () => {
    const booked = (entry: string, at: number) =>
      database.rows(
        `INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
         VALUES ($1, $2, 'acquirer', 'c', 100, $3, 'test')`,
        tea.merchantId,
        entry,
        at,
      )
    await booked('charge a', LONG_AGO)
    await booked('charge b', LONG_AGO + DAY_MS)
    await addNewShops(database)
    await sumShop({ database, clock: systemClock, random: systemRandom }, tea)
    assert.deepEqual((await check()).printed, ['2 days compared, 0 wrong.'])
    // Written by nobody who marks the day.
    await booked('charge c', LONG_AGO)
    const found = await check()
    assert.equal(found.code, 1)
    assert.match(found.printed.join('\n'), /^2026-03-01 of \S+ \(test\): charges, chargedYen, unknown differ from/)
    const day = jstDate(LONG_AGO + DAY_MS)
    await runCommand(['figures', 'rebuild', '--merchant', 'tea', '--from', day], env)
    assert.equal((await check()).code, 1, 'another day is none of these')
    const rebuilt = await runCommand(['figures', 'rebuild', '--to', jstDate(LONG_AGO)], env)
    assert.deepEqual(rebuilt.printed, ['The figures of 1 day are summed again.'])
    assert.deepEqual((await check()).printed, ['2 days compared, 0 wrong.'])
  })

  test('a rebuild waits for a day that a worker has begun and left half done, and sums it', async () => {
    const day = startOfJstDay(LONG_AGO)
    // Its lease ends in a second.
    const claimedAt = Date.now() - 599_000
    const dying = (await claimSumming(database, tea, 'dying', claimedAt)) ?? assert.fail()
    await database.rows('UPDATE day_figures SET charged_yen = 1 WHERE day = $1', day)
    await beginDay(database, dying, day, claimedAt)
    assert.deepEqual((await check()).printed, [
      '2 days compared, 0 wrong; 1 day will be summed again, because something came late.',
    ])
    // Of a range without that day: otherwise its mark would be there when the command looks.
    await runCommand(['figures', 'rebuild', '--merchant', 'tea', '--to', '2026-01-01'], env)
    assert.deepEqual((await check()).printed, ['2 days compared, 0 wrong.'])
  })

  test('a day that is none, and a shop that is none, are named', async () => {
    const noDay = await runCommand(['figures', 'check', '--from', 'yesterday'], env)
    assert.match(noDay.errors.join(), /--from is no day: give one such as 2026-11-01/)
    const turned = await runCommand(['figures', 'rebuild', '--from', '2026-11-02', '--to', '2026-11-01'], env)
    assert.match(turned.errors.join(), /--from is after --to/)
    const noShop = await runCommand(['figures', 'check', '--merchant', 'nobody'], env)
    assert.match(noShop.errors.join(), /There is no merchant "nobody"/)
  })
})
