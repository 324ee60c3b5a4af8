import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProxyCall } from './calls.ts'
import { knockAtAllHosts, knocksAt } from './closed-hosts.ts'

const BASE = new URL('https://pay.test:8443')
const SANDBOX_PORT = 3001

const answer = (status: number) => ({ status, headers: {}, body: '' })

test("the acquirer's list of orders is asked for on the bank's host and the 3-D Secure server's, which must say 404", () => {
  const strict = knocksAt(BASE, SANDBOX_PORT).filter(({ allowed }) => allowed.length === 1)
  assert.deepEqual(
    strict.map(({ call, allowed }) => [call.host, call.target, ...allowed]),
    ['/acquirer/v1/orders', '/three-ds/v1/requests'].flatMap((path) => [
      ['3ds-server.pay.test:8443', path, 404],
      ['bank.pay.test:8443', path, 404],
    ]),
  )
})

test('hosts that are refused are counted once each, however often they are tried', async () => {
  const tried: ProxyCall[] = []
  const { hostsTried, reached } = await knockAtAllHosts(BASE, SANDBOX_PORT, async (call) => {
    tried.push(call)
    return answer(404)
  })
  assert.equal(hostsTried, new Set(tried.map(({ host }) => host)).size)
  assert.ok(tried.length > hostsTried)
  assert.deepEqual(reached, [])
})

test('one host that the sandbox takes for a local one is named', async () => {
  const { reached } = await knockAtAllHosts(BASE, SANDBOX_PORT, async ({ host, target }) =>
    answer(host === 'bank.pay.test:1' && target.startsWith('/acquirer') ? 200 : 421),
  )
  assert.deepEqual(
    reached.filter((line) => line.endsWith(' 200')),
    ['/acquirer/v1/orders of bank.pay.test:1 answered 200'],
  )
  // 421 is no answer of the sandbox: on its own two hosts it says that they are not led there.
  assert.equal(reached.length, 5)
})

test('a handshake for a foreign name may be refused, and a call to our own name may not fail', async () => {
  const refuses = async (call: ProxyCall) => {
    if (call.tlsName !== undefined) throw new Error('tlsv1 unrecognized name')
    return answer(404)
  }
  assert.deepEqual((await knockAtAllHosts(BASE, SANDBOX_PORT, refuses)).reached, [])
  const fails = () => Promise.reject(new Error('ECONNREFUSED'))
  await assert.rejects(knockAtAllHosts(BASE, SANDBOX_PORT, fails), /ECONNREFUSED/)
})
