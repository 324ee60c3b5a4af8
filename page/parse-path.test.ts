import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { SCREENS } from '#contract/screens.ts'
import { parsePath } from './parse-path.ts'

const NOT_FOUND = { kind: 'not-found' }
const SERVER_ERROR = { kind: 'server-error' }

test('a link is the route of its checkout, and each screen below it the route of that screen', () => {
  assert.deepEqual(parsePath('/abc'), { kind: 'checkout', checkoutId: 'abc', screen: 'root' })
  assert.deepEqual(parsePath('/abc/'), { kind: 'checkout', checkoutId: 'abc', screen: 'root' })
  for (const screen of SCREENS) {
    assert.deepEqual(parsePath(`/abc/${screen}`), { kind: 'checkout', checkoutId: 'abc', screen })
    assert.deepEqual(parsePath(`/abc/${screen}/`), { kind: 'checkout', checkoutId: 'abc', screen })
  }
})

test('an unknown screen, or anything below a screen, is not found', () => {
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

test('the not found page is at /404 and at every path without a checkout', () => {
  for (const path of ['/404', '/404/', '/404/creditcard', '/', '', '//', '//creditcard', '/preview/creditcard']) {
    assert.deepEqual(parsePath(path), NOT_FOUND, path)
  }
})

test('the server error page is only at /500', () => {
  assert.deepEqual(parsePath('/500'), SERVER_ERROR)
  assert.deepEqual(parsePath('/500/'), SERVER_ERROR)
  for (const path of ['/500/creditcard', '/500/x', '/500//x']) assert.deepEqual(parsePath(path), NOT_FOUND, path)
})

test('the preview is only at /preview', () => {
  assert.deepEqual(parsePath('/preview'), { kind: 'preview' })
  assert.deepEqual(parsePath('/preview/'), { kind: 'preview' })
  for (const path of ['/preview/creditcard', '/preview/x', '/preview//x']) {
    assert.deepEqual(parsePath(path), NOT_FOUND, path)
  }
  assert.deepEqual(parsePath('/Preview'), { kind: 'checkout', checkoutId: 'Preview', screen: 'root' })
})

test('every path has a route, and a checkout route has the id of its path', () => {
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
      const route = parsePath(`/${parts.join('/')}`)
      if (route.kind !== 'checkout') return
      assert.equal(route.checkoutId, parts[0])
      assert.ok(!['', '404', '500', 'preview'].includes(route.checkoutId))
      assert.equal(route.screen, parts[1] === undefined || parts[1] === '' ? 'root' : parts[1])
      assert.ok(parts.slice(2).every((rest) => rest === ''))
    }),
    { numRuns: 5000 },
  )
})
