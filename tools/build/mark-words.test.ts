import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSync } from 'vite'
import { markTexts } from './mark-words.ts'

const KEYS = { problem: ['expiry'], card: ['pay'] }

const mark = (code: string, id: string): string =>
  markTexts(code, parseSync(id, code).program, id, KEYS).replaceAll('\u200b', '/').replaceAll('\u2060', '~')

test('the marked texts of a language get marks where a phrase ends, and no other text does', () => {
  const code = `import { x } from '期限を確認'
export const words = {
  ...x,
  problem: { expiry: '期限をご確認ください', cvc: 'コードをご確認ください' },
  card: { pay: (amount: string) => \`\${amount}を支払う\`, expiry: '期限をご確認ください' },
}
`
  assert.equal(
    mark(code, '/kaikei/page/words/ja.ts'),
    code
      .replace("expiry: '期限をご確認ください', cvc", "expiry: '期限を/ご確認ください', cvc")
      .replace('を支払う', 'を/支払う'),
  )
})

test('all words of a receipt and of an invoice get marks, each in its own language', () => {
  const receipt = `export const receiptWords = { paidTitle: 'お支払いが完了しました' }\n`
  assert.equal(mark(receipt, '/kaikei/contract/receipt-words/ja.ts'), receipt.replace('が完了', 'が/完了'))
  const invoice = `export const invoiceWords = { 'zh-Hans': { title: '合格简易发票' }, th: { byCard: 'บัตรเครดิต' }, ko: { tax: '소비세' } }\n`
  assert.equal(
    mark(invoice, '/kaikei/contract/invoice-words.ts'),
    invoice.replace('合格简易发票', '合格/简易/发票').replace('บัตรเครดิต', 'บัตร~เครดิต'),
  )
})

test('a file of words in a language without marks stays as it is', () => {
  const code = `export const words = { problem: { expiry: 'Invalid format for expiration date' } }\n`
  assert.equal(mark(code, '/kaikei/page/words/en-US.ts'), code)
})
