import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Check } from 'typebox/value'
import { DAY_MS } from '#contract/jst.ts'
import type { AttentionAnswer } from '#contract/merchant/attention.ts'
import {
  BREAKS_KEPT_MAX,
  ReconciliationListAnswer,
  ReconciliationWithBreaks,
  type ReconciliationAnswer,
} from '#contract/merchant/reconciliations.ts'
import type { StatementLine } from '#payment/ports.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { API_KEYS, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { accountOfAll } from '../../proof/promises/shared-account.ts'
import { text } from '../store/engine/columns.ts'
import { forgetOldReconciliations } from '../store/reports/reconciliations.ts'
import { reconcileAndRecord } from './record-reconciliation.ts'

const ignored = { onDiscrepancy: () => undefined, onUnresolved: () => undefined }

describe('a reconciliation that is kept', () => {
  onBothDatabases(({ open }) => {
    let lines: StatementLine[] = []
    const openShop = async (): Promise<MerchantClient> => {
      lines = []
      return openMerchantClient(await open(), {
        statement: async () => ({ outcome: 'page', lines, after: null }),
        inquire: async () => ({ outcome: 'not_charged' }),
      })
    }
    const record = async ({ server, gateway, clock }: MerchantClient) =>
      reconcileAndRecord(
        { database: server.deps.database, random: server.deps.random, now: clock.now() },
        [await accountOfAll(server.deps.database, gateway)],
        ALL_TIME,
        ignored,
      )
    const charged = async (client: MerchantClient, amountYen = 1980): Promise<string> => {
      const { id } = await client.createPaid({ amount: amountYen })
      const [row] = await client.server.deps.database.rows('SELECT order_code FROM checkouts WHERE id = $1', id)
      const orderCode = text(row ?? {}, 'order_code')
      lines.push({ kind: 'charge', orderCode, amountYen, movedAt: client.clock.now(), reference: orderCode })
      return orderCode
    }

    test('each shop reads what agrees with its sums, its own breaks in words, and nothing of another shop', async () => {
      const client = await openShop()
      await charged(client)
      const missing = await charged(client, 700)
      lines.pop()
      await record(client)
      const list = await client.get<{ items: ReconciliationAnswer[] }>('/reconciliations')
      assert.ok(Check(ReconciliationListAnswer, list))
      const [newest] = list.items
      assert.deepEqual([newest?.charges, newest?.chargedAmount, newest?.breaks, newest?.isComplete], [1, 1980, 1, true])
      const read = await client.get<ReconciliationWithBreaks>(`/reconciliations/${newest?.id}`)
      assert.ok(Check(ReconciliationWithBreaks, read))
      const [found] = read.found
      assert.deepEqual(
        [found?.kind, found?.movement, found?.order, found?.ourAmount],
        ['missing_at_acquirer', 'charge', missing, 700],
      )
      assert.match(found?.words ?? '', /our ledger has a charge of 700 yen; the acquirer has none$/)
      const others = await client.get<{ items: ReconciliationAnswer[] }>('/reconciliations', API_KEYS.books)
      assert.deepEqual([others.items[0]?.charges, others.items[0]?.breaks], [0, 0])
      const foreign = await client.send(`/reconciliations/${newest?.id}`, { key: API_KEYS.books })
      assert.deepEqual([foreign.statusCode, foreign.json<{ code: string }>().code], [404, 'reconciliation_not_found'])
    })

    test('the last one with breaks needs a person, until a later one has none', async () => {
      const client = await openShop()
      const orderCode = await charged(client)
      const [line] = lines.splice(0)
      await record(client)
      const attention = async () => (await client.get<AttentionAnswer>('/attention')).items.map(({ kind }) => kind)
      assert.deepEqual(await attention(), ['reconciliation_breaks'])
      if (line !== undefined) lines.push(line)
      client.clock.advance(1)
      await record(client)
      assert.deepEqual(await attention(), [], orderCode)
      assert.equal((await client.all('/reconciliations', 1)).length, 2)
    })

    test('an account without a statement is kept as incomplete, with the reason', async () => {
      const client = await openShop()
      client.gateway.statement = async () => ({ outcome: 'unknown', why: 'no answer in time' })
      assert.equal((await record(client)).outcome, 'unknown')
      const [made] = (await client.get<{ items: ReconciliationAnswer[] }>('/reconciliations')).items
      assert.deepEqual([made?.isComplete, made?.problem, made?.breaks], [false, 'no answer in time', 0])
    })

    test('all breaks are counted, the first hundred are kept, and after 400 days all is forgotten', async () => {
      const client = await openShop()
      const { database } = client.server.deps
      const orderCode = await charged(client)
      lines = []
      await database.rows(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${BREAKS_KEPT_MAX + 20})
         INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
         SELECT merchant_id, 'gift ' || n, account, checkout_id, amount_yen, booked_at, mode
         FROM ledger_lines CROSS JOIN numbers WHERE entry = $1 AND account = 'acquirer'`,
        `charge ${orderCode}`,
      )
      await record(client)
      const [{ id, breaks } = { id: '', breaks: 0 }] = (
        await client.get<{ items: ReconciliationAnswer[] }>('/reconciliations')
      ).items
      const { found } = await client.get<ReconciliationWithBreaks>(`/reconciliations/${id}`)
      assert.deepEqual([breaks, found.length], [BREAKS_KEPT_MAX + 21, BREAKS_KEPT_MAX])
      await forgetOldReconciliations(database, client.clock.now() + 400 * DAY_MS)
      assert.equal((await database.rows('SELECT id FROM reconciliations')).length > 0, true)
      await forgetOldReconciliations(database, client.clock.now() + 400 * DAY_MS + 1)
      assert.deepEqual(
        await database.rows('SELECT id FROM reconciliations WHERE merchant_id = $1', TEA_MERCHANT.id),
        [],
      )
    })
  })
})
