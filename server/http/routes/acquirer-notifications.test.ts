import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { createTestApp, openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import type { AdyenAccount } from '../../gateways/adyen/account.ts'
import { openAdyenInbox } from '../../gateways/adyen/inbox.ts'
import { accountAt, bodyOf, itemOf, PSP, type NotifiedItem } from '../../gateways/adyen/testing/adyen-fixtures.ts'
import type { Database } from '../../store/engine/database.ts'
import type { FindAdyenAccount } from './acquirer-notifications.ts'

const ACCOUNTS: Readonly<Record<string, Pick<AdyenAccount, 'merchantAccount' | 'hmacKey' | 'mode'>>> = {
  'tea/test': accountAt('https://ca-test.adyen.com'),
  'tea/live': { ...accountAt('https://ca-live.adyen.com'), mode: 'live', hmacKey: 'AB'.repeat(32) },
  'books/test': { ...accountAt('https://ca-test.adyen.com'), merchantAccount: 'BookShopJP', hmacKey: 'CD'.repeat(32) },
}

const findAdyenAccount: FindAdyenAccount = async (label, mode) => {
  const account = ACCOUNTS[`${label}/${mode}`]
  return account === undefined ? null : { merchantId: `${label}-id`, mode, account }
}

/** Unique for each test: all share one database. */
let numbered = 0
const freshItem = (more: Partial<NotifiedItem> = {}): NotifiedItem => {
  numbered += 1
  return itemOf({ pspReference: `PSP${String(numbered).padStart(13, '0')}`, ...more })
}

describe('notifications of Adyen', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    let app: FastifyInstance
    before(async () => {
      server = await openTestServer({ gateway: fakeGateway(), database: await open() })
      app = await createTestApp(server.deps, null, { findAdyenAccount })
    })
    const post = (
      payload: object | string | Buffer,
      { path = 'tea/test', host = 'localhost:3000', to = app, headers = {} } = {},
    ): Promise<LightMyRequestResponse> =>
      to.inject({
        method: 'POST',
        url: `/acquirer/adyen/${path}`,
        headers: { host, 'content-type': 'application/json', ...headers },
        payload,
      })
    const stored = async ({ pspReference }: NotifiedItem): Promise<number> =>
      (await server.deps.database.rows('SELECT id FROM acquirer_notifications WHERE psp_reference = $1', pspReference))
        .length

    test('one that is signed is stored, answered [accepted], and read by the adapter', async () => {
      const item = freshItem({ originalReference: 'ABCDEFGH12345678' })
      const answer = await post(bodyOf([item]))
      assert.deepEqual([answer.statusCode, answer.body], [200, '[accepted]'])
      const inbox = openAdyenInbox(server.deps.database, { merchantId: 'tea-id', mode: 'test' })
      const [told, ...more] = await inbox.ofPayment('ABCDEFGH12345678', ['REFUND', 'REFUND_FAILED'])
      assert.deepEqual([told?.pspReference, told?.success, told?.refundId, more], [item.pspReference, true, 'r1', []])
      assert.deepEqual(await inbox.ofPayment('ABCDEFGH12345678', ['CAPTURE']), [])
      for (const other of [
        { merchantId: 'tea-id', mode: 'live' },
        { merchantId: 'books-id', mode: 'test' },
      ] as const)
        assert.deepEqual(
          await openAdyenInbox(server.deps.database, other).ofPayment('ABCDEFGH12345678', ['REFUND']),
          [],
        )
    })

    test('one is stored before it is answered: a database that cannot store it makes Adyen send it again', async () => {
      const item = freshItem()
      const { database } = server.deps
      const failing: Database = {
        ...database,
        transact: (work) =>
          database.transact(async (sql) => {
            await work(sql)
            throw new Error('the disk is full')
          }),
      }
      const broken = await createTestApp({ ...server.deps, database: failing }, null, { findAdyenAccount })
      const refused = await post(bodyOf([item]), { to: broken })
      assert.equal(refused.statusCode >= 500, true, String(refused.statusCode))
      assert.ok(!refused.body.includes('[accepted]'))
      assert.equal(await stored(item), 0)
      assert.equal((await post(bodyOf([item]))).statusCode, 200)
      assert.equal(await stored(item), 1)
    })

    test('one that is sent again, also with another reason and ten times at once, is accepted and stored once', async () => {
      const item = freshItem({ reason: 'first words' })
      await post(bodyOf([item]))
      const again = await Promise.all(
        Array.from({ length: 10 }, (_none, nth) => post(bodyOf([{ ...item, reason: `words ${nth}` }]))),
      )
      for (const answer of again) assert.deepEqual([answer.statusCode, answer.body], [200, '[accepted]'])
      const rows = await server.deps.database.rows(
        'SELECT reason FROM acquirer_notifications WHERE psp_reference = $1',
        item.pspReference,
      )
      assert.deepEqual(
        rows.map((row) => row['reason']),
        ['first_words'],
      )
    })

    test('one that is signed and says half a letter, or bytes that are none, is taken: refused, it would come again for days', async () => {
      for (const [written, read] of [
        [String.raw`late \ud83d`, 'late'],
        ['late \xe9', 'late'],
      ] as const) {
        const item = freshItem({ reason: 'late @' })
        const body = Buffer.from(JSON.stringify(bodyOf([item])).replace('late @', written), 'latin1')
        const answer = await post(body)
        assert.deepEqual([answer.statusCode, answer.body], [200, '[accepted]'])
        const [row] = await server.deps.database.rows(
          'SELECT reason FROM acquirer_notifications WHERE psp_reference = $1',
          item.pspReference,
        )
        assert.equal(row?.['reason'], read)
      }
    })

    test('one that is forged, or signed for another merchant, account or mode, is refused and nothing is stored', async () => {
      const item = freshItem()
      const good = freshItem()
      const unsigned = { NotificationRequestItem: item }
      const refused = [
        await post(bodyOf([item], 'AB'.repeat(32))),
        await post({ live: 'false', notificationItems: [unsigned] }),
        await post({ live: 'false', notificationItems: [...bodyOf([good]).notificationItems, unsigned] }),
        await post(bodyOf([{ ...item, merchantAccountCode: 'BookShopJP' }])),
        await post(bodyOf([item]), { path: 'books/test' }),
        await post(bodyOf([item]), { path: 'tea/live' }),
        await post(bodyOf([item]), { path: 'nobody/test' }),
        await post(bodyOf([item]), { path: 'books/live' }),
        await post(bodyOf([item]), { path: 'tea/sandbox' }),
        await post(bodyOf([item]), { path: 'TEA%00/test' }),
      ]
      for (const answer of refused) {
        assert.equal(answer.statusCode, 401)
        assert.equal(answer.body, refused[0]?.body, 'a stranger learns nothing about accounts')
      }
      assert.deepEqual([await stored(item), await stored(good)], [0, 0])
    })

    test('a live one is taken with the live key at the live address alone', async () => {
      const item = freshItem()
      assert.equal((await post(bodyOf([item], 'AB'.repeat(32), 'true'), { path: 'tea/live' })).statusCode, 200)
      assert.equal((await post(bodyOf([item], 'AB'.repeat(32), 'false'), { path: 'tea/live' })).statusCode, 401)
      assert.equal(await stored(item), 1)
    })

    test('many in one request are stored together', async () => {
      const items = Array.from({ length: 100 }, () => freshItem({ originalReference: 'MANY000000000000' }))
      const twice = [...items, ...items.slice(0, 5)]
      const answer = await post(bodyOf(twice))
      assert.equal(answer.statusCode, 200, answer.body)
      const rows = await server.deps.database.rows(
        'SELECT id FROM acquirer_notifications WHERE original_reference = $1',
        'MANY000000000000',
      )
      assert.equal(rows.length, 100)
    })

    test('a thousand in one request are too long a body, and are refused before they are read', async () => {
      const items = Array.from({ length: 1000 }, () => freshItem())
      const answer = await post(bodyOf(items))
      assert.equal(answer.statusCode, 413)
      assert.match(answer.body, /at most 64 KiB/)
      assert.equal(await stored(items[0] ?? assert.fail()), 0)
    })

    test('a compressed one is not unpacked, whatever it would become, and is told to come uncompressed', async () => {
      const item = freshItem()
      const text = JSON.stringify(bodyOf([item]))
      // 10 MB of zeros in 10 KB.
      const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024))
      for (const [encoding, payload] of [
        ['gzip', gzipSync(text)],
        ['deflate', deflateSync(text)],
        ['br', brotliCompressSync(text)],
        ['zstd', Buffer.from(text)],
        ['gzip', bomb],
      ] as const) {
        const answer = await post(payload, { headers: { 'content-encoding': encoding } })
        assert.equal(answer.statusCode, 415, encoding)
        assert.match(answer.body, /^The body is compressed.* send it without Content-Encoding\.$/m)
      }
      assert.equal(await stored(item), 0)
      assert.equal((await post(text, { headers: { 'content-encoding': 'identity' } })).statusCode, 200)
    })

    test('one that is refused is logged with what to compare, and once in ten seconds', async () => {
      const lines = () => server.logLines.filter((line) => line.includes('a notification of Adyen was refused'))
      server.clock.advance(60_000)
      const before = lines().length
      const items = [freshItem()]
      const other = [freshItem({ merchantAccountCode: 'AnotherShop' })]
      for (const body of [bodyOf(items, 'AB'.repeat(32)), bodyOf(other), bodyOf(items, undefined, 'true')])
        for (let times = 0; times < 3; times += 1) await post(body)
      const logged = lines().slice(before).join('')
      for (const why of ['not signed with the HMAC key', 'of another merchant account', 'of the other mode'])
        assert.equal(logged.split(why).length, 2, why)
      assert.match(logged, /"merchant":"tea-id"/)
    })

    test('hostile JSON is refused with 400, and costs nothing', async () => {
      const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
      for (const payload of [
        '',
        '{',
        'null',
        '[]',
        '"x"',
        '{}',
        deep,
        '{"__proto__":{"live":"false"}}',
        '{"live":"false","notificationItems":{"length":1e9}}',
        '{"live":"false","notificationItems":[]}',
        `{"live":"false","notificationItems":[${'null,'.repeat(10_000)}null]}`,
      ])
        assert.equal((await post(payload)).statusCode, 400, payload.slice(0, 60))
      const zeroByte = freshItem({ merchantReference: 'a\0b' })
      assert.equal((await post(bodyOf([zeroByte]))).statusCode, 200)
      assert.equal(await stored(zeroByte), 1)
    })

    test('only JSON, only by POST, only on the host of the API', async () => {
      const item = freshItem()
      const form = await post('live=false', { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
      assert.equal(form.statusCode, 415)
      for (const host of ['tea.localhost:3000', '3ds.localhost:3000', 'evil.example'])
        assert.equal((await post(bodyOf([item]), { host })).statusCode, 404, host)
      const read = await app.inject({
        method: 'GET',
        url: '/acquirer/adyen/tea/test',
        headers: { host: 'localhost:3000' },
      })
      assert.equal(read.statusCode, 404)
      assert.equal(await stored(item), 0)
    })

    test('reports are found from a moment on, the oldest first', async () => {
      const reportOf = (batch: number, eventDate: string) =>
        itemOf({
          eventCode: 'REPORT_AVAILABLE',
          originalReference: '',
          merchantReference: '',
          pspReference: `settlement_detail_report_batch_${batch}.csv`,
          eventDate,
          reason: `https://ca-test.adyen.com/reports/download/MerchantAccount/TeaShopJP/settlement_detail_report_batch_${batch}.csv`,
        })
      await post(
        bodyOf([
          reportOf(2, '2026-01-02T00:00:00Z'),
          reportOf(1, '2026-01-01T00:00:00Z'),
          reportOf(3, '2026-01-03T00:00:00Z'),
        ]),
      )
      const inbox = openAdyenInbox(server.deps.database, { merchantId: 'tea-id', mode: 'test' })
      const reports = await inbox.reports(Date.parse('2026-01-02T00:00:00Z'))
      assert.deepEqual(
        reports.map(({ fileName }) => fileName),
        ['settlement_detail_report_batch_2.csv', 'settlement_detail_report_batch_3.csv'],
      )
      assert.equal(reports[0]?.address.startsWith('https://ca-test.adyen.com/'), true)
    })

    test('neither a key nor a card number that a notification repeats is kept', async () => {
      const item = freshItem({ reason: 'card 4111111111111111 cvc 737', originalReference: PSP })
      await post(bodyOf([item]))
      const rows = await server.deps.database.rows(
        'SELECT * FROM acquirer_notifications WHERE psp_reference = $1',
        item.pspReference,
      )
      assert.ok(rows.length === 1 && !JSON.stringify(rows).includes('4111'))
      assert.ok(!server.logLines.join('').includes('4111'))
    })
  })

  test('without accounts at Adyen nothing is taken', async () => {
    const { app } = await openTestServer({ gateway: fakeGateway() })
    const answer = await app.inject({
      method: 'POST',
      url: '/acquirer/adyen/tea/test',
      headers: { host: 'localhost:3000' },
      payload: bodyOf([itemOf()]),
    })
    assert.equal(answer.statusCode, 404)
  })
})
