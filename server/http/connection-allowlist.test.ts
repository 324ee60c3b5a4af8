import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionAllowlist } from './connection-allowlist.ts'

const BASE = new URL('https://pay.example.com')
const CONTACT = '"mailto:*" "tel:*");redirects=allow'

const listFor = (...linked: string[]): string | undefined => connectionAllowlist(BASE, linked)['connection-allowlist']

test('a page reaches its own origin, the bridge and the origins that its links lead to', () => {
  assert.equal(listFor(), `(response-origin "https://3ds.pay.example.com" ${CONTACT}`)
  assert.equal(
    listFor('https://shop.example.com/cart?id=1#top', 'http://localhost:8080/thanks', 'https://shop.example.com/'),
    `(response-origin "https://3ds.pay.example.com" "https://shop.example.com" "http://localhost:8080" ${CONTACT}`,
  )
})

test('an address that no link is made of adds nothing', () => {
  for (const address of ['', 'shop', 'javascript:alert(1)', 'data:text/html,x', 'ftp://shop.example.com/'])
    assert.equal(listFor(address), listFor(), address)
})

test('a host in another script is listed as the browser sends it, and no sign of an address ends the header’s text', () => {
  assert.match(listFor('https://日本茶.example/') ?? '', / "https:\/\/xn--[a-z0-9-]+\.example" /)
  assert.equal(listFor('https://shop.example.com/"*" (http://evil.example)'), listFor('https://shop.example.com'))
})

test('a host that cannot be written as a pattern leaves the header out: a list without it would close the link', () => {
  for (const address of ['http://[::1]:8080/cart', 'https://a*b.example/'])
    assert.equal(listFor(address), undefined, address)
})
