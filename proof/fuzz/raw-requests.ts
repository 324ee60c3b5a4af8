/** Raw requests: bytes that are no proper HTTP, uploads that are broken off, half requests, and several at once. */
import type { SeededRandom } from '../harness/seeded-random.ts'
import { awkwardHeaderText, OVERSIZED_LENGTH } from './awkward-values.ts'
import { bytesOf, type FuzzRequest } from './fuzz-request.ts'

export interface RawRequest {
  readonly what: string
  readonly bytes: Buffer
  /**
   * What the sender does then. `read`: waits for an answer, and ends the connection when none comes in a while; `end`: ends
   * it at once and reads on; `cut`: is gone; `reset`: is gone a moment later, with a reset; `hold`: does nothing, so that the
   * server must end it by its own limits.
   */
  readonly ending: 'read' | 'end' | 'cut' | 'reset' | 'hold'
}

type Maker = (request: FuzzRequest, random: SeededRandom, next: () => FuzzRequest) => RawRequest

const CLOSE = ['connection: close']

const withBody = (request: FuzzRequest): FuzzRequest => ({
  ...request,
  method: request.method === 'GET' || request.method === 'HEAD' ? 'POST' : request.method,
  headers: { 'content-type': 'application/json', ...request.headers },
  body: null,
})

const leave = (random: SeededRandom): 'end' | 'cut' | 'reset' => random.oneOf(['end', 'cut', 'reset'])

const abortedUpload: Maker = (request, random) => {
  const sent = (request.body ?? '{"card":{"number":"').slice(0, random.between(0, 200))
  const promised = Buffer.byteLength(sent) + random.oneOf([1, 5000, 60_000, 10_000_000])
  const head = bytesOf(withBody(request), [`content-length: ${promised}`])
  return { what: 'aborted upload', bytes: Buffer.concat([head, Buffer.from(sent)]), ending: leave(random) }
}

const abortedChunks: Maker = (request, random) => {
  const head = bytesOf(withBody(request), ['transfer-encoding: chunked'])
  const chunks = random.oneOf(['', '5\r\n', '5\r\n{"car', '5\r\n{"car\r\n', 'ffffffff\r\nx', '5\r\nabcde\r\n0\r\n'])
  return { what: 'aborted chunks', bytes: Buffer.concat([head, Buffer.from(chunks)]), ending: leave(random) }
}

const CHUNKED_BODIES = [
  '2\r\n{}\r\n0\r\n\r\n',
  'zz\r\n{}\r\n0\r\n\r\n',
  '2;ext=1\r\n{}\r\n0\r\ntrailer: 1\r\n\r\n',
  '-1\r\n{}\r\n0\r\n\r\n',
  'fffffffffffffffff\r\n{}\r\n0\r\n\r\n',
  '2\n{}\n0\n\n',
] as const

const chunked: Maker = (request, random) => ({
  what: 'chunks',
  bytes: Buffer.concat([
    bytesOf(withBody(request), ['transfer-encoding: chunked', ...CLOSE]),
    Buffer.from(random.oneOf([...CHUNKED_BODIES])),
  ]),
  ending: 'read',
})

const halfRequest: Maker = (request, random) => {
  const bytes = bytesOf(request)
  const what = 'half a request'
  return { what, bytes: bytes.subarray(0, random.between(1, bytes.length - 1)), ending: leave(random) }
}

const damagedBytes: Maker = (request, random) => {
  const bytes = Buffer.from(bytesOf(request, CLOSE))
  const times = random.between(1, 4)
  for (let each = 0; each < times; each += 1)
    bytes[random.between(0, Math.min(bytes.length, 600) - 1)] = random.between(0, 255)
  return { what: 'damaged bytes', bytes, ending: 'read' }
}

/** Lines that say twice, or wrongly, where a body ends, or ask for another protocol. */
const HEADER_LINES = [
  'content-length: -1',
  'content-length: 2\r\ncontent-length: 3',
  'content-length: 0x10',
  'content-length: 99999999999999999999',
  'content-length: 2\r\ntransfer-encoding: chunked',
  'transfer-encoding: identity, xchunked',
  'expect: 100-continue\r\ncontent-length: 2',
  'expect: a miracle',
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA',
  'host: evil.example',
  'Host:',
  ' folded: header',
  'no colon',
  'a\0b: c',
  'x: \x01\x02',
  ': no name',
] as const

const badHeaders: Maker = (request, random) => ({
  what: 'bad headers',
  bytes: Buffer.concat([
    bytesOf({ ...request, body: null }, [random.oneOf([...HEADER_LINES]), ...CLOSE]),
    Buffer.from(random.oneOf(['', '{}', '0\r\n\r\n'])),
  ]),
  ending: 'read',
})

const BEGINNINGS = [
  'hello\r\n\r\n',
  'GET /\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET  / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
  '\r\n\r\n\r\n',
  '\0\0\0\0',
] as const

const noHttp: Maker = (_request, random) => ({
  what: 'no HTTP',
  bytes: Buffer.from(random.oneOf([...BEGINNINGS]) + awkwardHeaderText(random), 'latin1'),
  ending: random.chance(0.5) ? 'read' : 'end',
})

const longHead: Maker = (request, random) => ({
  what: 'a long head',
  bytes: bytesOf({ ...request, body: null }, [
    `x: ${'a'.repeat(random.oneOf([8000, 30_000, 33_000, 60_000]))}`,
    ...CLOSE,
  ]),
  ending: 'read',
})

const oversized: Maker = (request, random) => ({
  what: 'an oversized body',
  bytes: bytesOf({ ...withBody(request), body: 'x'.repeat(random.oneOf([OVERSIZED_LENGTH, 200_000])) }, CLOSE),
  ending: 'read',
})

const pipelined: Maker = (request, random, next) => {
  const others = Array.from({ length: random.between(1, 5) }, () => bytesOf(next()))
  return {
    what: 'pipelined',
    bytes: Buffer.concat([bytesOf(request), ...others, bytesOf(next(), CLOSE)]),
    ending: 'read',
  }
}

/** Each as often as it stands here. */
const MAKERS: readonly [Maker, ...Maker[]] = [
  abortedUpload,
  abortedUpload,
  abortedUpload,
  abortedChunks,
  chunked,
  halfRequest,
  halfRequest,
  damagedBytes,
  damagedBytes,
  badHeaders,
  badHeaders,
  noHttp,
  longHead,
  oversized,
  pipelined,
  pipelined,
]

/** So many are left to the server's own limits: each takes six or twelve seconds, beside all others. */
const HELD_SHARE = 0.02

/** A raw request made of this request and, where several go at once, of the next ones. */
export const rawRequest = (request: FuzzRequest, random: SeededRandom, next: () => FuzzRequest): RawRequest => {
  const made = random.oneOf(MAKERS)(request, random, next)
  const isUnfinished = made.ending !== 'read'
  return isUnfinished && random.chance(HELD_SHARE) ? { ...made, what: `${made.what}, held`, ending: 'hold' } : made
}
