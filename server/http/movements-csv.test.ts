import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Movement } from '../store/movements.ts'
import { movementsCsv } from './movements-csv.ts'

const CHARGE: Movement = {
  bookedAt: Date.parse('2026-11-15T15:04:00Z'),
  kind: 'charge',
  amountYen: 1980,
  checkoutId: 'c1',
  refundId: null,
  reference: 'A-1',
  subject: '煎茶',
  transactionId: 't1',
  cardBrand: 'visa',
  lastFour: '0042',
}

const csvOf = async (...pages: readonly (readonly Movement[])[]): Promise<string> => {
  const given = async function* () {
    yield* pages
  }
  let csv = ''
  for await (const piece of movementsCsv(given())) csv += piece
  return csv
}
const lines = async (...movements: readonly Movement[]): Promise<string[]> =>
  (await csvOf(movements)).split('\r\n').slice(1, -1)

test('a file begins with a byte order mark and names its columns, every line ends with CRLF, also without movements', async () => {
  const empty =
    '\uFEFFdate,time,kind,chargedAmount,refundedAmount,checkoutId,reference,subject,refundId,transactionId,cardBrand,lastFour\r\n'
  assert.equal(await csvOf(), empty)
  assert.equal(await csvOf([], [CHARGE]), `${empty}2026-11-16,00:04,charge,1980,,c1,A-1,煎茶,,t1,visa,0042\r\n`)
})

test('a refund has its amount in a column of its own, so that no amount begins with a minus sign', async () => {
  const refund: Movement = { ...CHARGE, kind: 'refund', amountYen: 500, refundId: 'r1' }
  assert.deepEqual(await lines(refund), ['2026-11-16,00:04,refund,,500,c1,A-1,煎茶,r1,t1,visa,0042'])
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
    '2026-11-16,00:04,charge,1980,,c1,A-1,a=b,,t1,visa,0042',
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
