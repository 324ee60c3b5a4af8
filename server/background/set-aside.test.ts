import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { COMMAND_LINE } from '../operations/people/change-people.ts'
import { decideAllSetAside, decideSetAside } from '../operations/set-aside.ts'
import type { NamedSetAside } from '../store/merchant/set-aside.ts'
import { text } from '../store/engine/columns.ts'
import type { Database, SqlValue } from '../store/engine/database.ts'
import { listEvents } from '../store/outbox/event-list.ts'
import { forgetOldEvents } from '../store/outbox/events.ts'
import { oldestUnlisted } from '../store/outbox/fan-out.ts'
import { listAuditLines } from '../store/people/audit.ts'
import type { Letter } from './mail/mailer.ts'
import { runDueWork } from './worker.ts'
import { sendWebhooksOnce } from './webhooks/webhook-worker.ts'

/** Beyond what a number of JavaScript can be. */
const HUGE = '9007199254740993'

interface BadRow {
  readonly queue: string
  /** Makes a row of the shop `tea` that cannot be read; one that waits behind it is made by `good`. */
  spoil(): Promise<unknown>
  mend(): Promise<unknown>
}

describe('a row that cannot be read', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let database: Database
    const letters: Letter[] = []
    const mailer = {
      isSandbox: true,
      send: async (letter: Letter) => {
        letters.push(letter)
        return { outcome: 'sent', answer: '250' } as const
      },
    }
    before(async () => {
      shop = await openMerchantClient(await open())
      database = shop.server.deps.database
    })

    const work = async (): Promise<void> => {
      await sendWebhooksOnce(shop.server.deps)
      await runDueWork(shop.server.deps, mailer)
    }
    const rows = (statement: string, ...values: SqlValue[]) => database.rows(statement, ...values)
    const setAside = async (): Promise<string[]> =>
      (await rows('SELECT queue FROM set_aside WHERE dropped_at IS NULL ORDER BY queue')).map((row) =>
        text(row, 'queue'),
      )
    const alarms = (): number => shop.server.logLines.filter((line) => line.includes('was set aside')).length
    const idIn = async (queue: string): Promise<string> =>
      text((await rows('SELECT id FROM set_aside WHERE queue = $1 AND dropped_at IS NULL', queue))[0] ?? {}, 'id')
    const label = (queue: string) => (queue === 'person_mails' ? null : 'tea')

    const retry = async (named: NamedSetAside) =>
      (await decideSetAside(shop.server.deps, named, 'retry', COMMAND_LINE)).outcome
    const drop = async (named: NamedSetAside) =>
      (await decideSetAside(shop.server.deps, named, 'drop', COMMAND_LINE)).outcome
    const now = (): number => shop.clock.now()
    const bads: readonly BadRow[] = [
      {
        queue: 'notifications',
        spoil: () =>
          rows(
            `INSERT INTO acquirer_notifications (merchant_id, mode, id, event, success, amount_yen, psp_reference, occurred_at, received_at)
             VALUES ('tea-id', 'test', 'n1', 'CAPTURE', 1, ${HUGE}, 'P', 0, 0)`,
          ),
        mend: () => rows("UPDATE acquirer_notifications SET amount_yen = 5 WHERE id = 'n1'"),
      },
      {
        queue: 'mails',
        spoil: async () => {
          const { id } = await shop.createPaid()
          await sendWebhooksOnce(shop.server.deps)
          await rows("UPDATE mails SET facts = '{\"paid' || facts WHERE checkout_id = $1", id)
        },
        mend: () => rows("UPDATE mails SET facts = substr(facts, 7) WHERE substr(facts, 1, 6) = '{\"paid'"),
      },
      {
        queue: 'person_mails',
        spoil: () =>
          rows(
            `INSERT INTO person_mails (id, kind, locale, recipient, facts, tries, next_try_at, created_at, ends_at)
             VALUES ('m1', 'recovery', 'ja', 'a@example.com', '[]', 0, $1, $1, $2)`,
            now(),
            now() + 10 ** 9,
          ),
        mend: () =>
          rows(
            "UPDATE person_mails SET facts = $1 WHERE id = 'm1'",
            JSON.stringify({ kind: 'recovery', name: 'a', email: 'a@example.com', at: 0 }),
          ),
      },
      {
        queue: 'notices',
        spoil: () =>
          rows(
            `INSERT INTO endpoint_notices (merchant_id, endpoint_id, kind, failing_since, status, at)
             VALUES ('tea-id', 'we_none', 'failing', ${HUGE}, 500, 0)`,
          ),
        mend: () => rows("UPDATE endpoint_notices SET failing_since = 1 WHERE endpoint_id = 'we_none'"),
      },
      {
        queue: 'summaries',
        spoil: () =>
          rows(
            `INSERT INTO notification_hours (merchant_id, mode, hour, topic, mails, held, held_yen)
             VALUES ('tea-id', 'test', 0, 'no topic of ours', 1, 2, 3)`,
          ),
        mend: () => rows("UPDATE notification_hours SET topic = 'payments' WHERE hour = 0"),
      },
      {
        queue: 'events',
        spoil: async () => {
          const { id } = await shop.createPaid()
          await rows(`UPDATE events SET sequence = ${HUGE} WHERE checkout_id = $1`, id)
        },
        mend: () => rows(`UPDATE events SET sequence = 1 WHERE sequence = ${HUGE}`),
      },
    ]

    for (const { queue, spoil, mend } of bads)
      test(`of ${queue} is set aside alone, with one alarm, and is worked on when it was mended and put back`, async () => {
        const alarmed = alarms()
        await spoil()
        await work()
        await work()
        assert.deepEqual(await setAside(), [queue])
        assert.equal(alarms(), alarmed + 1)
        const named = { shop: label(queue), queue, id: await idIn(queue) }
        assert.equal(await retry(named), 'put back')
        await work()
        assert.deepEqual(await setAside(), [queue], 'it still cannot be read')
        assert.equal(alarms(), alarmed + 2)
        await mend()
        // A key that was mended is another one: it waits in its queue already.
        if ((await retry(named)) === 'put back') await work()
        assert.deepEqual(await setAside(), [])
      })

    test('is dropped by an operator for ever, and forgotten', async () => {
      const [bad] = bads
      await rows("DELETE FROM acquirer_notifications WHERE id = 'n1'")
      await bad?.spoil()
      await work()
      const named = { shop: 'tea', queue: 'notifications', id: 'test n1' }
      assert.equal(await drop(named), 'dropped')
      assert.equal(await drop(named), 'gone')
      assert.equal(await retry(named), 'gone')
      await work()
      assert.deepEqual(await setAside(), [])
    })

    test('that was dropped and is replayed calls an operator once more', async () => {
      const { id } = await shop.createPaid()
      await sendWebhooksOnce(shop.server.deps)
      const [mail] = await rows('SELECT id FROM mails WHERE checkout_id = $1', id)
      await rows("UPDATE mails SET facts = '[]' WHERE checkout_id = $1", id)
      await work()
      const named = { shop: 'tea', queue: 'mails', id: text(mail ?? {}, 'id') }
      assert.equal(await drop(named), 'dropped')
      const alarmed = alarms()
      await rows(
        "UPDATE mails SET state = 'waiting', next_try_at = $2, ended_at = NULL WHERE checkout_id = $1",
        id,
        now(),
      )
      await work()
      assert.equal(alarms(), alarmed + 1)
      assert.deepEqual(await setAside(), ['mails'])
      assert.equal(await drop(named), 'dropped')
    })

    test('and is gone meanwhile is not said to be put back', async () => {
      const { id } = await shop.createPaid()
      await sendWebhooksOnce(shop.server.deps)
      const [mail] = await rows('SELECT id FROM mails WHERE checkout_id = $1', id)
      await rows("UPDATE mails SET facts = '[]' WHERE checkout_id = $1", id)
      await work()
      await rows('UPDATE mails SET recipient = NULL WHERE checkout_id = $1', id)
      const named = { shop: 'tea', queue: 'mails', id: text(mail ?? {}, 'id') }
      assert.equal(await retry(named), 'left its queue')
      assert.deepEqual(await setAside(), [])
    })

    test('among events is never the next one again, and is forgotten with the others of its age', async () => {
      const { id } = await shop.createPaid()
      await rows(`UPDATE events SET type = 'of another release' WHERE checkout_id = $1`, id)
      await rows(`UPDATE events SET sequence = ${HUGE} WHERE checkout_id = $1`, id)
      await work()
      assert.equal(await oldestUnlisted(database), null)
      assert.equal((await rows('SELECT id FROM events WHERE fanned_out_at IS NULL')).length, 0, 'out of the index')
      const { items } = await listEvents(
        database,
        { merchantId: 'tea-id', mode: 'test' },
        {},
        { after: null, limit: 100 },
      )
      assert.ok(items.every(({ data }) => data.checkout?.id !== id))
      await forgetOldEvents(database, now() + 1)
      assert.equal((await rows('SELECT id FROM events WHERE checkout_id = $1', id)).length, 0)
      assert.equal(await retry({ shop: 'tea', queue: 'events', id: await idIn('events') }), 'left its queue')
    })

    test('beside 250 others of its queue is decided about at once, with a line for each hundred', async () => {
      for (let nth = 0; nth < 250; nth += 1)
        await rows(
          "INSERT INTO set_aside (merchant_id, queue, id, why, at) VALUES ('tea-id', 'deliveries', $1, 'why', $2)",
          `we_none evt_${nth}`,
          now() - 250 + nth,
        )
      const decide = (shopLabel: string | null, decision: 'retry' | 'drop') =>
        decideAllSetAside(shop.server.deps, { shop: shopLabel, queue: 'deliveries' }, decision, COMMAND_LINE)
      assert.deepEqual([...(await decide('books', 'drop'))], [])
      assert.deepEqual([...(await decide('tea', 'drop'))], [['dropped', 250]])
      assert.deepEqual(await setAside(), [])
      const lines = (await listAuditLines(database, null, { after: null, limit: 50 })).items
      assert.deepEqual(
        lines
          .filter(({ subject }) => subject.startsWith('deliveries: '))
          .map(({ subject }) => subject)
          .toSorted(),
        ['deliveries: 100', 'deliveries: 100', 'deliveries: 50'],
      )
    })

    test('of one shop delays no payment in doubt, no webhook and no mail of another', async () => {
      for (const { spoil, queue } of bads.slice(1)) {
        if (queue !== 'person_mails' && queue !== 'summaries' && queue !== 'notices') await spoil()
      }
      const before = letters.length
      const { id } = await shop.createPaid({}, { email: 'other@example.com' })
      await work()
      assert.ok(letters.slice(before).some(({ recipient }) => recipient === 'other@example.com'))
      const [event] = await rows(
        "SELECT fanned_out_at FROM events WHERE checkout_id = $1 AND type = 'checkout.paid'",
        id,
      )
      assert.notEqual(event?.['fanned_out_at'], null)
    })

    test('of a payment in doubt is named and never dropped, is named no more once it was asked about, and again if it breaks', async () => {
      const { id } = await shop.create()
      const order = await shop.server.startAttempt(id)
      shop.gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
      await shop.server.pay(id, order)
      shop.gateway.chargeOutcome = null
      const [stored] = await rows('SELECT details FROM attempts WHERE order_code = $1', order)
      await rows("UPDATE attempts SET details = '[]' WHERE order_code = $1", order)
      shop.clock.advance(10 * 60_000)
      await work()
      assert.ok((await setAside()).includes('inquiries'))
      const named = { shop: 'tea', queue: 'inquiries', id }
      assert.equal(await drop(named), 'never dropped')
      await rows('UPDATE attempts SET details = $2 WHERE order_code = $1', order, text(stored ?? {}, 'details'))
      const before = now()
      await work()
      const [asked] = await rows('SELECT due_at FROM attempts WHERE order_code = $1', order)
      assert.ok(Number(asked?.['due_at']) > before, 'asked about again')
      assert.ok(!(await setAside()).includes('inquiries'), 'it can be read again')
      assert.equal(await retry(named), 'gone')
      const alarmed = alarms()
      await rows("UPDATE attempts SET details = '[]' WHERE order_code = $1", order)
      shop.clock.advance(10 * 60_000)
      await work()
      assert.ok((await setAside()).includes('inquiries'))
      assert.equal(alarms(), alarmed + 1)
    })
  })
})
