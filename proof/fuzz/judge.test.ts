import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OVERSIZED_LENGTH } from './awkward-values.ts'
import type { FuzzAnswer } from './connection.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { problemOf, problemOfExchange } from './judge.ts'

const request = (target: string, method = 'GET'): FuzzRequest => ({ method, target, headers: {}, body: null })
const answer = (status: number, body = '', headers: Readonly<Record<string, string>> = {}): FuzzAnswer => ({
  status,
  body,
  headers: new Map(Object.entries({ 'x-content-type-options': 'nosniff', ...headers })),
})
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const errorBody = (code: string): string => JSON.stringify({ type: 't', code, message: 'm', params: {} })

const READ = '/api/v1/checkouts/x'

test('every 5xx is a problem, but for the error page at its own address', () => {
  assert.equal(problemOf(answer(503), request('/404')), 'answered 503')
  assert.equal(problemOf(answer(500), request('/500?locale=ja')), undefined)
  assert.equal(problemOf(answer(500), request('/%35%30%30')), undefined)
  assert.equal(problemOf(answer(503), request('/500')), 'answered 503')
  assert.equal(problemOf(answer(500), request('/500/')), 'answered 500')
})

test('an answer without our headers, a redirect to another host and a card number are problems', () => {
  assert.equal(problemOf(answer(404), request('/x')), undefined)
  assert.equal(problemOf({ ...answer(404), headers: new Map() }, request('/x')), '404 without our headers')
  assert.equal(problemOf(answer(303, '', { location: '/404' }), request('/x')), undefined)
  for (const location of ['//evil.example', 'https://evil.example'])
    assert.equal(problemOf(answer(303, '', { location }), request('/x')), 'a redirect to another host')
  assert.equal(problemOf(answer(200, '"4242424242424242"'), request(READ)), 'a card number in the answer')
})

test('an answer that a strict reader cannot read is a problem: bytes, JSON, and JSON within a page', () => {
  const problem = (body: string, type = 'application/json; charset=utf-8', more: Partial<FuzzAnswer> = {}) =>
    problemOf({ ...answer(200, body, { 'content-type': type }), ...more }, request(READ))
  assert.equal(problem(String.raw`{"a":"\ud83c\udf75 \\ud83d"}`), undefined)
  assert.equal(problem(String.raw`{"a":["x\ud83d"]}`), 'half a surrogate pair in JSON')
  assert.equal(problem(String.raw`{"x\uDF75":1}`), 'half a surrogate pair in JSON')
  assert.equal(problem('{"a":'), 'JSON that cannot be parsed')
  assert.equal(problem('a,b\r\n', 'text/csv; charset=utf-8', { isBroken: true }), 'bytes that are no UTF-8')
  const page = (json: string) => `<html><script type="application/json" id="inlined">${json}</script></html>`
  assert.equal(problem(page('{"subject":"茶"}'), 'text/html; charset=utf-8'), undefined)
  const broken = page(String.raw`{"subject":"\ud83d"}`)
  assert.equal(problem(broken, 'text/html; charset=utf-8'), 'half a surrogate pair in JSON')
})

test('a refused call must answer with an error that the contract declares for it', () => {
  const refused = (body: string, target = READ, method = 'GET') =>
    problemOf(answer(404, body, JSON_TYPE), request(target, method))
  assert.equal(refused(errorBody('checkout_not_found')), undefined)
  assert.match(refused(errorBody('refund_mismatch')) ?? '', /answers with refund_mismatch/)
  assert.match(refused(errorBody('no_such_code')) ?? '', /an error body that the contract does not know/)
  assert.match(refused('{"code":"checkout_not_found"}') ?? '', /an error body that the contract does not know/)
  // It cannot be decoded, so it reaches no call.
  assert.equal(refused(errorBody('method_not_allowed'), `${READ}%`), undefined)
  assert.equal(problemOf(answer(404, '<html>'), request(READ)), '404 of a call without an error body')
  assert.equal(problemOf(answer(414, 'too long'), request(READ)), undefined)
})

test('silence is a problem, and a closed connection unless the body was too long to be read', () => {
  assert.equal(problemOfExchange({ outcome: 'hung' }, request('/')), 'no answer and no end')
  assert.equal(problemOfExchange({ outcome: 'closed' }, request('/')), 'closed without an answer')
  const oversized = { ...request('/', 'POST'), body: 'x'.repeat(OVERSIZED_LENGTH) }
  assert.equal(problemOfExchange({ outcome: 'closed' }, oversized), undefined)
})
