import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpointMail, type EndpointNews } from './endpoint-mail.ts'

const news = (notice: Partial<EndpointNews['notice']> = {}, url = 'https://shop.example.com/hook'): EndpointNews => ({
  notice: {
    merchantId: 'm1',
    endpointId: 'we_1',
    kind: 'failing',
    failingSince: 7,
    lastAnswer: { status: 500 },
    ...notice,
  },
  endpoint: { mode: 'live', url },
})
const TO = { recipient: 'shop@example.com', locale: null }

test('an endpoint that fails, one that five days of failure have disabled and one that is gone are told apart', () => {
  const kindOf = (notice: Partial<EndpointNews['notice']>): string => endpointMail(news(notice), TO).kind
  assert.equal(kindOf({ kind: 'failing' }), 'endpoint_failing')
  assert.equal(kindOf({ kind: 'failing', lastAnswer: { status: 410 } }), 'endpoint_failing')
  assert.equal(kindOf({ kind: 'disabled' }), 'endpoint_disabled')
  assert.equal(
    kindOf({ kind: 'disabled', lastAnswer: { problem: 'no connection: ECONNREFUSED' } }),
    'endpoint_disabled',
  )
  assert.equal(kindOf({ kind: 'disabled', lastAnswer: { status: 410 } }), 'endpoint_gone')
})

test('the address is host and path: a user, a password, a query and a fragment may be secrets', () => {
  const addressOf = (url: string): string => endpointMail(news({}, url), TO).facts.address
  assert.equal(addressOf('https://me:word@shop.example.com/hook/1?token=abc#part'), 'shop.example.com/hook/1')
  assert.equal(addressOf('http://localhost:8080/hook'), 'localhost:8080/hook')
  assert.equal(addressOf('https://shop.example.com'), 'shop.example.com/')
})

test('each spell of failure is a mail of its own', () => {
  const aboutOf = (failingSince: number): string => endpointMail(news({ failingSince }), TO).about
  assert.equal(aboutOf(7), aboutOf(7))
  assert.notEqual(aboutOf(7), aboutOf(8))
})
