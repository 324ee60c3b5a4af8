import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isHttpUrl, phoneHref } from './urls.ts'

test('a shop address that begins with http or https becomes a link', () => {
  const addresses = [
    'http://shop.example',
    'https://shop.example/a?b#c',
    'HTTPS://SHOP.EXAMPLE',
    'HtTp://shop.example',
    'https://店.example/',
  ]
  for (const address of addresses) assert.equal(isHttpUrl(address), true, address)
})

test('an address that runs a script, or is no web address, never becomes a link', () => {
  const others = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript://shop.example/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://shop.example/1',
    'file:///etc/passwd',
    'ftp://shop.example',
    'mailto:shop@shop.example',
    'httpx://shop.example',
    'httpsx:shop',
    'xhttps://shop.example',
    '/relative',
    '//shop.example',
    'shop.example',
    'http',
    'https:',
    'https://',
    '',
    ' ',
  ]
  for (const address of others) assert.equal(isHttpUrl(address), false, address)
})

test('whatever a shop writes as its address, a link leads to http or https', () => {
  const scheme = fc.constantFrom('http:', 'https:', 'javascript:', 'data:', 'HTTP:', 'httpx:', '')
  fc.assert(
    fc.property(
      scheme,
      fc.oneof(
        fc.webPath(),
        fc.string(),
        fc.domain().map((name) => `//${name}`),
      ),
      (start, rest) => {
        if (!isHttpUrl(start + rest)) return
        assert.match(new URL(start + rest, 'https://demo.localhost/c').href, /^https?:\/\//)
      },
    ),
    { numRuns: 500 },
  )
})

test('a phone link dials the digits of the number and a plus before them', () => {
  assert.equal(phoneHref('03-1234-5678'), 'tel:0312345678')
  assert.equal(phoneHref('(03) 1234 5678'), 'tel:0312345678')
  assert.equal(phoneHref('+81 3-1234-5678'), 'tel:+81312345678')
  assert.equal(phoneHref(' +81 3-1234-5678'), 'tel:+81312345678')
  assert.equal(phoneHref('(+81) 3 1234 5678'), 'tel:+81312345678')
  assert.equal(phoneHref('03+1234'), 'tel:031234')
})

test('a phone number typed with full-width digits is dialled like any other', () => {
  assert.equal(phoneHref('０３－１２３４－５６７８'), 'tel:0312345678')
  assert.equal(phoneHref('＋８１　３−１２３４'), 'tel:+8131234')
})

test('a phone link holds nothing but digits and a plus', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789+-() "<>:;,*#０＋x'.split('')) }), (text) => {
      assert.match(phoneHref(text), /^tel:\+?\d*$/)
    }),
  )
})
