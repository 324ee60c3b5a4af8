import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Movement } from '../../../store/reports/movements.ts'
import { movementsCsv } from './movements-csv.ts'

const CHARGE: Movement = {
  bookedAt: Date.parse('2026-11-15T15:04:00Z'),
  kind: 'charge',
  amountYen: 1980,
  taxes: null,
  checkoutId: 'c1',
  refundId: null,
  chargebackId: null,
  reference: 'A-1',
  subject: '煎茶',
  transactionId: 't1',
  cardBrand: 'visa',
  lastFour: '0042',
}

type Options = Parameters<typeof movementsCsv>[1]

const csvWith = async (options: Options, ...pages: readonly (readonly Movement[])[]): Promise<string> => {
  const given = async function* () {
    yield* pages
  }
  let csv = ''
  for await (const piece of movementsCsv(given(), options)) csv += piece
  return csv
}
const csvOf = (...pages: readonly (readonly Movement[])[]): Promise<string> => csvWith({}, ...pages)
const lines = async (...movements: readonly Movement[]): Promise<string[]> =>
  (await csvOf(movements)).split('\r\n').slice(1, -1)

test('a file begins with a byte order mark and names its columns, every line ends with CRLF, also without movements', async () => {
  const empty =
    'date,time,kind,chargedAmount,refundedAmount,checkoutId,reference,subject,refundId,transactionId,cardBrand,lastFour,chargebackAmount,reversedAmount,chargebackId\r\n'
  assert.equal(await csvOf(), empty)
  assert.equal(await csvOf([], [CHARGE]), `${empty}2026-11-16,00:04,charge,1980,,c1,A-1,煎茶,,t1,visa,0042,,,\r\n`)
})

test('a refund has its amount in a column of its own, so that no amount begins with a minus sign', async () => {
  const refund: Movement = { ...CHARGE, kind: 'refund', amountYen: 500, refundId: 'r1' }
  assert.deepEqual(await lines(refund), ['2026-11-16,00:04,refund,,500,c1,A-1,煎茶,r1,t1,visa,0042,,,'])
})

test('a chargeback and its reversal have a line and a column of their own, the last ones', async () => {
  const chargeback: Movement = { ...CHARGE, kind: 'chargeback', amountYen: 1980, chargebackId: 'txn_9' }
  const reversal: Movement = { ...chargeback, kind: 'chargeback_reversal', chargebackId: 'txn_10' }
  assert.deepEqual(await lines(chargeback, reversal), [
    '2026-11-16,00:04,chargeback,,,c1,A-1,煎茶,,t1,visa,0042,1980,,txn_9',
    '2026-11-16,00:04,chargeback_reversal,,,c1,A-1,煎茶,,t1,visa,0042,,1980,txn_10',
  ])
})

test('a cell that a spreadsheet would run is guarded, in every text column', async () => {
  const evil = ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x","y")', '\t=1', '\r\n=1', ' =1', '＝1']
  for (const text of evil) {
    const csv = await csvOf([{ ...CHARGE, subject: text, reference: text, refundId: text, transactionId: text }])
    const cells = [...csv.slice(csv.indexOf('\r\n')).matchAll(/(?:^|,|\r\n)"?(['=+\-@＝\s]+)/g)].map(
      ([, start = '']) => start,
    )
    assert.ok(csv.includes(`'${text.replaceAll('"', '""')}`), text)
    assert.equal(cells.filter((start) => start.startsWith("'")).length, 4, text)
  }
  assert.deepEqual(await lines({ ...CHARGE, subject: 'a=b' }), [
    '2026-11-16,00:04,charge,1980,,c1,A-1,a=b,,t1,visa,0042,,,',
  ])
})

test('quotes, commas and line breaks stay inside their cell', async () => {
  const csv = await csvOf([{ ...CHARGE, subject: 'a "b", c\nd' }])
  assert.ok(csv.includes(',"a ""b"", c\nd",'), csv)
})

test('pages are written one after another as they are read', async () => {
  let read = 0
  const pages = async function* () {
    for (; read < 3; read += 1) yield [CHARGE]
  }
  const pieces = movementsCsv(pages())
  await pieces.next()
  assert.equal(read, 0)
  await pieces.next()
  assert.equal(read, 0)
  await pieces.next()
  assert.equal(read, 1)
})

const TAXED: Movement = {
  ...CHARGE,
  taxes: [
    { rate: 8, amount: 980 },
    { rate: 10, amount: 1000 },
  ],
}

test('the amount and the tax of each rate follow where they are asked for, of a checkout without taxes empty', async () => {
  const [heading, charge, refund, untaxed] = (
    await csvWith({ hasTaxes: true }, [
      TAXED,
      { ...TAXED, kind: 'refund', amountYen: 1, taxes: [{ rate: 0, amount: 1 }] },
      CHARGE,
    ])
  ).split('\r\n')
  assert.match(
    heading ?? '',
    /,lastFour,amountAt10,taxAt10,amountAt8,taxAt8,amountAt0,chargebackAmount,reversedAmount,chargebackId$/,
  )
  // 1000 × 10 / 110 = 90.9 and 980 × 8 / 108 = 72.6, each rounded down once.
  assert.match(charge ?? '', /,0042,1000,90,980,72,0,,,$/)
  assert.match(refund ?? '', /,0042,0,0,0,0,1,,,$/)
  assert.match(untaxed ?? '', /,0042,,,,,,,,$/)
})

test('headings and kinds are Japanese where that is asked for, and the columns stay in their order', async () => {
  const options = { locale: 'ja_JP', hasTaxes: true } as const
  const [heading, charge, refund] = (await csvWith(options, [TAXED, { ...TAXED, kind: 'refund' }])).split('\r\n')
  assert.equal(
    heading,
    '日付,時刻,区分,売上金額,返金額,チェックアウトID,注文番号,件名,返金ID,取引番号,カードブランド,カード番号下4桁,10%対象（税込）,10%消費税額,軽減8%対象（税込）,軽減8%消費税額,0%対象,チャージバック金額,チャージバック取消金額,チャージバックID',
  )
  assert.match(charge ?? '', /^2026-11-16,00:04,売上,1980,,/)
  assert.match(refund ?? '', /^2026-11-16,00:04,返金,,1980,/)
  assert.match(
    await csvWith({ locale: 'ja_JP' }, []),
    /カード番号下4桁,チャージバック金額,チャージバック取消金額,チャージバックID\r\n$/,
  )
})
