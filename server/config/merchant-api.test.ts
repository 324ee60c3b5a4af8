import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMerchantApi } from './merchant-api.ts'

const KEY = `sk_test_${'k'.repeat(32)}`
const ADDRESS = 'https://pay.example.com/merchant/v1'

const problemOf = (url: string | undefined, key: string | undefined): string => {
  const api = readMerchantApi({ KAIKEI_URL: url, KAIKEI_KEY: key })
  return 'problem' in api ? api.problem : assert.fail('it was read')
}

test('address and key are read, with or without a slash at the end', () => {
  for (const url of [ADDRESS, `${ADDRESS}/`, 'http://localhost:3000/merchant/v1', 'http://127.0.0.1:3000/merchant/v1'])
    assert.deepEqual(readMerchantApi({ KAIKEI_URL: url, KAIKEI_KEY: KEY }), { url: url.replace(/\/$/, ''), key: KEY })
})

test('what is missing or wrong is named with its mend', () => {
  assert.match(problemOf(undefined, KEY), /^KAIKEI_URL is not set: .*merchant-api of npm start/)
  assert.match(problemOf('', KEY), /^KAIKEI_URL is not set/)
  for (const url of ['localhost:3000/merchant/v1', 'ftp://x/merchant/v1', 'x', 'https://me:pw@x/merchant/v1'])
    assert.match(problemOf(url, KEY), /^KAIKEI_URL is no address that can be used/)
  for (const url of ['https://pay.example.com', 'https://pay.example.com/merchant/v2', `${ADDRESS}?a=b`])
    assert.match(problemOf(url, KEY), /^KAIKEI_URL does not end in \/merchant\/v1/)
  assert.match(problemOf('http://pay.example.com/merchant/v1', KEY), /^KAIKEI_URL begins with http:\/\/ .*https:\/\//)
  assert.match(problemOf(ADDRESS, undefined), /^KAIKEI_KEY is not set: .*key create/)
})

test('neither a key nor a password is quoted', () => {
  for (const key of ['hunter2', `${KEY}\nx`, `x${KEY}`, `pk_test_${'k'.repeat(32)}`])
    assert.equal(problemOf(ADDRESS, key).includes(key), false)
  assert.equal(problemOf('https://me:hunter2@x/merchant/v1', KEY).includes('hunter2'), false)
})
