import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEraser, ERASED } from './erasure.ts'

const ADDRESS = 'taro@example.com'
const { inText, inJson, isAddress } = createEraser(ADDRESS)

test('an address is erased wherever it stands as a whole, in any case of its letters', () => {
  for (const [before, after] of [
    ['taro@example.com', ERASED],
    ['Taro@Example.COM', ERASED],
    ['to taro@example.com.', `to ${ERASED}.`],
    ['<taro@example.com>, taro@example.com', `<${ERASED}>, ${ERASED}`],
    ['mailto:taro@example.com?x', `mailto:${ERASED}?x`],
    ['https://shop.example/?email=taro@example.com&x=1', `https://shop.example/?email=${ERASED}&x=1`],
    ['https://shop.example/?email=taro%40example.com', `https://shop.example/?email=${ERASED}`],
    ['https://shop.example/?q=email%3Dtaro%40example.com', `https://shop.example/?q=email%3D${ERASED}`],
    ['{"error":"no customer\\ntaro\\u0040example.com"}', `{"error":"no customer\\n${ERASED}"}`],
    ['宛先はtaro@example.comです', `宛先は${ERASED}です`],
    ['taro＠example.com様', `${ERASED}様`],
  ] as const)
    assert.equal(inText(before), after)
})

test('an address that only contains it is another one and stays', () => {
  for (const text of [
    'ataro@example.com',
    'x.taro@example.com',
    'x+taro@example.com',
    'taro@example.com.au',
    'taro@example.commerce',
    'taro@example.com-x.jp',
    'taro+x@example.com',
    'taroexample.com',
    'x%2Btaro@example.com',
    'x%2Etaro%40example.com',
  ])
    assert.equal(inText(text), text)
})

test('an address with a plus is erased however much of it is encoded in a web address', () => {
  const eraser = createEraser('taro+tea@example.com')
  for (const written of [
    'taro+tea@example.com',
    'taro+tea%40example.com',
    'taro%2Btea%40example.com',
    'TARO%2btea@example.com',
  ])
    assert.equal(eraser.inText(`https://shop.example/?to=${written}&x`), `https://shop.example/?to=${ERASED}&x`)
  assert.equal(eraser.inText('taro@example.com'), 'taro@example.com')
})

test('a name of a field, a text inside and a field that is the address itself are erased in JSON', () => {
  const before = JSON.stringify({
    shopper: { email: 'TARO@example.com', locale: 'ja_JP' },
    metadata: { 'taro@example.com': 'for taro@example.com', other: 'hanako@example.com' },
    list: ['taro@example.com', 1, null, true],
  })
  const rest = { metadata: { [ERASED]: `for ${ERASED}`, other: 'hanako@example.com' }, list: [ERASED, 1, null, true] }
  assert.deepEqual(JSON.parse(inJson(before, undefined)), { shopper: { locale: 'ja_JP' }, ...rest })
  assert.deepEqual(JSON.parse(inJson(before, null)), { shopper: { email: null, locale: 'ja_JP' }, ...rest })
})

test('an address with characters that patterns and JSON treat otherwise is found', () => {
  for (const odd of [
    'taro"ü@example.com',
    'a+b(c)@example.com',
    "o'neil@example.com",
    'x.*y@example.com',
    'TARŌ@example.com',
  ]) {
    const eraser = createEraser(odd)
    assert.ok(eraser.isAddress(odd.toUpperCase()), odd)
    assert.equal(eraser.inText(`to ${odd} now`), `to ${ERASED} now`)
    assert.equal(eraser.inJson(JSON.stringify({ receipt: { email: odd } }), null), '{"receipt":{"email":null}}')
  }
  assert.equal(createEraser('x.*y@example.com').inText('xaay@example.com'), 'xaay@example.com')
  assert.equal(isAddress('taro@example.com.'), false)
})

test('what stands in its place is never longer than the address, so that a text at its limit can still be read', () => {
  assert.equal(createEraser('a@bc.jp').inText('to a@bc.jp'), 'to *******')
  assert.equal(createEraser('ab@cd.jp').inText('to ab@cd.jp'), `to ${ERASED}`)
})
