import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Check } from 'typebox/value'
import { MERCHANT_ROUTES } from '#contract/access.ts'
import { PersonMeAnswer } from '#contract/console/me.ts'
import { DAY_MS, MINUTE_MS } from '#contract/jst.ts'
import { MERCHANT_BASE, type CallPath } from '#contract/paths.ts'
import { isRefusal } from '#contract/errors.ts'
import { statusAndCode } from '../../../proof/harness/error-answers.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { consoleHeaders, openSession, savePersonWithPasskey } from '../../../proof/harness/test-people.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { cancel } from '../../operations/cancel.ts'
import { listAuditLines } from '../../store/people/audit.ts'
import { deleteMembership } from '../../store/people/memberships.ts'
import type { Person } from '../../store/people/people.ts'
import { KEY_LIMITS } from '../limits/key-limits.ts'

describe('a person calls the merchant API from the console', () => {
  let server: TestServer
  let owner: Person
  let acquirer: ReturnType<typeof fakeGateway>

  const open = async (more: Partial<Parameters<typeof openTestServer>[0]> = {}): Promise<void> => {
    const clock = virtualClock()
    const gateway = fakeGateway()
    gateway.charge = async ({ orderCode, amountYen }, remember) => {
      assert.ok(await remember(orderCode))
      return { outcome: 'charged', transactionId: 'txn_1', approvedAt: clock.now(), amountYen }
    }
    gateway.refund = async ({ amountYen }) => ({ outcome: 'refunded', amountYen, refundedAt: clock.now() })
    acquirer = gateway
    server = await openTestServer({ gateway, clock, ...more })
    owner = await savePersonWithPasskey(
      server.deps.database,
      { name: 'hanako', member: { merchantId: 'tea-id', role: 'owner' } },
      clock.now(),
    )
  }
  before(() => open())

  const session = (beganBy?: 'link'): Promise<string> =>
    openSession(server.deps.database, owner, server.clock.now(), beganBy)

  const call = (
    token: string,
    method: CallPath['method'],
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<LightMyRequestResponse> =>
    server.app.inject({
      method,
      url: MERCHANT_BASE + path,
      headers: { ...consoleHeaders(token, { merchant: 'tea' }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })

  /** Who, what, which and how, as one text each. */
  const audited = async (): Promise<string[]> => {
    const { items } = await listAuditLines(server.deps.database, 'tea-id', { after: null, limit: 100 })
    return items.map(({ action, subject, details, person }) => [person.name, action, subject, details].join('|'))
  }

  const paidCheckout = async (token: string): Promise<string> => {
    const { id } = (await call(token, 'POST', '/checkouts', { amount: 1980 })).json<{ id: string }>()
    assert.equal((await server.pay(id, await server.startAttempt(id))).statusCode, 200)
    return id
  }

  test('and is told the shop, the mode, the role and what it may do', async () => {
    const answer = await call(await session(), 'GET', '/me')
    assert.ok(Check(PersonMeAnswer, answer.json()), answer.body)
    assert.deepEqual(answer.json(), {
      merchant: { label: 'tea', name: 'Aoyama Tea' },
      mode: 'test',
      person: { name: 'hanako', role: 'owner', access: 'full' },
    })
  })

  test('and names shop and mode in every call', async () => {
    const token = await session()
    for (const [header, value] of [
      ['merchant', ''],
      ['mode', 'real'],
    ] as const) {
      const answer = await call(token, 'GET', '/me', undefined, { [header]: value })
      assert.deepEqual(statusAndCode(answer), [400, 'invalid_field'])
      assert.equal(answer.json<{ params: { field: string } }>().params.field.toLowerCase(), header)
    }
  })

  test('and reads and changes nothing in a session that began by a link, before there is a passkey', async () => {
    const token = await session('link')
    for (const [method, path, body] of [
      ['GET', '/me', undefined],
      ['PATCH', '/settings', { colorCode: '#000000' }],
      ['POST', '/webhooks', { url: 'https://shop.example.com/' }],
      ['POST', '/checkouts', { amount: 100 }],
    ] as const)
      assert.deepEqual(statusAndCode(await call(token, method, path, body)), [403, 'passkey_needed'], path)
  })

  test('and refunds only when the passkey was asked for within five minutes', async () => {
    const id = await paidCheckout(await session())
    const refund = (token: string, refundId: string) =>
      call(token, 'POST', `/checkouts/${id}/refunds`, { refundId, amount: 100 })
    assert.deepEqual(statusAndCode(await refund(await session('link'), 'r-1')), [403, 'passkey_needed'])
    const token = await session()
    server.clock.advance(5 * MINUTE_MS)
    assert.equal((await refund(token, 'r-1')).statusCode, 201)
    server.clock.advance(1)
    assert.deepEqual(statusAndCode(await refund(token, 'r-2')), [403, 'passkey_needed'])
  })

  test('and refunds nothing with a passkey that confirms only later, and is told from when on', async () => {
    const id = await paidCheckout(await session())
    const token = await session()
    const until = server.clock.now() + DAY_MS
    await server.deps.database.rows('UPDATE passkeys SET confirms_from = $1', until)
    const answer = await call(token, 'POST', `/checkouts/${id}/refunds`, { refundId: 'r-1' })
    assert.deepEqual(statusAndCode(answer), [403, 'passkey_too_new'])
    assert.deepEqual(answer.json<{ params: object }>().params, { until: new Date(until).toISOString() })
    await server.deps.database.rows('UPDATE passkeys SET confirms_from = 0')
  })

  test('and changes no settings, pictures and webhooks with such a passkey; reading and selling go on', async () => {
    const token = await session()
    await server.deps.database.rows('UPDATE passkeys SET confirms_from = $1', server.clock.now() + DAY_MS)
    const changes = Object.entries(MERCHANT_ROUTES).filter(
      ([, { access, method }]) => access === 'full' && method !== 'GET',
    )
    const names = changes.map(([name]) => name)
    for (const name of ['changeSettings', 'replacePicture', 'removePicture', 'createWebhook', 'rollWebhook'])
      assert.ok(names.includes(name), name)
    for (const [name, { method, path }] of changes) {
      const answer = await call(token, method, path.replaceAll(/:\w+/g, 'x'), {}, { 'if-match': '*' })
      assert.deepEqual(statusAndCode(answer), [403, 'passkey_too_new'], name)
    }
    assert.equal((await call(token, 'GET', '/webhooks')).statusCode, 200)
    const { id } = (await call(token, 'POST', '/checkouts', { amount: 500 })).json<{ id: string }>()
    assert.equal((await call(token, 'POST', `/checkouts/${id}/cancel`)).statusCode, 200)
    assert.equal((await call(token, 'POST', '/links', { amount: 500 })).statusCode, 201)
    await server.deps.database.rows('UPDATE passkeys SET confirms_from = 0')
    assert.equal(
      (await call(token, 'PATCH', '/settings', { colorCode: '#000001' }, { 'if-match': '*' })).statusCode,
      200,
    )
  })

  test('and each change, and nothing else, is a line of the audit list', async () => {
    await server.deps.database.rows('DELETE FROM audit_lines')
    const token = await session()
    const id = await paidCheckout(token)
    const key = { 'idempotency-key': 'order-1' }
    const once = (await call(token, 'POST', '/checkouts', { amount: 500 }, key)).json<{ id: string }>()
    assert.equal((await call(token, 'POST', '/checkouts', { amount: 500 }, key)).headers['idempotent-replayed'], 'true')
    await call(token, 'GET', `/checkouts/${id}`)
    // It is paid: nothing is changed.
    assert.equal((await call(token, 'POST', `/checkouts/${id}/cancel`)).json<{ status: string }>().status, 'paid')
    assert.equal((await call(token, 'POST', `/checkouts/${once.id}/cancel`)).statusCode, 200)
    const refunded = await call(token, 'POST', `/checkouts/${id}/refunds`, { refundId: 'r-1', amount: 1200 })
    assert.equal(refunded.statusCode, 201)
    const again = await call(token, 'POST', `/checkouts/${id}/refunds`, { refundId: 'r-1', amount: 1200 })
    assert.deepEqual([again.statusCode, again.json()], [201, refunded.json()])
    const settings = { colorCode: '#000000', shopPhoneNumber: null }
    assert.equal((await call(token, 'PATCH', '/settings', settings, { 'if-match': '*' })).statusCode, 200)
    const webhook = (await call(token, 'POST', '/webhooks', { url: 'https://shop.example.com/a?token=b' })).json<{
      id: string
    }>()
    // The key of a program leaves no line.
    await server.createCheckout()
    assert.deepEqual(
      (await audited()).toSorted(),
      [
        `hanako|checkout_created|${id}|¥1,980`,
        `hanako|checkout_created|${once.id}|¥500`,
        `hanako|checkout_cancelled|${once.id}|`,
        `hanako|refund_made|${id}|¥1,200, r-1`,
        'hanako|settings_changed|tea|colorCode, shopPhoneNumber',
        `hanako|webhook_created|${webhook.id}|`,
      ].toSorted(),
    )
  })

  test('and a creation whose line could not be written has it when the same person sends it again', async () => {
    const { database } = server.deps
    const token = await session()
    for (const [path, body, action] of [
      ['/checkouts', { amount: 700 }, 'checkout_created'],
      ['/links', { amount: 700 }, 'link_created'],
    ] as const) {
      await database.rows('DELETE FROM audit_lines')
      const create = () => call(token, 'POST', path, body, { 'idempotency-key': action })
      await database.rows('ALTER TABLE audit_lines RENAME TO audit_lines_away')
      assert.equal((await create()).statusCode, 500)
      await database.rows('ALTER TABLE audit_lines_away RENAME TO audit_lines')
      const again = await create()
      assert.equal(again.headers['idempotent-replayed'], 'true')
      await create()
      const { id } = again.json<{ id: string }>()
      assert.deepEqual(
        (await audited()).map((line) => line.split('|').slice(0, 3)),
        [['hanako', action, id]],
      )
    }
  })

  test('and a cancel whose line could not be written has changed nothing: sent again it cancels, and has its line', async () => {
    const { database } = server.deps
    const token = await session()
    const { id } = (await call(token, 'POST', '/checkouts', { amount: 500 })).json<{ id: string }>()
    const statusOf = async () => (await call(token, 'GET', `/checkouts/${id}`)).json<{ status: string }>().status
    await database.rows('DELETE FROM audit_lines')
    await database.rows('ALTER TABLE audit_lines RENAME TO audit_lines_away')
    assert.equal((await call(token, 'POST', `/checkouts/${id}/cancel`)).statusCode, 500)
    assert.equal(await statusOf(), 'open')
    await database.rows('ALTER TABLE audit_lines_away RENAME TO audit_lines')
    for (let sent = 0; sent < 2; sent += 1)
      assert.equal((await call(token, 'POST', `/checkouts/${id}/cancel`)).statusCode, 200)
    assert.equal(await statusOf(), 'cancelled')
    assert.deepEqual(await audited(), [`hanako|checkout_cancelled|${id}|`])
  })

  test('and a second cancel, and a refund that the acquirer refuses, are no line; one in doubt says so', async () => {
    await open()
    const token = await session()
    const id = await paidCheckout(token)
    const other = (await call(token, 'POST', '/checkouts', { amount: 500 })).json<{ id: string }>().id
    // The shopper has closed it, so that the person's cancel changes nothing.
    assert.ok(!isRefusal(await cancel(server.deps, { merchantId: 'tea-id', checkoutId: other })))
    await server.deps.database.rows('DELETE FROM audit_lines')
    const cancelled = await call(token, 'POST', `/checkouts/${other}/cancel`)
    assert.equal(cancelled.json<{ status: string }>().status, 'cancelled')
    acquirer.refund = async () => ({ outcome: 'refused', reason: 'too late' })
    const refundOf = async (refundId: string) =>
      (await call(token, 'POST', `/checkouts/${id}/refunds`, { refundId, amount: 100 })).json<{ status: string }>()
    assert.equal((await refundOf('r-1')).status, 'refused')
    assert.deepEqual(await audited(), [])
    acquirer.refund = async () => ({ outcome: 'unknown', why: 'timeout' })
    assert.equal((await refundOf('r-2')).status, 'pending')
    assert.deepEqual(await audited(), [`hanako|refund_made|${id}|¥100, r-2, pending`])
  })

  test('and is refused from the next call on when the person was removed from the shop', async () => {
    const token = await session()
    assert.equal((await call(token, 'GET', '/me')).statusCode, 200)
    await deleteMembership(server.deps.database, 'tea-id', owner.id)
    assert.deepEqual(statusAndCode(await call(token, 'GET', '/me')), [403, 'role_not_allowed'])
  })

  test('as often as a key may, in all sessions together, then it is 429; another person is not in the way', async () => {
    await open({ keyLimits: KEY_LIMITS })
    const [token, second] = [await session(), await session()]
    const facts = { name: 'other', member: { merchantId: 'tea-id', role: 'viewer' } } as const
    const person = await savePersonWithPasskey(server.deps.database, facts, server.clock.now())
    const other = await openSession(server.deps.database, person, server.clock.now())
    const { burst } = KEY_LIMITS.test.calls
    for (let calls = 0; calls < burst; calls += 1) assert.equal((await call(token, 'GET', '/me')).statusCode, 200)
    for (const each of [token, second])
      assert.deepEqual(statusAndCode(await call(each, 'GET', '/me')), [429, 'too_many_requests'])
    assert.equal((await call(other, 'GET', '/me')).statusCode, 200)
  })
})
