import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Period, Statement } from '#payment/ports.ts'
import { rowsOf } from './csv.ts'
import { readReports, type ReportNotice } from './statement.ts'
import { inboxWith, ORDER } from './testing/adyen-fixtures.ts'

const HEADER =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number'
const PSP = '993617895204576J'

interface RowFields {
  readonly type: string
  readonly debit?: string
  readonly credit?: string
  readonly reference?: string
  readonly modification?: string
  readonly createdAt?: string
  readonly zone?: string
  readonly currency?: string
  readonly account?: string
  readonly psp?: string
}
const row = (fields: RowFields): string =>
  [
    'TeaCompany',
    fields.account ?? 'TeaShopJP',
    fields.psp ?? PSP,
    fields.reference ?? ORDER,
    'visa',
    fields.createdAt ?? '2026-11-10 12:00:00',
    fields.zone ?? 'JST',
    fields.type,
    '993617894906488A',
    fields.currency ?? 'JPY',
    fields.debit ?? '',
    fields.credit ?? '',
    '1,JPY,,,,,,,visaclassic',
    fields.modification ?? '',
    '4',
  ].join(',')
const SETTLED = row({ type: 'Settled', credit: '1980' })
const REFUNDED = row({
  type: 'Refunded',
  debit: '500',
  modification: `r1.${ORDER.slice(0, 15)}`,
  createdAt: '2026-11-11 00:00:00',
})
const PAYOUT =
  'TeaCompany,TeaShopJP,,,,2026-11-12 09:00:00,JST,MerchantPayout,"Payout, batch 4",JPY,1480,,1,JPY,,,,,,,,,4'
const reportOf = (...rows: string[]): string => `${[HEADER, ...rows].join('\r\n')}\r\n`

const ORIGIN = 'https://ca-test.adyen.com'
const fileOf = (batch: number): string => `settlement_detail_report_batch_${batch}.csv`
const told = (batch: number, day: string, more: Partial<ReportNotice> = {}): ReportNotice => ({
  fileName: fileOf(batch),
  address: `${ORIGIN}/reports/download/MerchantAccount/TeaShopJP/${fileOf(batch)}`,
  toldAt: Date.parse(`${day}T00:00:00Z`),
  ...more,
})
const PERIOD: Period = { from: Date.parse('2026-11-10T00:00:00+09:00'), to: Date.parse('2026-11-12T00:00:00+09:00') }

interface Asked {
  readonly reports: readonly ReportNotice[]
  readonly files: Readonly<Record<string, string | Response>>
  readonly after?: string
  readonly period?: Period
  readonly reportApiKey?: string | null
  readonly fetched?: string[]
}
const statement = ({
  reports,
  files,
  after,
  period = PERIOD,
  reportApiKey = 'k',
  fetched = [],
}: Asked): Promise<Statement> =>
  readReports(
    {
      account: { merchantAccount: 'TeaShopJP', reportOrigin: ORIGIN, reportApiKey },
      inbox: inboxWith([], reports),
      fetchReport: async (address) => {
        fetched.push(address.href)
        const file = files[address.pathname.split('/').at(-1) ?? ''] ?? assert.fail('no such file')
        return typeof file === 'string' ? new Response(file) : file
      },
    },
    period,
    after ?? null,
  )
const one = (file: string | Response): Promise<Statement> =>
  statement({ reports: [told(4, '2026-11-13')], files: { [fileOf(4)]: file } })
const whyOf = async (asked: Promise<Statement>): Promise<string> => {
  const answer = await asked
  return answer.outcome === 'unknown' ? answer.why : assert.fail('a page')
}

describe('a statement', () => {
  test('lists what was settled and refunded in the period, with our ids, and nothing else', async () => {
    const before = row({ type: 'Settled', credit: '1', createdAt: '2026-11-09 23:59:59' })
    const after = row({ type: 'Settled', credit: '1', createdAt: '2026-11-12 00:00:00' })
    const fee = 'TeaCompany,TeaShopJP,,,,2026-11-12 09:00:00,JST,Fee,Transaction Fees,,,,,JPY,30,,,,,,,,4'
    const foreign = row({ type: 'Settled', credit: '7', account: 'BookShopJP' })
    assert.deepEqual(await one(reportOf(before, SETTLED, REFUNDED, after, fee, foreign, PAYOUT)), {
      outcome: 'page',
      lines: [
        {
          kind: 'charge',
          orderCode: ORDER,
          reference: PSP,
          amountYen: 1980,
          movedAt: Date.parse('2026-11-10T12:00:00+09:00'),
        },
        {
          kind: 'refund',
          orderCode: ORDER,
          refundId: 'r1',
          amountYen: 500,
          movedAt: Date.parse('2026-11-11T00:00:00+09:00'),
        },
      ],
      completeFrom: Date.parse('2026-11-13T00:00:00Z'),
      completeUntil: PERIOD.to,
      after: null,
    })
  })

  test('lists what disputes took and gave back, each under an id of its own', async () => {
    const disputed = [
      row({ type: 'Chargeback', debit: '1980' }),
      row({ type: 'ChargebackReversed', credit: '1980' }),
      row({ type: 'SecondChargeback', debit: '2480' }),
      row({ type: 'Chargeback', debit: '5', reference: 'INV-7' }),
      row({ type: 'Chargeback', debit: '5', account: 'BookShopJP' }),
    ]
    const page = await one(reportOf(...disputed))
    const at = { orderCode: ORDER, movedAt: Date.parse('2026-11-10T12:00:00+09:00') }
    const id = '993617894906488A'
    assert.deepEqual(page.outcome === 'page' && page.lines, [
      { ...at, kind: 'chargeback', movementId: id, amountYen: 1980 },
      { ...at, kind: 'chargeback_reversal', movementId: `${id}-reversed`, amountYen: 1980 },
      { ...at, kind: 'chargeback', movementId: `${id}-second`, amountYen: 2480 },
      { ...at, kind: 'chargeback', movementId: id, amountYen: 5, orderCode: PSP },
    ])
    const dollars = one(reportOf(row({ type: 'Chargeback', debit: '19', currency: 'USD' })))
    assert.match(await whyOf(dollars), /another currency than yen/)
  })

  test('takes amounts with a decimal point and zeros, times of other zones, and columns in any order', async () => {
    const utc = row({ type: 'Settled', credit: '1980.00', createdAt: '2026-11-10 03:00:00', zone: 'UTC' })
    const page = await one(`\uFEFF${reportOf(utc)}`)
    assert.deepEqual(page, await one(reportOf(SETTLED)))
    const turned = [HEADER, SETTLED].map((line) => line.split(',').toReversed().join(',')).join('\n')
    assert.deepEqual(await one(turned), page)
  })

  test('names a refund that we did not request by Adyen’s id, and a payment of another system by its own reference', async () => {
    const refund = row({ type: 'Refunded', debit: '5', modification: 'by hand' })
    const otherOrder = row({ type: 'Refunded', debit: '5', modification: 'r1.abcdefghijklmno' })
    const other = row({ type: 'Settled', credit: '5', reference: 'INV-7' })
    const odd = row({ type: 'Settled', credit: '5', reference: '4111111111111111' })
    const page = await one(reportOf(refund, otherOrder, other, odd))
    assert.deepEqual(
      page.outcome === 'page' && page.lines.map((line) => (line.kind === 'refund' ? line.refundId : line.orderCode)),
      ['993617894906488A', '993617894906488A', 'INV-7', PSP],
    )
  })

  test('goes through the reports one by one', async () => {
    const reports = [told(3, '2026-11-11'), told(4, '2026-11-13')]
    const files = { [fileOf(3)]: reportOf(SETTLED), [fileOf(4)]: reportOf(REFUNDED) }
    const first = await statement({ reports, files })
    assert.deepEqual(
      [first.outcome === 'page' && first.lines.length, first.outcome === 'page' && first.after],
      [1, fileOf(3)],
    )
    const second = await statement({ reports, files, after: fileOf(3) })
    assert.equal(second.outcome === 'page' && second.after, null)
    assert.equal(await whyOf(statement({ reports, files, after: 'no such report' })), 'a page that does not exist')
  })

  test('of a period that no report reaches yet is unknown, in words', async () => {
    assert.match(await whyOf(statement({ reports: [], files: {} })), /no settlement report since this period began/)
  })

  test('of a period that the reports reach in part says until when it is complete', async () => {
    const page = await statement({ reports: [told(3, '2026-11-11')], files: { [fileOf(3)]: reportOf(SETTLED) } })
    assert.equal(page.outcome === 'page' && page.completeUntil, Date.parse('2026-11-11T00:00:00Z'))
  })

  test('reads a batch of which Adyen never told beside the next one, also where a restore has lost several', async () => {
    const files = { [fileOf(4)]: reportOf(SETTLED), [fileOf(5)]: reportOf(REFUNDED) }
    const fetched: string[] = []
    const reports = [told(3, '2026-11-01'), told(5, '2026-11-13')]
    const first = await statement({ reports, files, fetched })
    assert.deepEqual(
      [first.outcome === 'page' && first.lines.length, first.outcome === 'page' && first.after],
      [1, fileOf(4)],
    )
    assert.deepEqual(fetched, [told(4, '2026-11-11').address])
    const missing = new Response('', { status: 404 })
    assert.match(await whyOf(statement({ reports, files: { [fileOf(4)]: missing } })), /HTTP 404/)
    assert.match(await whyOf(statement({ reports: [told(3, '2026-11-01'), told(99, '2026-11-13')], files })), /many/)
  })

  test('is complete from the beginning where the batch before is known, or there is none before the first', async () => {
    const from = async (...reports: ReportNotice[]) => {
      const files = Object.fromEntries(reports.map(({ fileName }) => [fileName, reportOf(SETTLED)]))
      const page = await statement({ reports, files })
      return page.outcome === 'page' ? page.completeFrom : page
    }
    assert.equal(await from(told(1, '2026-11-13')), undefined)
    assert.equal(await from(told(3, '2026-11-01'), told(4, '2026-11-13')), undefined)
    assert.equal(await from(told(4, '2026-11-13')), Date.parse('2026-11-13T00:00:00Z'))
  })

  test('reads one report of each batch: one that was made again by hand lists the same payments', async () => {
    const byHand = told(4, '2026-11-14', { fileName: 'settlement_detail_report_batch_4_20261114_a1.csv' })
    const reports = [told(4, '2026-11-13'), byHand]
    const page = await statement({ reports, files: { [fileOf(4)]: reportOf(SETTLED) } })
    assert.deepEqual([page.outcome === 'page' && page.lines.length, page.outcome === 'page' && page.after], [1, null])
  })

  test('leaves out reports of other kinds, and those long after the period', async () => {
    const other = told(9, '2026-11-12', { fileName: 'dispute_report_2026_11_12.csv' })
    const late = told(7, '2026-12-30')
    const reports = [other, told(4, '2026-11-13'), late]
    const page = await statement({ reports, files: { [fileOf(4)]: reportOf(SETTLED) } })
    assert.equal(page.outcome === 'page' && page.after, null)
  })

  test('without a report key is unknown, and says what is missing', async () => {
    assert.match(
      await whyOf(statement({ reports: [told(4, '2026-11-13')], files: {}, reportApiKey: null })),
      /reportApiKey/,
    )
  })

  for (const address of [
    'https://evil.example/reports/settlement_detail_report_batch_4.csv',
    'http://ca-test.adyen.com/reports/settlement_detail_report_batch_4.csv',
    'https://ca-test.adyen.com.evil.example/settlement_detail_report_batch_4.csv',
    'https://ca-test.adyen.com:8443/settlement_detail_report_batch_4.csv',
    'https://ca-test.adyen.com/reports/another.csv',
    'https://ca-test.adyen.com/r?x=/settlement_detail_report_batch_4.csv',
    'no address',
    '',
  ])
    test(`never sends the report key to ${address || 'no address'}, which nobody has signed`, async () => {
      const fetched: string[] = []
      const reports = [told(4, '2026-11-13', { address })]
      assert.match(await whyOf(statement({ reports, files: {}, fetched })), /address that is none of Adyen/)
      assert.deepEqual(fetched, [])
    })

  const UNREADABLE: Readonly<Record<string, string>> = {
    'an empty file': '',
    'an HTML page': '<html><body>Log in</body></html>',
    'a missing column': reportOf(SETTLED).replace('Gross Currency', 'Currency'),
    'no column of refund references': reportOf(SETTLED).replace('Modification Merchant Reference', 'Reserved4'),
    'a row that is cut': `${HEADER}\n${SETTLED.slice(0, 80)}`,
    'a type that is not known': reportOf(row({ type: 'SettledTwice', credit: '1' })),
    'another currency': reportOf(row({ type: 'Settled', credit: '1', currency: 'EUR' })),
    'a fraction of a yen': reportOf(row({ type: 'Settled', credit: '19.80' })),
    'a negative amount': reportOf(row({ type: 'Settled', credit: '-1980' })),
    'no amount': reportOf(row({ type: 'Settled' })),
    'a time zone that is not known': reportOf(row({ type: 'Settled', credit: '1', zone: 'XYZ' })),
    'a time zone named like a method': reportOf(row({ type: 'Settled', credit: '1', zone: 'toString' })),
    'a day that does not exist': reportOf(row({ type: 'Settled', credit: '1', createdAt: '2026-02-30 00:00:00' })),
    'another form of time': reportOf(row({ type: 'Settled', credit: '1', createdAt: '10/11/2026 12:00' })),
    'no reference of Adyen': reportOf(row({ type: 'Settled', credit: '1', psp: '' })),
    'a quote that does not end': `${HEADER}\n"${SETTLED}`,
    'a quote inside of a field': `${HEADER}\n${SETTLED.replace('visa', 'vi"s"a')}`,
  }
  for (const [what, file] of Object.entries(UNREADABLE))
    test(`of a report with ${what} is unknown, never a page with a gap`, async () => {
      const why = await whyOf(one(file))
      assert.match(why, /^a settlement report cannot be read: /)
      assert.ok(!why.includes(ORDER) && !why.includes('1980'), why)
    })

  test('of a report that is not there, that breaks off or is no text is unknown', async () => {
    assert.match(await whyOf(one(new Response('gone', { status: 404 }))), /HTTP 404/)
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(`${HEADER}\n${SETTLED}\n`))
        controller.error(new Error('reset'))
      },
    })
    assert.equal(await whyOf(one(new Response(broken))), 'a settlement report could not be fetched')
    assert.match(await whyOf(one(new Response(new Uint8Array([0xff, 0xfe, 0x41])))), /no UTF-8/)
  })

  test('keeps no more than one row of a report in memory, however long it is', async () => {
    let rows = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(rows === 0 ? `${HEADER}\n` : 'x'.repeat(16_384)))
        rows += 1
      },
    })
    assert.match(await whyOf(one(new Response(endless))), /a row that is too long/)
    assert.ok(rows < 20, String(rows))
  })
})

test('CSV is read the same however its bytes are cut into pieces', async () => {
  const bytes = new TextEncoder().encode('a,"b ""x"", y\n z",ü\r\n,,"日本"\n')
  const read = async (size: number): Promise<string[][]> => {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
    }
    const rows: string[][] = []
    for await (const row of rowsOf(pieces())) rows.push(row)
    return rows
  }
  for (let size = 1; size <= bytes.length; size += 1)
    assert.deepEqual(await read(size), [
      ['a', 'b "x", y\n z', 'ü'],
      ['', '', '日本'],
    ])
})
