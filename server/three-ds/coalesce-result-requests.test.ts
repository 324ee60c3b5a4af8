import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreeDSResult, ThreeDSSession } from '#payment/three-ds-port.ts'
import { decidedOutcome, scriptedThreeDSServer } from '../../proof/harness/fake-three-ds-servers.ts'
import { coalesceResultRequests } from './coalesce-result-requests.ts'

const ACCOUNT = { merchantId: 'tea-id', mode: 'live' } as const

const sessionOf = (serverTransId: string): ThreeDSSession => ({
  requestorTransId: 'r',
  serverTransId,
  authUrl: 'https://3ds-server.example/auth',
  challenge: null,
})

const openShared = () => {
  const server = scriptedThreeDSServer()
  let now = 0
  const shared = coalesceResultRequests(server, () => now)
  return { server, shared, advance: (ms: number) => (now += ms), asked: () => server.received.results.length }
}

test('many calls that wait for one challenge ask its result once, and all hear the answer', async () => {
  const { server, shared, asked } = openShared()
  const { promise, resolve } = Promise.withResolvers<ThreeDSResult>()
  const { result } = server
  server.result = async (session, account) => {
    await result(session, account)
    return promise
  }
  const again = coalesceResultRequests(server, () => 0)
  const calls = Array.from({ length: 50 }, () => again.result(sessionOf('s1'), ACCOUNT))
  const other = again.result(sessionOf('s2'), ACCOUNT)
  resolve(decidedOutcome('Y'))
  for (const answer of await Promise.all(calls)) assert.deepEqual(answer, decidedOutcome('Y'))
  await other
  assert.equal(asked(), 2)
  assert.notEqual(shared, again)
})

test('a result that is pending is asked for again after 300 ms and not sooner; a decision is never kept', async () => {
  const { server, shared, advance, asked } = openShared()
  for (let call = 0; call < 20; call += 1)
    assert.equal((await shared.result(sessionOf('s1'), ACCOUNT)).outcome, 'pending')
  assert.equal(asked(), 1)
  advance(299)
  await shared.result(sessionOf('s1'), ACCOUNT)
  assert.equal(asked(), 1)
  advance(1)
  server.answers.result = decidedOutcome('Y')
  assert.deepEqual(await shared.result(sessionOf('s1'), ACCOUNT), decidedOutcome('Y'))
  server.answers.result = decidedOutcome('N')
  assert.deepEqual(await shared.result(sessionOf('s1'), ACCOUNT), decidedOutcome('N'))
  assert.equal(asked(), 3)
})

test('a question that failed is asked again by the next call', async () => {
  const { server, shared } = openShared()
  const { result } = server
  server.result = () => Promise.reject(new Error('lost'))
  const failing = coalesceResultRequests(server, () => 0)
  await assert.rejects(failing.result(sessionOf('s1'), ACCOUNT), /lost/)
  server.result = result
  assert.equal((await shared.result(sessionOf('s1'), ACCOUNT)).outcome, 'pending')
})
