import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { listenDuring } from '../../../proof/harness/end-server.ts'
import { readMe } from '#contract/merchant/me.ts'
import { mayBeDone, problemLine, type ApiProblem } from './api-problem.ts'
import { callMerchantApi } from './call-merchant-api.ts'

const URL_OF_API = 'https://pay.example.com/merchant/v1'

const refused = (code: string, params = {}): ApiProblem => ({
  kind: 'refused',
  code,
  message: 'No.',
  params,
  requestId: 'abc',
})

test('a call may have been carried out when nobody has said no to it', () => {
  for (const code of ['system_error', 'unavailable', 'a_code_of_a_newer_server'])
    assert.equal(mayBeDone(refused(code)), true)
  for (const code of ['invalid_api_key', 'invalid_field', 'not_refundable', 'too_many_requests'])
    assert.equal(mayBeDone(refused(code)), false)
  const unreadable = (status: number): boolean => mayBeDone({ kind: 'unreadable', status, requestId: null })
  assert.deepEqual([200, 299, 300, 404, 499, 500, 502].map(unreadable), [true, true, false, false, false, true, true])
  assert.equal(mayBeDone({ kind: 'no answer', why: 'ECONNRESET' }), true)
  assert.equal(mayBeDone({ kind: 'not sent', why: 'ECONNREFUSED' }), false)
})

test('a line names the code, the words of the server, the mend and the Request-Id, in this order', () => {
  assert.equal(
    problemLine(refused('a_code_of_a_newer_server'), URL_OF_API),
    'a_code_of_a_newer_server: No. Request-Id: abc',
  )
  assert.equal(
    problemLine(refused('too_many_requests', { retryAfterSeconds: 7 }), URL_OF_API),
    'too_many_requests: No. Run it again after 7 s. Request-Id: abc',
  )
  for (const problem of [
    { kind: 'not sent', why: 'ENOTFOUND' },
    { kind: 'no answer', why: 'not in time' },
    { kind: 'unreadable', status: 502, requestId: null },
  ] as const)
    assert.ok(
      problemLine(problem, URL_OF_API).includes(`KAIKEI_URL ${problem.kind === 'no answer' ? '' : 'is '}${URL_OF_API}`),
    )
})

test('a server that says nothing is not waited for without end', async (t) => {
  const port = await listenDuring(
    t,
    createServer(() => undefined),
  )
  const api = { url: `http://127.0.0.1:${port}/merchant/v1`, key: 'sk_test_x' }
  const result = await callMerchantApi(api, readMe, {}, 50)
  assert.deepEqual(result, { ok: false, problem: { kind: 'no answer', why: 'not in time' } })
})
