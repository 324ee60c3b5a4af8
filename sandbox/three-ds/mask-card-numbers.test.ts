/** Masking of card numbers: what is masked, and what stays as it was sent. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sandboxCards } from '../cards/card-table.ts'
import { maskFields, maskText } from './mask-card-numbers.ts'

const NUMBER = '4242424242424242'
const MASKED = '424242******4242'

const grouped = (separator: string): string => NUMBER.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`)

test('of every card of the sandbox the first six and the last four digits are left', () => {
  for (const { number } of sandboxCards) {
    assert.equal(maskText(number), `${number.slice(0, 6)}******${number.slice(-4)}`)
  }
})

test('12 digits and more are masked, with a right check digit or a wrong one, 11 digits are kept', () => {
  assert.equal(maskText('12345678901'), '12345678901')
  assert.equal(maskText('123456789012'), '123456******9012')
  assert.equal(maskText('4242424242424243'), '424242******4243')
  assert.equal(maskText('1234567890123456789'), '123456******6789')
  assert.equal(maskText(`${NUMBER}${NUMBER}`), MASKED)
})

test('a number is masked whatever stands around it and, up to three characters, between its digits', () => {
  for (const separator of ['', ' ', '-', '.', '\u00a0', ' - ', '\t', '+', '%', '\u200b']) {
    assert.equal(maskText(grouped(separator)), MASKED, JSON.stringify(separator))
  }
  assert.equal(maskText(Array.from(NUMBER).join(' ')), MASKED)
  assert.equal(maskText(`card${NUMBER}x, 7`), `card${MASKED}x, 7`)
  assert.equal(
    maskText(`https://shop.example/${NUMBER}?n=${grouped('%20')}`),
    `https://shop.example/${MASKED}?n=424220******4242`,
  )
  assert.equal(maskText(grouped(' -- ')), grouped(' -- '))
})

test('digits as a Japanese keyboard writes them are masked', () => {
  assert.equal(maskText('４２４２４２４２４２４２４２４２'), '４２４２４２******４２４２')
})

test('transaction ids and purchase dates stay as they were sent', () => {
  const ids = ['12345678-1234-4234-9234-123456789012', '12345678-1234-5234-8234-123456789012']
  for (const id of [...ids, ...Array.from({ length: 200 }, () => randomUUID())]) {
    assert.equal(maskText(id), id)
    assert.equal(maskText(`7/${id} ${NUMBER}`), `7/${id} ${MASKED}`)
    assert.equal(
      maskText(`https://shop.example/events?transId=${id}&x=1`),
      `https://shop.example/events?transId=${id}&x=1`,
    )
  }
  for (const date of ['20260101000000', '20991231235959']) assert.equal(maskText(date), date)
})

test('what only looks like a transaction id or a purchase date is masked', () => {
  // Version 0, version 9, variant 4, and a digit too many.
  assert.equal(maskText('12345678-1234-0234-9234-123456789012'), '123456******9012')
  assert.equal(maskText('12345678-1234-9234-9234-123456789012'), '123456******9012')
  assert.equal(maskText('42424242-4242-4242-4242-123456789012'), '424242******9012')
  assert.equal(maskText('12345678-1234-4234-9234-1234567890123'), '123456******0123')
  for (const number of ['36000000000008', '20261301000000', '20260132000000', '20260101240000', '19991231235959']) {
    assert.equal(maskText(number), `${number.slice(0, 6)}******${number.slice(-4)}`)
  }
  assert.equal(maskText('202601010000001'), '202601******0001')
})

test('names, numbers and messages inside a field are masked, everything else is kept', () => {
  const kept = { text: 'ja', count: 1_980, fraction: 1.5, yes: true, nothing: null, list: [1, '2', []], object: {} }
  assert.deepEqual(maskFields(kept), kept)
  assert.deepEqual(maskFields({ [NUMBER]: { a: Number(NUMBER), b: [NUMBER] } }), {
    [MASKED]: { a: MASKED, b: [MASKED] },
  })
  const encoded = (message: unknown): string => Buffer.from(JSON.stringify(message)).toString('base64url')
  const unchanged = `${Buffer.from('{ "a" : "ja" }').toString('base64url')}==`
  assert.equal(maskText(unchanged), unchanged)
  assert.equal(maskText(encoded({ a: [encoded({ b: NUMBER })] })), encoded({ a: [encoded({ b: MASKED })] }))
})

test('a message of eight levels is kept, what is deeper is left out, however deep it is', () => {
  const nested = (levels: number): object => (levels === 1 ? { n: NUMBER } : { in: nested(levels - 1) })
  const text = (levels: number): string => JSON.stringify(maskFields({ ...nested(levels) }))
  assert.equal(text(8), JSON.stringify(nested(8)).replace(NUMBER, MASKED))
  assert.equal(text(9), JSON.stringify(nested(8)).replace(`{"n":"${NUMBER}"}`, '{"in":"(too deep)"}'))
  const deep: unknown = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)
  assert.match(JSON.stringify(maskFields({ deep })), /^\{"deep":\[+"\(too deep\)"\]+\}$/)
  const message = Buffer.from(`{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`).toString('base64url')
  assert.ok(maskText(message).length < 200)
})
