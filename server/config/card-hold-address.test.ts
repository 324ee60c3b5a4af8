import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCardHoldAddress } from './card-hold-address.ts'

const ONE = { sentinelName: null, username: null, password: null }

test('a hold is one server, with TLS anywhere and without it on this machine alone', () => {
  const local = [{ host: '127.0.0.1', port: 6380 }]
  assert.deepEqual(readCardHoldAddress('redis://127.0.0.1:6380'), { ...ONE, hosts: local, tls: false })
  assert.deepEqual(readCardHoldAddress('redis://localhost/0'), {
    ...ONE,
    hosts: [{ host: 'localhost', port: 6379 }],
    tls: false,
  })
  assert.deepEqual(readCardHoldAddress('redis://[::1]:7000'), {
    ...ONE,
    hosts: [{ host: '::1', port: 7000 }],
    tls: false,
  })
  const remote = [{ host: 'hold.example.com', port: 80 }]
  assert.deepEqual(readCardHoldAddress('rediss://hold.example.com:80'), { ...ONE, hosts: remote, tls: true })
})

test('Sentinels are several hosts and the name of what they watch, with user and password', () => {
  assert.deepEqual(readCardHoldAddress('rediss+sentinel://kaikei:p%40ss@a.example,b.example:26380/cards'), {
    hosts: [
      { host: 'a.example', port: 26379 },
      { host: 'b.example', port: 26380 },
    ],
    sentinelName: 'cards',
    tls: true,
    username: 'kaikei',
    password: 'p@ss',
  })
})

const refused: readonly (readonly [string, RegExp])[] = [
  ['http://127.0.0.1', /cannot be read/],
  ['redis://', /cannot be read/],
  ['redis://hold.example.com:6379', /without TLS/],
  ['redis+sentinel://127.0.0.1,10.0.0.2/cards', /without TLS/],
  ['redis://127.0.0.1,127.0.0.2', /several hosts/],
  ['redis+sentinel://127.0.0.1', /names no primary/],
  ['rediss://hold.example.com/3', /names a database/],
  ['rediss://hold.example.com:port', /host that cannot be read/],
]
for (const [address, why] of refused)
  test(`the address ${address} is refused`, () => {
    const read = readCardHoldAddress(address)
    assert.match('problem' in read ? read.problem : 'taken', why)
  })

test('what is wrong with an address is said without its password', () => {
  for (const address of ['redis://u:hunter2@hold.example.com', 'redis:/u:hunter2@x', 'rediss://u:hunter2@h/5'])
    assert.doesNotMatch(JSON.stringify(readCardHoldAddress(address)), /hunter2/)
})
