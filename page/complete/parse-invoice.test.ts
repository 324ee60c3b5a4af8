import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseInvoice } from './parse-invoice.ts'

const INVOICE = {
  registrationNumber: 'T1234567890123',
  issuer: '青山茶舗',
  date: '2026-11-22',
  content: '煎茶 ※',
  totals: [{ rate: 8, amount: 1980, tax: 146 }],
  isSample: false,
}

test('an invoice of the server is taken as it is', () => {
  assert.deepEqual(parseInvoice(INVOICE), INVOICE)
})

test('an invoice of which a part is missing or of another type is none at all', () => {
  const wrong: unknown[] = [undefined, null, 'T1234567890123', []]
  for (const key of ['registrationNumber', 'issuer', 'date', 'content', 'totals'])
    wrong.push({ ...INVOICE, [key]: undefined }, { ...INVOICE, [key]: 5 })
  const [total] = INVOICE.totals
  for (const totals of [
    [],
    [total, null],
    [{ ...total, tax: undefined }],
    [{ ...total, amount: '1980' }],
    [{ ...total, tax: 0.5 }],
  ])
    wrong.push({ ...INVOICE, totals })
  for (const value of wrong) assert.equal(parseInvoice(value), undefined, JSON.stringify(value))
})

test('unless it is said to be real, an invoice is a sample', () => {
  assert.equal(parseInvoice({ ...INVOICE, isSample: undefined })?.isSample, true)
})
