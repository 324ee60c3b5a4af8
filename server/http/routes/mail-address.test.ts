import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { CONFIRMATION_LIFETIME_MS } from '#payment/mail-permission.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { confirmationWords } from '../pages/confirmation-words.ts'
import { isRegistered, markAsked, saveToken } from '../../store/outbox/mail-addresses.ts'

const TOKEN = 'a'.repeat(32)
const PATH = `/mail-address/${TOKEN}`
const REF = { merchantId: 'tea-id', address: 'dev@example.com' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('the page on which an address confirms', () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    beforeEach(async () => {
      server = await openTestServer({ gateway: fakeGateway(), database: await open(), clock: virtualClock() })
      const { database, clock } = server.deps
      await markAsked(database, REF, clock.now())
      await saveToken(database, REF, TOKEN, clock.now())
    })
    const send = ({ headers, ...more }: InjectOptions = {}) =>
      server.app.inject({ method: 'GET', url: PATH, ...more, headers: { host: 'tea.localhost:3000', ...headers } })
    const press = (more: InjectOptions = {}) => send({ method: 'POST', ...more, headers: { ...FORM, ...more.headers } })
    const isConfirmed = () => isRegistered(server.deps.database, REF)

    test('changes nothing when it is opened, however often, and confirms by its button', async () => {
      for (const method of ['GET', 'HEAD', 'GET'] as const) assert.equal((await send({ method })).statusCode, 200)
      assert.equal(await isConfirmed(), false)
      assert.match((await send()).body, /<form method="post"><button>/)
      const pressed = await press()
      assert.equal(pressed.statusCode, 200)
      assert.ok(pressed.body.includes(confirmationWords['en-US'].confirmed.title))
      assert.equal(await isConfirmed(), true)
      // Reloaded, and pressed once more.
      for (const answer of [await send(), await press()]) {
        assert.equal(answer.statusCode, 200)
        assert.doesNotMatch(answer.body, /<form/)
      }
    })

    test('runs no script, is kept by nobody, is framed by nobody, and tells neither the address nor the shop’s words', async () => {
      for (const answer of [await send(), await press()]) {
        const { headers, body } = answer
        assert.match(
          String(headers['content-security-policy']),
          /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
        )
        assert.equal(headers['cache-control'], 'no-store')
        assert.equal(headers['x-robots-tag'], 'noindex, nofollow')
        assert.equal(headers['referrer-policy'], 'no-referrer')
        assert.doesNotMatch(body, /<script|dev@|Aoyama| on\w+=|https?:/)
        assert.match(body, /tea\.localhost:3000/)
      }
    })

    test('is drawn in six languages: that of its link, or else that of the browser', async () => {
      for (const locale of PAGE_LOCALES) {
        const { body } = await send({ url: `${PATH}?locale=${locale}`, headers: { 'accept-language': 'en' } })
        assert.ok(body.includes(`<html lang="${locale}">`) && body.includes(confirmationWords[locale].open.text))
      }
      assert.ok((await send({ headers: { 'accept-language': 'ja' } })).body.includes('<html lang="ja">'))
    })

    test('is there on the host of its merchant alone', async () => {
      for (const host of ['books.localhost:3000', 'localhost:3000', '3ds.localhost:3000', 'none.localhost:3000'])
        for (const method of ['GET', 'POST'] as const) {
          const answer = await send({ method, headers: { host, ...FORM } })
          assert.equal(answer.statusCode, 404, `${method} ${host}`)
        }
      assert.equal(await isConfirmed(), false)
    })

    test('ends after 72 hours, to the millisecond', async () => {
      server.clock.advance(CONFIRMATION_LIFETIME_MS - 1)
      assert.equal((await send()).statusCode, 200)
      server.clock.advance(1)
      for (const answer of [await send(), await press()]) {
        assert.equal(answer.statusCode, 404)
        assert.ok(answer.body.includes(confirmationWords['en-US'].gone.title))
      }
      assert.equal(await isConfirmed(), false)
    })

    test('is not found under what is no token of ours, and a body beyond a form’s is refused unread', async () => {
      for (const token of ['b'.repeat(32), 'a'.repeat(31), 'a'.repeat(33), 'A'.repeat(32), '%00', '..%2f'])
        assert.equal((await press({ url: `/mail-address/${token}` })).statusCode, 404, token)
      assert.equal((await press({ payload: 'x'.repeat(1025) })).statusCode, 413)
      assert.equal((await press({ payload: '{}', headers: { 'content-type': 'application/json' } })).statusCode, 415)
      assert.equal(await isConfirmed(), false)
      assert.equal((await press({ payload: 'x'.repeat(1024) })).statusCode, 200)
    })
  })
})
