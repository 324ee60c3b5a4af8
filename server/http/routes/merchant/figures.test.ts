import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { FIGURE_COLUMNS, FiguresAnswer, REPORTED_BRANDS } from '#contract/merchant/figures.ts'
import { jstDate } from '#contract/jst.ts'
import { openSqliteInMemory } from '../../../../proof/harness/databases.ts'
import { assertInvalidField } from '../../../../proof/harness/error-answers.ts'
import { openMerchantClient } from '../../../../proof/harness/merchant-client.ts'
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
