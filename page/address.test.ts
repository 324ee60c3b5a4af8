import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { SCREENS } from '#contract/screens.ts'
import { parsePath } from './address.ts'

const NOT_FOUND = { at: 'not-found' }
const SERVER_ERROR = { at: 'server-error' }

test('a link leads to its checkout, and each screen below it to that screen', () => {
  assert.deepEqual(parsePath('/abc'), { at: 'checkout', checkoutId: 'abc', screen: 'root' })
  assert.deepEqual(parsePath('/abc/'), { at: 'checkout', checkoutId: 'abc', screen: 'root' })
  for (const screen of SCREENS) {
    assert.deepEqual(parsePath(`/abc/${screen}`), { at: 'checkout', checkoutId: 'abc', screen })
    assert.deepEqual(parsePath(`/abc/${screen}/`), { at: 'checkout', checkoutId: 'abc', screen })
  }
})

test('a screen nobody knows, or anything below a screen, is not found', () => {
  for (const path of [
    '/abc/pay',
    '/abc/Complete',
    '/abc/complete/x',
    '/abc/complete//x',
    '/abc//complete',
    '/abc/404',
  ]) {
    assert.deepEqual(parsePath(path), NOT_FOUND, path)
  }
})

test('the not found page stands at /404 and at every address without a checkout', () => {
  for (const path of ['/404', '/404/', '/404/creditcard', '/', '', '//', '//creditcard', '/preview/creditcard']) {
    assert.deepEqual(parsePath(path), NOT_FOUND, path)
  }
})

test('the server error page stands at /500 alone', () => {
  assert.deepEqual(parsePath('/500'), SERVER_ERROR)
  assert.deepEqual(parsePath('/500/'), SERVER_ERROR)
  for (const path of ['/500/creditcard', '/500/x', '/500//x']) assert.deepEqual(parsePath(path), NOT_FOUND, path)
})

test('the preview stands at /preview alone', () => {
  assert.deepEqual(parsePath('/preview'), { at: 'preview' })
  assert.deepEqual(parsePath('/preview/'), { at: 'preview' })
  for (const path of ['/preview/creditcard', '/preview/x', '/preview//x']) {
    assert.deepEqual(parsePath(path), NOT_FOUND, path)
  }
  assert.deepEqual(parsePath('/Preview'), { at: 'checkout', checkoutId: 'Preview', screen: 'root' })
})

test('every address leads somewhere, and to a checkout only under the name that stands in it', () => {
  const part = fc.constantFrom(
    '',
    '404',
    '500',
    'preview',
    'abc',
    'constructor',
    '__proto__',
    'creditcard',
    'error',
    'x',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const place = parsePath(`/${parts.join('/')}`)
      if (place.at !== 'checkout') return
      assert.equal(place.checkoutId, parts[0])
      assert.ok(!['', '404', '500', 'preview'].includes(place.checkoutId))
      assert.equal(place.screen, parts[1] === undefined || parts[1] === '' ? 'root' : parts[1])
      assert.ok(parts.slice(2).every((rest) => rest === ''))
    }),
    { numRuns: 5000 },
  )
})
