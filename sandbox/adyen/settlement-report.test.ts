import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import { MERCHANT_ACCOUNT, pspReferenceOf, REPORT_KEY, serveAdyen, withCard } from '../testing/adyen.ts'

const merchantAccount = MERCHANT_ACCOUNT

/** Lines by column; no value of these tests needs quotes. */
const linesOf = (text: string): Map<string, string>[] => {
  const [header = '', ...lines] = text.trimEnd().split('\n')
  const columns = header.split(',')
  return lines.map((line) => new Map(line.split(',').map((value, index) => [columns[index] ?? '', value])))
}

const moneyOf = (line: Map<string, string>): (string | undefined)[] =>
  ['Type', 'Merchant Reference', 'Gross Debit (GC)', 'Gross Credit (GC)'].map((column) => line.get(column))

describe('a settlement report of the double of Adyen', { concurrency: true }, () => {
  test('it has a line for each capture, refund and chargeback of its period, and the payout', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1')
    const capture = pspReferenceOf(await adyen.capture(psp))
    await adyen.control('clock', { advanceMs: 60_000 })
    await adyen.refund(psp, 500)
    await adyen.refund(psp, 9999)
    const disputed = await adyen.authorised('order-2', withCard('5100000000000107'))
    await adyen.capture(disputed)
    await adyen.control('disputes', { event: 'CHARGEBACK', pspReference: disputed })
    await adyen.authorised('order-3')
    const closed = await adyen.control('reports', { merchantAccount })
    const url = `http://127.0.0.1:${adyen.port}/adyen/reports/download/MerchantAccount/${merchantAccount}/settlement_detail_report_batch_1.csv`
    assert.deepEqual(closed.body, { batchNumber: 1, url })
    const { status, text } = await adyen.report(1)
    assert.equal(status, 200)
    const lines = linesOf(text)
    assert.deepEqual(lines.map(moneyOf), [
      ['Settled', 'order-1', '', '1980'],
      ['Refunded', 'order-1', '500', ''],
      ['Settled', 'order-2', '', '1980'],
      ['Chargeback', 'order-2', '1980', ''],
      ['MerchantPayout', '', '', ''],
    ])
    assert.deepEqual(Object.fromEntries(lines[0] ?? []), {
      'Company Account': 'AdyenDouble',
      'Merchant Account': merchantAccount,
      'Psp Reference': psp,
      'Merchant Reference': 'order-1',
      'Payment Method': 'visa',
      'Creation Date': '2026-11-18 12:00:00',
      TimeZone: 'JST',
      Type: 'Settled',
      'Modification Reference': capture,
      'Gross Currency': 'JPY',
      'Gross Debit (GC)': '',
      'Gross Credit (GC)': '1980',
      'Exchange Rate': '1',
      'Net Currency': 'JPY',
      'Net Debit (NC)': '',
      'Net Credit (NC)': '1980',
      'Commission (NC)': '',
      'Markup (NC)': '',
      'Scheme Fees (NC)': '',
      'Interchange (NC)': '',
      'Payment Method Variant': 'visa',
      'Modification Merchant Reference': 'capture-1',
      'Batch Number': '1',
      Reserved4: '',
      Reserved5: '',
      Reserved6: '',
      Reserved7: '',
      Reserved8: '',
      Reserved9: '',
      Reserved10: '',
    })
    assert.equal(lines[1]?.get('Creation Date'), '2026-11-18 12:01:00')
    assert.equal(lines[4]?.get('Net Debit (NC)'), '1480')
    const response = await fetch(url, { headers: { 'X-API-Key': REPORT_KEY } })
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  })

  test('each movement stands in one report, and a report stays as it is', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1')
    await adyen.capture(psp)
    await adyen.control('reports', { merchantAccount })
    const first = await adyen.report(1)
    const refund = pspReferenceOf(await adyen.refund(psp, 500))
    await adyen.control('reports', { merchantAccount })
    assert.deepEqual(linesOf((await adyen.report(2)).text).map(moneyOf)[0], ['Refunded', 'order-1', '500', ''])
    const second = await adyen.report(2)
    await adyen.control('fail', { pspReference: refund })
    await adyen.control('reports', { merchantAccount })
    assert.deepEqual(linesOf((await adyen.report(3)).text).map(moneyOf)[0], ['RefundedReversed', 'order-1', '', '500'])
    await adyen.control('reports', { merchantAccount })
    assert.equal(linesOf((await adyen.report(4)).text).length, 1)
    assert.deepEqual([await adyen.report(1), await adyen.report(2)], [first, second])
  })

  test('a capture or refund that failed before its report is in none, and a settled capture fails no more', async (t) => {
    const adyen = await serveAdyen(t)
    const first = await adyen.authorised('order-1')
    const failed = pspReferenceOf(await adyen.capture(first))
    assert.equal((await adyen.control('fail', { pspReference: failed })).status, 200)
    assert.equal((await adyen.control('fail', { pspReference: failed })).status, 404)
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 0)
    const second = await adyen.authorised('order-2')
    const settled = pspReferenceOf(await adyen.capture(second))
    const refund = pspReferenceOf(await adyen.refund(second, 500))
    await adyen.control('fail', { pspReference: refund })
    assert.equal(field(await adyen.order('order-2'), 'refundedYen'), 0)
    await adyen.control('reports', { merchantAccount })
    assert.deepEqual(
      linesOf((await adyen.report(1)).text)
        .map(moneyOf)
        .slice(0, -1),
      [['Settled', 'order-2', '', '1980']],
    )
    assert.equal((await adyen.control('fail', { pspReference: settled })).status, 409)
    assert.equal(field(await adyen.order('order-2'), 'chargedYen'), 1980)
    assert.equal((await adyen.control('fail', { pspReference: second })).status, 404)
  })

  test('a chargeback needs a captured payment', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1')
    assert.equal((await adyen.control('disputes', { event: 'CHARGEBACK', pspReference: psp })).status, 404)
    await adyen.capture(psp)
    assert.equal(
      (await adyen.control('disputes', { event: 'CHARGEBACK', pspReference: psp, amountYen: 7 })).status,
      200,
    )
    assert.equal(field(await adyen.order('order-1'), 'chargebackYen'), 7)
  })

  test('a dispute has one reference, its events come in turn, and what each moves is a row', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1')
    await adyen.capture(psp)
    const tell = (event: string, pspReference: string) => adyen.control('disputes', { event, pspReference })
    for (const event of ['CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK', 'INFORMATION_SUPPLIED'])
      assert.equal((await tell(event, psp)).status, 409, event)
    const opened = await tell('NOTIFICATION_OF_CHARGEBACK', psp)
    const dispute = String(field(opened.body, 'pspReference'))
    const yen: unknown[] = []
    for (const event of ['CHARGEBACK', 'INFORMATION_SUPPLIED', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK']) {
      const told = await tell(event, dispute)
      assert.deepEqual([told.status, field(told.body, 'pspReference')], [200, dispute], event)
      yen.push(field(await adyen.order('order-1'), 'chargebackYen'))
      if (event === 'CHARGEBACK') await adyen.control('reports', { merchantAccount })
    }
    assert.deepEqual(yen, [1980, 1980, 0, 1980])
    assert.equal((await tell('CHARGEBACK', dispute)).status, 409)
    assert.equal((await tell('CHARGEBACK', 'UNKNOWN')).status, 404)
    assert.equal((await tell('FEE', dispute)).status, 400)
    await adyen.control('reports', { merchantAccount })
    const rows = [...linesOf((await adyen.report(1)).text), ...linesOf((await adyen.report(2)).text)]
    const disputed = rows.filter((line) => line.get('Type')?.includes('hargeback'))
    assert.deepEqual(disputed.map(moneyOf), [
      ['Chargeback', 'order-1', '1980', ''],
      ['ChargebackReversed', 'order-1', '', '1980'],
      ['SecondChargeback', 'order-1', '1980', ''],
    ])
    for (const line of disputed)
      assert.deepEqual([line.get('Modification Reference'), line.get('Modification Merchant Reference')], [dispute, ''])
    const { body } = await tell('CHARGEBACK', psp)
    assert.notEqual(field(body, 'pspReference'), dispute)
  })

  test('a report is for the report user alone, and a batch that is not closed is not found', async (t) => {
    const adyen = await serveAdyen(t)
    await adyen.control('reports', { merchantAccount })
    assert.equal((await adyen.report(1, 'test_key_1')).status, 401)
    assert.equal((await adyen.report(1, `${REPORT_KEY}_no_reports`)).status, 403)
    assert.equal((await adyen.report(2)).status, 404)
    assert.equal((await adyen.report(1)).status, 200)
  })

  test('a reference with a comma or a quote stays one cell', async (t) => {
    const adyen = await serveAdyen(t)
    await adyen.capture(await adyen.authorised('a,"b"'))
    await adyen.control('reports', { merchantAccount })
    assert.match((await adyen.report(1)).text, /,"a,""b""",visa,/)
  })
})
