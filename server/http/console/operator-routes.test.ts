import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { FindingAnswer, OutboxItemAnswer, ShopAnswer } from '#contract/console/operator.ts'
import { statusAndCode } from '../../../proof/harness/error-answers.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { consoleHeaders, openSession, savePersonWithPasskey } from '../../../proof/harness/test-people.ts'
import { createTestApp, openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { listAuditLines } from '../../store/people/audit.ts'
import type { Person } from '../../store/people/people.ts'

describe('the operator of the installation', () => {
  let server: TestServer
  let operator: Person
  let app: TestServer['app']
  const doctor = { runs: 0, end: (_findings: FindingAnswer[]): void => undefined }

  before(async () => {
    const gateway = fakeGateway()
    gateway.charge = async () => ({ outcome: 'unknown', why: 'timeout' })
    gateway.inquire = async () => ({ outcome: 'unknown', why: 'timeout' })
    server = await openTestServer({ gateway, clock: virtualClock() })
    app = await createTestApp(server.deps, null, {
      runDoctor: () => {
        doctor.runs += 1
        return new Promise((resolve) => {
          doctor.end = resolve
        })
      },
    })
    const facts = { name: 'operator', isOperator: true }
    operator = await savePersonWithPasskey(server.deps.database, facts, server.clock.now())
  })

  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<LightMyRequestResponse> => {
    const token = await openSession(server.deps.database, operator, server.clock.now())
    const headers = consoleHeaders(token, { merchant: '' })
    return app.inject({ method, url: `/console/v1/operator${path}`, headers, ...(body && { payload: body }) })
  }
  const audited = async (label: string): Promise<string[]> => {
    const [shop] = await server.deps.database.rows('SELECT id FROM merchants WHERE label = $1', label)
    const page = await listAuditLines(server.deps.database, String(shop?.['id']), { after: null, limit: 10 })
    return page.items.map(({ action, person }) => `${action} by ${person.name}`)
  }
  const OWNER = { email: 'taro@example.com', locale: 'ja' }

  test('opens a shop and invites its first owner, whom the link makes one', async () => {
    const shop = { label: 'rice', shopName: 'Aoyama Rice', shopEmail: 'rice@example.com', owner: OWNER }
    const answer = await call('POST', '/shops', shop)
    assert.equal(answer.statusCode, 201, answer.body)
    const { link = '', ...opened } = answer.json<ShopAnswer & { link?: string }>()
    assert.deepEqual([opened.label, opened.name, opened.pages], ['rice', 'Aoyama Rice', 'http://rice.localhost:3000'])
    const invitations = await server.deps.database.rows(
      'SELECT email, role FROM person_links WHERE merchant_id = (SELECT id FROM merchants WHERE label = $1)',
      'rice',
    )
    assert.deepEqual(
      invitations.map(({ email, role }) => [email, role]),
      [['taro@example.com', 'owner']],
    )
    // No mail is sent in this test, so that the link is passed on by hand.
    const { origin, pathname } = new URL(link)
    assert.equal(origin, 'http://console.localhost:3000')
    const token = pathname.split('/').at(-1)
    const used = await app.inject({
      method: 'POST',
      url: '/console/v1/links/use',
      headers: { host: 'console.localhost:3000', 'sec-fetch-site': 'same-origin' },
      payload: { token, name: 'Taro', locale: 'ja' },
    })
    assert.equal(used.statusCode, 200, used.body)
    assert.ok((await audited('rice')).includes('shop_opened by operator'))
  })

  test('opens no shop that cannot be, and no shop without an owner', async () => {
    const owned = { owner: OWNER }
    assert.deepEqual(statusAndCode(await call('POST', '/shops', { label: 'tea', shopName: 'Tea', ...owned })), [
      409,
      'label_taken',
    ])
    for (const [field, body] of [
      ['label', { label: 'console', shopName: 'Tea', ...owned }],
      ['shopName', { label: 'soba', shopName: '4242424242424242', ...owned }],
      ['email', { label: 'soba', shopName: 'Soba', owner: { email: 'nobody', locale: 'ja' } }],
    ] as const) {
      const answer = await call('POST', '/shops', body)
      assert.deepEqual(statusAndCode(answer), [400, 'invalid_field'], answer.body)
      assert.equal(answer.json<{ params: { field: string } }>().params.field, field)
    }
    // More invitations than an address may get in an hour.
    const labels = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `soba-${letter}`)
    const statuses: number[] = []
    for (const label of labels)
      statuses.push(
        (await call('POST', '/shops', { label, shopName: 'Soba', owner: { ...OWNER, email: 'many@example.com' } }))
          .statusCode,
      )
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429])
    const made = await server.deps.database.rows("SELECT id FROM merchants WHERE label = 'soba-f'")
    assert.deepEqual(made, [])
  })

  test('closes and reopens a shop, which its owners read in their audit list', async () => {
    assert.equal(typeof (await call('POST', '/shops/books/close')).json<ShopAnswer>().closedAt, 'string')
    assert.equal((await call('POST', '/shops/books/reopen')).json<ShopAnswer>().closedAt, undefined)
    assert.deepEqual((await audited('books')).toSorted(), ['shop_closed by operator', 'shop_reopened by operator'])
    assert.deepEqual(statusAndCode(await call('POST', '/shops/nowhere/close')), [404, 'shop_not_found'])
  })

  test('lists all shops by label, page by page', async () => {
    const labels: string[] = []
    let after: string | null = null
    do {
      const more: string = after === null ? '' : `&after=${after}`
      const page = (await call('GET', `/shops?limit=3${more}`)).json<{ items: ShopAnswer[]; after: string | null }>()
      labels.push(...page.items.map(({ label }) => label))
      ;({ after } = page)
    } while (after !== null)
    assert.deepEqual(labels, labels.toSorted())
    assert.ok(labels.includes('tea') && labels.includes('books') && labels.length > 3)
  })

  test('sees a payment in doubt of any shop', async () => {
    const id = await server.createCheckout()
    await server.pay(id, await server.startAttempt(id))
    const { items, isMore, held } = (await call('GET', '/doubts')).json<{
      items: { checkoutId: string; shop: string; kind: string; amount: number }[]
      isMore: boolean
      held: number
    }>()
    assert.deepEqual(
      items.map(({ checkoutId, shop, kind, amount }) => ({ checkoutId, shop, kind, amount })),
      [{ checkoutId: id, shop: 'tea', kind: 'charge', amount: 1980 }],
    )
    assert.deepEqual([isMore, held], [false, 0])
  })

  test('has what failed tried again, and the shop reads it in its audit list', async () => {
    const { database } = server.deps
    await database.rows(
      `INSERT INTO mails (merchant_id, id, checkout_id, kind, recipient, locale, state, tries, created_at, ended_at, facts)
       SELECT merchant_id, id || '.receipt', id, 'receipt', 'taro@example.com', 'ja', 'refused', 1, 0, 0, '{}' FROM checkouts LIMIT 1`,
    )
    const list = async (): Promise<OutboxItemAnswer[]> =>
      (await call('GET', '/outbox?state=failed&shop=tea')).json<{ items: OutboxItemAnswer[] }>().items
    const [mail] = await list()
    assert.equal(mail?.kind, 'mail')
    const retried = await call('POST', '/outbox/retry', { mailId: mail?.id })
    assert.deepEqual([retried.statusCode, retried.json()], [200, { deliveries: 0, mails: 1 }])
    assert.deepEqual(await list(), [])
    assert.ok((await audited('tea')).includes('outbox_retried by operator'))
    for (const body of [{ mailId: 'nothing' }, { eventId: `evt_${'a'.repeat(32)}` }])
      assert.deepEqual(statusAndCode(await call('POST', '/outbox/retry', body)), [404, 'nothing_to_retry'])
    const nowhere = await call('GET', '/outbox?shop=nowhere')
    assert.deepEqual(nowhere.json<object>(), { items: [], after: null })
  })

  test('reads the whole outbox page by page, by shop and the oldest first, each item once', async () => {
    const { database } = server.deps
    for (const [shop, from] of [
      ['tea', 0],
      ['books', 60],
    ] as const)
      for (let mail = from; mail < from + 60; mail += 1)
        await database.rows(
          `INSERT INTO mails (merchant_id, id, checkout_id, kind, recipient, locale, state, tries, created_at, ended_at, facts)
           VALUES ($1, $2, NULL, 'shop_paid', 'x@example.com', 'ja', 'refused', 1, $3, 0, '{}')`,
          `${shop}-id`,
          `${'b'.repeat(32)}.page.${mail}`,
          // Two of each moment.
          Math.floor(mail / 2),
        )
    interface Page {
      readonly items: OutboxItemAnswer[]
      readonly after: string | null
    }
    const first = (await call('GET', '/outbox?state=failed')).json<Page>()
    assert.equal(first.items.length, 100)
    const second = (await call('GET', `/outbox?state=failed&after=${first.after}`)).json<Page>()
    assert.equal(second.after, null)
    const all = [...first.items, ...second.items].filter(({ id }) => id.includes('.page.'))
    assert.equal(new Set(all.map(({ id }) => id)).size, 120)
    const keys = all.map(({ shop, since }) => `${shop} ${since}`)
    assert.deepEqual(keys, keys.toSorted())
    for (const place of ['nowhere', Buffer.from('[1,"tea","\\u0000",""]').toString('base64url')])
      assert.deepEqual(statusAndCode(await call('GET', `/outbox?after=${place}`)), [400, 'invalid_field'])
  })

  test('runs the checks of doctor, one run at a time', async () => {
    const answers = [call('POST', '/doctor'), call('POST', '/doctor')]
    while (doctor.runs === 0) await new Promise(setImmediate)
    // Until both have asked.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    doctor.end([{ check: 'database', state: 'ok', says: 'takes writes' }])
    for (const answer of await Promise.all(answers))
      assert.deepEqual(answer.json<{ checks: object[] }>().checks, [
        { check: 'database', state: 'ok', says: 'takes writes' },
      ])
    assert.equal(doctor.runs, 1)
  })
})
