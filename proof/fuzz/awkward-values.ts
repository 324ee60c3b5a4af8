/** Awkward values: texts, fields, bodies, hosts and headers that programs are known to stumble over. */
import type { SeededRandom } from '../harness/seeded-random.ts'

/** More than the 64 KiB that the server reads of a body. */
export const OVERSIZED_LENGTH = 70_000

const TEXTS: readonly [string, ...string[]] = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\udc75b',
  '\u200b\u3164',
  '\ufeff',
  '\u202e\u2066',
  '😀'.repeat(20),
  'あ'.repeat(300),
  'x'.repeat(3000),
  '4242 4242 4242 4242',
  '5555555555554444',
  '６２００００００００００００05',
  '4539578763621486',
  'https://shop.example.com/\0',
  'javascript:alert(1)',
  '//evil.example',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  '%00%zz%',
  'sk_live_0000000000000000',
  '2026-02-30T25:61:00Z',
  '9999-12-31',
  '-1',
  'NaN',
  '__proto__',
  'constructor',
  'a\r\nb: c',
]

const NUMBERS: readonly [number, ...number[]] = [0, -0, -1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 9_999_999, 12, 2000]

const HOST_NAMES: readonly [string, ...string[]] = [
  'evil.example',
  '[::1]',
  '127.0.0.1',
  ':',
  '.',
  '-',
  'a'.repeat(300),
  'xn--a',
  'localhost',
  '"',
]

const CONTENT_TYPES: readonly [string, ...string[]] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/csp-report',
  'application/reports+json',
  'multipart/form-data; boundary=x',
  'application/json;charset=utf-16',
  'application/json; charset=Shift_JIS',
  'application/json; charset=iso-8859-1',
  'application/json; charset="',
  'APPLICATION/JSON',
  'application/problem+json',
  'a/b;c=d',
  'a',
  ';',
  '*/*',
]

/** Headers that change how a request is read as bytes (Content-Length, Expect, Connection …) are left to raw requests. */
const HEADER_NAMES: readonly [string, ...string[]] = [
  'accept',
  'accept-version',
  'accept-language',
  'accept-encoding',
  'range',
  'if-none-match',
  'if-modified-since',
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-original-url',
  'merchant',
  'authorization',
  'idempotency-key',
  'content-encoding',
  'sec-fetch-site',
  'x',
]

const BODIES: readonly [string, ...string[]] = [
  '',
  ' ',
  '{}',
  'null',
  '0',
  '"x"',
  '{',
  '[[[[',
  '{"a":1,"a":2}',
  '{"__proto__":1}',
  '{"__proto__":{"card":{}}}',
  '{"card":{"__proto__":1}}',
  '{"constructor":{"prototype":1}}',
  '\ufeff{}',
  '{"a":1e999}',
  '{"a":\u0000}',
  'a=b&c',
  'a&'.repeat(2000),
  '%',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
]

const PRINTABLE = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)).join('')

/** Random characters of any plane, lone surrogates among them. */
const randomText = (random: SeededRandom, maxLength: number): string => {
  const plain = random.chance(0.7)
  return Array.from({ length: random.between(0, maxLength) }, () =>
    plain ? (PRINTABLE[random.between(0, 94)] ?? ' ') : String.fromCharCode(random.between(0, 0xffff)),
  ).join('')
}

export const awkwardText = (random: SeededRandom): string =>
  random.chance(0.7) ? random.oneOf(TEXTS) : randomText(random, 30)

/** Any JSON value. */
export const awkwardValue = (random: SeededRandom, depth = 2): unknown => {
  switch (random.between(0, depth > 0 ? 7 : 5)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
    case 3:
      return random.oneOf(NUMBERS)
    case 4:
    case 5:
      return awkwardText(random)
    case 6:
      return Array.from({ length: random.between(0, 4) }, () => awkwardValue(random, depth - 1))
    default:
      return Object.fromEntries(
        Array.from({ length: random.between(0, 4) }, () => [awkwardText(random), awkwardValue(random, depth - 1)]),
      )
  }
}

export const awkwardBody = (random: SeededRandom): string => {
  switch (random.between(0, 9)) {
    case 0:
      return randomText(random, 200)
    case 1:
    case 2:
      return JSON.stringify(awkwardValue(random, 4))
    // Rare: the bytes of an oversized body alone take the time of many others.
    case 3:
      return random.chance(0.1) ? 'x'.repeat(OVERSIZED_LENGTH) : '{"card":'.repeat(50)
    case 4:
      return random.chance(0.2) ? `${'['.repeat(20_000)}${']'.repeat(20_000)}` : '[]'
    default:
      return random.oneOf(BODIES)
  }
}

/** Characters that HTTP allows in a header. */
export const awkwardHeaderText = (random: SeededRandom): string => {
  if (random.chance(0.02)) return 'a,'.repeat(random.between(1, 8000))
  return (random.chance(0.5) ? random.oneOf(TEXTS) : randomText(random, 40)).replaceAll(/[^ -~\u00a0-\u00ff]/g, '')
}

export const awkwardContentType = (random: SeededRandom): string =>
  random.chance(0.8) ? random.oneOf(CONTENT_TYPES) : awkwardHeaderText(random)

export const awkwardHost = (random: SeededRandom): string =>
  random.chance(0.8) ? random.oneOf(HOST_NAMES) : awkwardHeaderText(random)

export const headerName = (random: SeededRandom): string => random.oneOf(HEADER_NAMES)

/** A part of an address. As a browser sends it, or with bytes that no browser would send. */
export const awkwardSegment = (random: SeededRandom): string => {
  const text = random.oneOf([
    () =>
      random.oneOf([
        '..',
        '%2e%2e',
        '%zz',
        '%',
        '%00',
        '%ff',
        '%ED%A0%BD',
        'caf%e9',
        '.',
        ';a=b',
        '*',
        'preview',
        'api',
        'v1',
        '3ds',
      ]),
    () => 'a'.repeat(random.oneOf([1, 31, 32, 33, 200, 5000])),
    () => encodeURIComponent(awkwardText(random).toWellFormed()),
    () => awkwardText(random).replaceAll(/[^!-~\u00a0-\u00ff]/g, ''),
  ])
  return text().replaceAll(/[?#]/g, '')
}
