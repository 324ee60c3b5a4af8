import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId } from '../../server/ids.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { scriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { openTestServer } from '../harness/test-server.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { sendWebhooksOnce } from '../../server/background/webhooks/webhook-worker.ts'
import { endpointWrite } from '../../server/store/merchant/webhook-endpoints.ts'
import { columnOfCopy, copyCheckout } from './copy-checkout.ts'
import { BENCH_ENDPOINT } from './filled-database.ts'

const COPIED = [
  'checkouts',
  'attempts',
  'authentications',
  'ledger_lines',
  'events',
  'deliveries',
  'delivery_tries',
  'mails',
  'changes',
]

onBothDatabases(({ name, open }) => {
  const openWithPaid = async () => {
    const server = await openTestServer({
      database: await open(),
      gateway: fakeGateway(),
      threeDSServer: scriptedThreeDSServer(),
    })
    const checkoutId = await server.createCheckout()
    const orderCode = await server.startAttempt(checkoutId)
    await server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
    assert.equal((await server.pay(checkoutId, orderCode)).statusCode, 200)
    return { server, checkoutId, orderCode }
  }

  test('copies of a paid checkout have all its rows, and read as paid', async () => {
    const { server, checkoutId } = await openWithPaid()
    const { database } = server.deps
    const counts = () =>
      Promise.all(
        COPIED.map(async (table) => {
          const [row] = await database.rows(`SELECT count(*) AS total FROM ${table}`)
          return Number(row?.['total'])
        }),
      )
    await database.writeAll(endpointWrite(BENCH_ENDPOINT))
    await sendWebhooksOnce(server.deps)
    const before = await counts()
    assert.ok(!before.includes(0), before.join())
    const copies = await copyCheckout(database, name, {
      merchantId: TEA_MERCHANT.id,
      checkoutId,
      copies: 3,
    })
    assert.deepEqual(
      await counts(),
      before.map((count) => 4 * count),
    )
    assert.equal(new Set(copies).size, 3)
    for (const copy of copies) {
      assert.ok(isId(copy), copy)
      assert.equal((await server.readCheckout(copy)).json<{ status: string }>().status, 'paid')
    }
    const left = await database.rows('SELECT order_code FROM attempts GROUP BY order_code HAVING count(*) > 1')
    assert.deepEqual(left, [])
  })

  test('a copied open checkout can be paid', async () => {
    const { server } = await openWithPaid()
    const checkoutId = await server.createCheckout()
    const [copy = ''] = await copyCheckout(server.deps.database, name, {
      merchantId: TEA_MERCHANT.id,
      checkoutId,
      copies: 1,
    })
    const orderCode = await server.startAttempt(copy)
    await server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
    assert.equal((await server.pay(copy, orderCode)).statusCode, 200)
  })
})

test('in a copy ids are replaced inside texts too, instants move on, and all else stays', () => {
  const newIds = new Map([['abc', 'id0']])
  assert.equal(columnOfCopy('charge abc', 'entry', newIds), "replace(t.entry, 'abc', c.id0)")
  assert.equal(columnOfCopy('merchant', 'account', newIds), 't.account')
  assert.equal(columnOfCopy(1_790_000_000_000, 'booked_at', newIds), 't.booked_at + c.n * CAST(1 AS BIGINT)')
  assert.equal(columnOfCopy(1_790_000_000_000, 'booked_at', newIds, -500), 't.booked_at + c.n * CAST(-500 AS BIGINT)')
  assert.equal(columnOfCopy(1980, 'amount_yen', newIds), 't.amount_yen')
  assert.equal(columnOfCopy(null, 'closed_at', newIds), 't.closed_at')
})
