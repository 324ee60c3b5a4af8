import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineAddress, mailAddress, sheetContents } from './share-addresses.ts'

const LINK = { url: 'https://tea.pay.example/abc', subject: 'お茶会 & 菓子', shop: '青山茶舗', amount: '¥3,000' }

test('a mail has the subject, and shop, amount and link in its body, whatever signs they hold', () => {
  const { protocol, search } = new URL(mailAddress(LINK))
  assert.equal(protocol, 'mailto:')
  const fields = new URLSearchParams(search)
  assert.equal(fields.get('subject'), 'お茶会 & 菓子')
  assert.equal(fields.get('body'), '青山茶舗\r\nお茶会 & 菓子 ¥3,000\r\nhttps://tea.pay.example/abc')
})

test('a message of LINE ends with the link', () => {
  const { origin, pathname, searchParams } = new URL(lineAddress({ ...LINK, subject: null, amount: null }))
  assert.equal(origin + pathname, 'https://line.me/R/share')
  assert.equal(searchParams.get('text'), '青山茶舗\nhttps://tea.pay.example/abc')
})

test('the sheet of apps gets the link once', () => {
  assert.deepEqual(sheetContents(LINK), {
    title: 'お茶会 & 菓子',
    text: '青山茶舗\nお茶会 & 菓子 ¥3,000',
    url: 'https://tea.pay.example/abc',
  })
})
