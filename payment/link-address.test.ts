import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToUnicode } from 'node:url'
import { isRefusal, type Refusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/access.ts'
import { readLink, readLinkHosts } from './link-address.ts'

const HOSTS = ['shop.example.com', 'xn--t8jy01w.example']

const link = (text: string, mode: MerchantMode, linkHosts: readonly string[] = HOSTS): string | Refusal =>
  readLink('links.cancelUrl', text, { mode, linkHosts, unicodeHost: domainToUnicode })

const messageOf = (result: string | readonly string[] | Refusal): string =>
  typeof result === 'object' && 'refused' in result
    ? `${String(result.params?.['field'])}: ${result.message}`
    : assert.fail(`${JSON.stringify(result)} was accepted`)

test('a live link leads to a registered host over https, however the host is written', () => {
  assert.equal(link('https://shop.example.com/thanks?a=1#b', 'live'), 'https://shop.example.com/thanks?a=1#b')
  assert.equal(link('https://SHOP.example.com:443', 'live'), 'https://shop.example.com/')
  assert.equal(link('https://お茶.example/', 'live'), 'https://xn--t8jy01w.example/')
})

test('a live link to any other host is refused by the name of its field, and the mend is named', () => {
  for (const text of [
    'https://example.com/',
    'https://a.shop.example.com/',
    'https://shop.example.com.evil.example/',
    'https://shop.example.com./',
    'https://shop.example.com:8443/',
    'https://xshop.example.com/',
    'https://localhost/',
  ])
    assert.equal(
      messageOf(link(text, 'live')),
      'links.cancelUrl: links.cancelUrl leads to a host that is not registered. Add the host to linkHosts in the settings.',
      text,
    )
  assert.match(messageOf(link('https://shop.example.com/', 'live', [])), /not registered/)
})

test('a live link is never plain http, not even to a registered host on this machine', () => {
  for (const text of [
    'http://shop.example.com/',
    'http://a.localhost/',
    'http://localhost:8080/',
    'ftp://a.localhost/',
  ])
    assert.match(messageOf(link(text, 'live', [...HOSTS, 'a.localhost'])), /must begin with https:\/\//, text)
})

test('a test link leads to any host over https, and over http to the merchant’s own machine', () => {
  for (const text of ['https://anywhere.example/', 'https://a.jp:8443/', 'http://localhost:8080/', 'http://127.0.0.1/'])
    assert.equal(link(text, 'test', []), text)
  assert.match(messageOf(link('http://shop.example.com/', 'test')), /must begin with https:\/\//)
})

test('in both modes a link has no user name, no control character and a host in one script', () => {
  for (const mode of ['test', 'live'] as const) {
    assert.match(messageOf(link('https://a@shop.example.com/', mode)), /hold no user name/)
    assert.match(messageOf(link('https://shop.example.com/\n', mode)), /must be an absolute address/)
    assert.match(messageOf(link('/thanks', mode)), /must be an absolute address/)
    assert.match(messageOf(link('https://p\u0430ypal.example/', mode, ['p\u0430ypal.example'])), /different scripts/)
  }
})

const hosts = (...names: string[]): string[] | Refusal => readLinkHosts(names, domainToUnicode)
const label = (length: number): string => 'a'.repeat(length)

/** 253 characters. */
const LONGEST = `${`${label(62)}.`.repeat(4)}a`

test('registered hosts are stored in lower case and punycode, each once and in their order', () => {
  assert.deepEqual(hosts(), [])
  assert.deepEqual(hosts('Shop.Example.com', 'お茶.example', 'shop.example.com', 'xn--t8jy01w.example', 'b.jp'), [
    'shop.example.com',
    'xn--t8jy01w.example',
    'b.jp',
  ])
  for (const host of [`${label(63)}.jp`, 'a.b', '1.a-b.c2', LONGEST]) assert.deepEqual(hosts(host), [host])
})

test('what is more or less than a host name is refused by its place in the list', () => {
  for (const name of [
    'https://shop.example.com',
    'shop.example.com/',
    'shop.example.com:443',
    'a@shop.example.com',
    'shop.example.com?x',
    'shop.example.com#x',
    'shop.example.com.',
    '.example.com',
    'a..b',
    '*.example.com',
    'sh op.example.com',
    'shop.example.com\n',
    'shop\\a.example.com',
    'sho%70.example.com',
    'localhost',
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    'a_b.example.com',
    '-a.jp',
    'a-.jp',
    'a.1',
    `${label(64)}.jp`,
    `${LONGEST}a`,
    '',
    ' ',
  ])
    assert.match(messageOf(hosts('a.jp', name)), /^linkHosts\.1: linkHosts\.1 must be a host name alone/, name)
  assert.match(messageOf(hosts('p\u0430ypal.example')), /^linkHosts\.0: linkHosts\.0 has a host that mixes letters/)
  assert.match(messageOf(hosts('4012888888881881.example')), /^linkHosts\.0: linkHosts\.0 holds a card number/)
  assert.ok(!isRefusal(hosts('a.jp')))
})
