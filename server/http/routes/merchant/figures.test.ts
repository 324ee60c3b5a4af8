import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Check } from 'typebox/value'
import { FIGURE_COLUMNS, FiguresAnswer, REPORTED_BRANDS } from '#contract/merchant/figures.ts'
import { jstDate } from '#contract/jst.ts'
import { openSqliteInMemory } from '../../../../proof/harness/databases.ts'
import { assertInvalidField } from '../../../../proof/harness/error-answers.ts'
import { openMerchantClient } from '../../../../proof/harness/merchant-client.ts'
import { addNewShops } from '../../../store/reports/shops-to-sum.ts'
import type { SummaryAnswer } from '#contract/merchant/reports.ts'

test('a shop reads its figures of today as JSON and as CSV, and its money equals the summary', async () => {
  const client = await openMerchantClient(await openSqliteInMemory())
  const { id } = await client.createPaid({ amount: 1980 })
  await client.refund(id, { refundId: 'r', amount: 480 })
  const today = jstDate(client.clock.now())
  const figures = await client.get<FiguresAnswer>(`/figures?from=${today}&to=${today}`)
  assert.ok(Check(FiguresAnswer, figures))
  const { checkouts, cardBrands, ...money } = figures.total
  assert.deepEqual(money, (await client.get<SummaryAnswer>(`/summary?from=${today}&to=${today}`)).total)
  assert.deepEqual([checkouts.begun, checkouts.paid], [1, 1])
  assert.deepEqual(cardBrands, [{ cardBrand: 'visa', charges: 1, chargedAmount: 1980 }])

  const csv = await client.send(`/exports/figures.csv?from=${today}&to=${today}`)
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(csv.headers['content-disposition'], `attachment; filename="figures-${today}-${today}.csv"`)
  const [heading = '', line = '', end] = csv.body.split('\r\n')
  const columns = FIGURE_COLUMNS.length + 2 * REPORTED_BRANDS.length
  assert.ok(heading.startsWith('\uFEFFdate,charges,chargedAmount,'))
  assert.deepEqual([heading.split(',').length, line.split(',').length, end], [columns, columns, ''])
  assert.ok(line.startsWith(`${today},1,1980,1,480,0,0,0,0,1,1,0,0,0,0,1,1980,0,`))
  const japanese = await client.send('/exports/figures.csv?locale=ja_JP')
  assert.match(japanese.body, /^\uFEFF日付,売上件数,売上金額,返金件数,[^\r]*Visa 売上件数,Visa 売上金額,/)
  assertInvalidField(await client.send('/figures?from=2020-01-01&to=2021-06-01'), 'from')
  assertInvalidField(await client.send('/exports/figures.csv?from=2026-02-30'), 'from')
})

test(
  'the figures are read though nobody can note that they were: while its write hangs, and after it failed',
  { timeout: 60_000 },
  async () => {
    const opened = await openSqliteInMemory()
    const writes: PromiseWithResolvers<never>[] = []
    const client = await openMerchantClient({
      ...opened,
      rows: (statement, ...values) => {
        if (!statement.startsWith('UPDATE day_figures_progress SET read_at')) return opened.rows(statement, ...values)
        const write = Promise.withResolvers<never>()
        writes.push(write)
        return write.promise
      },
    })
    await addNewShops(opened)
    const read = () => client.get<FiguresAnswer>('/figures')
    await read()
    while (writes.length === 0) await nextTurn()
    // It hangs: the next reading sends no other one.
    await read()
    assert.equal(writes.length, 1)
    writes[0]?.reject(new Error('the disk is full'))
    while (writes.length === 1) await read()
    assert.equal(writes.length, 2)
  },
)
