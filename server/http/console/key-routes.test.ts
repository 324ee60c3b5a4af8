import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { KeyAnswer } from '#contract/console/keys.ts'
import { DAY_MS } from '#contract/jst.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { statusAndCode } from '../../../proof/harness/error-answers.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { consoleHeaders, openSession, savePersonWithPasskey } from '../../../proof/harness/test-people.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import type { Database } from '../../store/engine/database.ts'
import type { ApiKey } from '../../store/merchant/keys.ts'
import { deleteMembership, saveMembership } from '../../store/people/memberships.ts'
import type { Person } from '../../store/people/people.ts'
import { hasTooManyKeys, listedKeys } from './key-routes.ts'

describe('the owner of a shop changes its API keys', () => {
  let server: TestServer
  let owner: Person
  /** What happens between the check of a call and its transaction. */
  let meanwhile = async (): Promise<void> => {}

  before(async () => {
    const store = await openSqliteInMemory()
    const database: Database = {
      ...store,
      transact: async (work) => {
        await meanwhile()
        return store.transact(work)
      },
    }
    server = await openTestServer({ database, gateway: fakeGateway(), clock: virtualClock() })
    const member = { merchantId: 'tea-id', role: 'owner' } as const
    owner = await savePersonWithPasskey(server.deps.database, { name: 'hanako', member }, server.clock.now())
  })

  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<LightMyRequestResponse> => {
    const token = await openSession(server.deps.database, owner, server.clock.now())
    const headers = consoleHeaders(token, { merchant: 'tea' })
    return server.app.inject({ method, url: `/console/v1${path}`, headers, ...(body && { payload: body }) })
  }
  const create = async (body: object): Promise<KeyAnswer & { readonly key: string }> => {
    const answer = await call('POST', '/keys', body)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json()
  }
  const listed = async (): Promise<KeyAnswer[]> => (await call('GET', '/keys')).json<{ items: KeyAnswer[] }>().items
  const stateOf = async ({ id }: KeyAnswer): Promise<string | undefined> =>
    (await listed()).find((each) => each.id === id)?.state
  const status = async (key: string): Promise<number> => {
    const headers = { host: 'localhost:3000', authorization: `Bearer ${key}` }
    return (await server.app.inject({ url: '/merchant/v1/me', headers })).statusCode
  }

  test('a key is shown when it is made, works at once, and is listed without itself', async () => {
    const { key, ...made } = await create({ mode: 'test', access: 'sales', name: 'web shop' })
    assert.equal(await status(key), 200)
    assert.deepEqual([made.mode, made.access, made.name, made.state], ['test', 'sales', 'web shop', 'active'])
    const answer = await call('GET', '/keys')
    assert.ok(!answer.body.includes(key))
    assert.equal(answer.json<{ items: KeyAnswer[] }>().items[0]?.id, made.id)
  })

  test('the old key of a roll works for a day beside the new one; a revoked one ends at once', async () => {
    const old = await create({ mode: 'test', access: 'read' })
    const answer = await call('POST', `/keys/${old.id}/roll`, {})
    assert.equal(answer.statusCode, 201, answer.body)
    const rolled = answer.json<KeyAnswer & { key: string; oldExpiresAt: string }>()
    assert.equal(rolled.oldExpiresAt, new Date(server.clock.now() + DAY_MS).toISOString())
    assert.deepEqual([await status(old.key), await status(rolled.key)], [200, 200])
    server.clock.advance(DAY_MS)
    assert.deepEqual([await status(old.key), await status(rolled.key)], [401, 200])
    assert.deepEqual(statusAndCode(await call('POST', `/keys/${old.id}/roll`, {})), [404, 'key_not_found'])
    assert.equal((await call('POST', `/keys/${rolled.id}/revoke`)).statusCode, 200)
    assert.equal(await status(rolled.key), 401)
    assert.deepEqual([await stateOf(old), await stateOf(rolled)], ['expired', 'revoked'])
  })

  test('a key that ends by itself is rolled into one that does too', async () => {
    const expiresAt = new Date(server.clock.now() + 30 * DAY_MS).toISOString()
    const old = await create({ mode: 'test', access: 'read', expiresAt })
    assert.equal(old.expiresAt, expiresAt)
    assert.deepEqual(statusAndCode(await call('POST', `/keys/${old.id}/roll`, {})), [400, 'invalid_field'])
    assert.equal((await call('POST', `/keys/${old.id}/roll`, { expiresAt })).statusCode, 201)
  })

  test('a key of another shop is none, and what cannot be is refused by its name', async () => {
    const [key] = await server.deps.database.rows("SELECT hash FROM api_keys WHERE merchant_id = 'books-id'")
    const id = String(key?.['hash']).slice(0, 16)
    for (const path of [`/keys/${id}/revoke`, '/keys/nothing/revoke'])
      assert.deepEqual(statusAndCode(await call('POST', path)), [404, 'key_not_found'])
    for (const [field, body] of [
      ['mode', { mode: 'real', access: 'full' }],
      ['access', { mode: 'test', access: 'all' }],
      ['name', { mode: 'test', access: 'full', name: 'a\nb' }],
      ['name', { mode: 'test', access: 'full', name: 'till 4012 8888 8888 1881' }],
      ['expiresAt', { mode: 'test', access: 'full', expiresAt: '2001-01-01' }],
      ['expiresAt', { mode: 'test', access: 'full', expiresAt: 'soon' }],
    ] as const) {
      const answer = await call('POST', '/keys', body)
      assert.deepEqual(statusAndCode(answer), [400, 'invalid_field'], answer.body)
      assert.equal(answer.json<{ params: { field: string } }>().params.field, field)
    }
  })

  test('each change is a line of the audit list, the newest first, page by page', async () => {
    // Lines of one millisecond have no order among each other.
    server.clock.advance(1)
    const { id } = await create({ mode: 'live', access: 'full', name: 'till' })
    server.clock.advance(1)
    await call('POST', `/keys/${id}/revoke`)
    interface Page {
      readonly items: { action: string; subject: string; details: string; mode: string; person: string }[]
      readonly after: string | null
    }
    const first = (await call('GET', '/audit?limit=1')).json<Page>()
    const second = (await call('GET', `/audit?limit=1&after=${first.after}`)).json<Page>()
    const lines = [...first.items, ...second.items].map(({ action, subject, details, mode, person }) => ({
      action,
      subject,
      details,
      mode,
      person,
    }))
    const facts = { subject: id, details: 'full, till', mode: 'live', person: 'hanako' }
    assert.deepEqual(lines, [
      { action: 'key_revoked', ...facts },
      { action: 'key_created', ...facts },
    ])
    assert.deepEqual(statusAndCode(await call('GET', '/audit?after=nowhere')), [400, 'invalid_field'])
  })

  test('who is removed while a call about keys is under way changes none', async () => {
    const { id } = await create({ mode: 'test', access: 'full' })
    const keysBefore = await server.deps.database.rows('SELECT * FROM api_keys ORDER BY hash')
    meanwhile = () => deleteMembership(server.deps.database, 'tea-id', owner.id)
    for (const [path, body] of [
      ['/keys', { mode: 'test', access: 'full' }],
      [`/keys/${id}/roll`, {}],
      [`/keys/${id}/revoke`, undefined],
    ] as const) {
      await saveMembership(server.deps.database, { merchantId: 'tea-id', personId: owner.id, role: 'owner' }, 0)
      assert.deepEqual(statusAndCode(await call('POST', path, body)), [403, 'role_not_allowed'])
    }
    meanwhile = async () => {}
    assert.deepEqual(await server.deps.database.rows('SELECT * FROM api_keys ORDER BY hash'), keysBefore)
  })

  const NOW = 1_000 * DAY_MS
  const keyAt = (createdAt: number, more: Partial<ApiKey> = {}): ApiKey => ({
    hash: `h${createdAt}`,
    merchantId: 'tea-id',
    mode: 'test',
    access: 'full',
    name: null,
    hint: null,
    createdAt,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    ...more,
  })
  const keys = (count: number, from: number, more: Partial<ApiKey> = {}): ApiKey[] =>
    Array.from({ length: count }, (_each, at) => keyAt(from + at, more))

  test('a shop has a hundred keys that work, and makes no more than a hundred a day', () => {
    assert.ok(!hasTooManyKeys([...keys(99, 0), ...keys(500, 0, { revokedAt: 1 })], NOW))
    assert.ok(hasTooManyKeys(keys(100, 0), NOW))
    assert.ok(hasTooManyKeys(keys(100, NOW - 1000, { revokedAt: NOW }), NOW))
  })

  test('all keys that work are listed, and of those that have ended the last hundred', () => {
    const shown = listedKeys([...keys(150, 0, { revokedAt: 1 }), keyAt(500)], NOW)
    assert.equal(shown.length, 101)
    assert.deepEqual([shown[0]?.createdAt, shown[1]?.createdAt, shown.at(-1)?.createdAt], [500, 149, 50])
  })
})
