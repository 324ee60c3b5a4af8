import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onBothDatabases } from '../../../../proof/harness/databases.ts'
import { statusAndCode } from '../../../../proof/harness/error-answers.ts'
import { openMerchantClient, type MerchantClient } from '../../../../proof/harness/merchant-client.ts'
import { workOnce } from '../../../background/worker.ts'
import { sendWebhooksOnce } from '../../../background/webhooks/webhook-worker.ts'
import { hashedId } from '../../../ids.ts'
import { fanOut } from '../../../store/outbox/fan-out.ts'
import { insertRows } from '../../../store/engine/write.ts'

const DAY_MS = 86_400_000
const HOOK = 'https://shop.example.com/hook'

interface Webhook {
  readonly id: string
  readonly url: string
  readonly types?: readonly string[]
  readonly enabled: boolean
  readonly disabledBecause?: string
  readonly secret?: string
  readonly previousSecretUntil?: string
}

interface Listed {
  readonly id: string
  readonly data: { readonly checkout: { readonly id: string } }
}

describe('the calls about webhooks and events', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    before(async () => {
      shop = await openMerchantClient(await open())
    })
    const post = (path: string, payload: object = {}) => shop.send(path, { method: 'POST', payload })
    const patch = (id: string, payload: object) => shop.send(`/webhooks/${id}`, { method: 'PATCH', payload })
    const list = async (): Promise<readonly Webhook[]> => (await shop.get<{ items: Webhook[] }>('/webhooks')).items
    const removeAll = async (): Promise<void> => {
      for (const { id } of await list()) await shop.send(`/webhooks/${id}`, { method: 'DELETE' })
    }
    const made = async (more: object = {}): Promise<Webhook> => {
      const answer = await post('/webhooks', { url: HOOK, ...more })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json()
    }

    test('the secret is answered once, by the registration, and is stored nowhere', async () => {
      const { id, secret = '', ...rest } = await made()
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.match(id, /^we_[a-z2-7]{32}$/)
      assert.deepEqual([rest.url, rest.enabled, rest.types], [HOOK, true, undefined])
      const read = await shop.get<Webhook>(`/webhooks/${id}`)
      assert.equal(read.secret, undefined)
      const rows = await shop.server.deps.database.rows('SELECT * FROM webhook_endpoints')
      assert.ok(!JSON.stringify([rows, await list()]).includes(secret.slice(6)))
    })

    test('an address that is not https, not public, or no address is refused with what is wrong with it', async () => {
      for (const url of [
        'http://shop.example.com/',
        'https://10.0.0.1/',
        'https://[::1]/',
        'http://localhost:3000/x',
        'shop',
        'https://a\n.example/',
      ])
        assert.deepEqual(statusAndCode(await post('/webhooks', { url })), [400, 'address_refused'], url)
      const { message } = (await post('/webhooks', { url: 'https://10.0.0.1/' })).json<{ message: string }>()
      assert.match(message, /^url leads to an address that is not public: register/)
      assert.equal((await post('/webhooks', { url: 'http://localhost:8080/hook' })).statusCode, 201)
      const { id } = await made()
      assert.deepEqual(statusAndCode(await patch(id, { url: 'https://127.0.0.1/' })), [400, 'address_refused'])
      assert.equal((await shop.get<Webhook>(`/webhooks/${id}`)).url, HOOK)
    })

    test('types that there are not, none at all, and twice the same are refused', async () => {
      for (const types of [['checkout.opened'], [], ['checkout.paid', 'checkout.paid'], ['webhook.ping']])
        assert.deepEqual(statusAndCode(await post('/webhooks', { url: HOOK, types })), [400, 'invalid_field'])
    })

    test('a webhook is changed in what is named, disabled, enabled and removed', async () => {
      const { id } = await made({ types: ['checkout.paid'] })
      assert.deepEqual((await patch(id, { url: `${HOOK}/2#x` })).json<Webhook>().url, `${HOOK}/2`)
      assert.deepEqual((await shop.get<Webhook>(`/webhooks/${id}`)).types, ['checkout.paid'])
      assert.equal((await patch(id, { types: null })).json<Webhook>().types, undefined)
      const disabled = (await patch(id, { enabled: false })).json<Webhook>()
      assert.deepEqual([disabled.enabled, disabled.disabledBecause], [false, 'merchant'])
      for (const call of ['ping', 'replay'])
        assert.deepEqual(
          statusAndCode(
            await post(
              `/webhooks/${id}/${call}`,
              call === 'replay' ? { since: new Date(shop.clock.now()).toISOString() } : {},
            ),
          ),
          [409, 'webhook_disabled'],
        )
      assert.equal((await patch(id, { enabled: true })).json<Webhook>().enabled, true)
      assert.equal((await shop.send(`/webhooks/${id}`, { method: 'DELETE' })).statusCode, 200)
      for (const unknown of [id, 'x', 'we_\u0000', `we_${'a'.repeat(33)}`])
        assert.deepEqual(statusAndCode(await shop.send(`/webhooks/${encodeURIComponent(unknown)}`)), [
          404,
          'webhook_not_found',
        ])
    })

    test('a roll makes a new secret each time, and says until when the one before signs too', async () => {
      const { id, secret } = await made()
      const first = (await post(`/webhooks/${id}/roll`)).json<Webhook>()
      const second = (await post(`/webhooks/${id}/roll`)).json<Webhook>()
      assert.equal(new Set([secret, first.secret, second.secret]).size, 3)
      assert.equal(second.previousSecretUntil, new Date(shop.clock.now() + DAY_MS).toISOString())
    })

    test('there are at most sixteen of a mode', async () => {
      await removeAll()
      for (let each = 0; each < 16; each += 1) await made()
      assert.deepEqual(statusAndCode(await post('/webhooks', { url: HOOK })), [409, 'too_many_webhooks'])
      await removeAll()
      await Promise.all(Array.from({ length: 20 }, () => post('/webhooks', { url: HOOK })))
      assert.equal((await list()).length, 16)
      await removeAll()
    })

    test('a ping is sent to the one it was asked for, whatever its types, and its try can be read', async () => {
      const { id } = await made({ types: ['refund.refused'] })
      const other = await made()
      const { eventId } = (await post(`/webhooks/${id}/ping`)).json<{ eventId: string }>()
      await sendWebhooksOnce(shop.server.deps)
      const { items } = await shop.get<{ items: object[] }>(`/webhooks/${id}/deliveries`)
      const at = new Date(shop.clock.now()).toISOString()
      assert.deepEqual(items, [
        {
          eventId,
          type: 'webhook.ping',
          status: 'delivered',
          createdAt: at,
          tries: [{ at, tookMs: 0, status: 200, answer: 'ok' }],
        },
      ])
      assert.deepEqual(statusAndCode(await post(`/events/${eventId}/redeliver`)), [404, 'event_not_found'])
      assert.deepEqual((await shop.get<{ items: object[] }>(`/webhooks/${other.id}/deliveries`)).items, [])
      await removeAll()
    })

    test('events are listed newest first, page by page, each once, without pings', async () => {
      const from = new Date(shop.clock.now()).toISOString()
      const paid: string[] = []
      for (let each = 0; each < 5; each += 1) {
        paid.push((await shop.createPaid()).id)
        await fanOut(shop.server.deps.database, shop.clock.now())
        shop.clock.advance(1000)
      }
      const listOf = async (query: string): Promise<string[]> =>
        (await shop.all<Listed>(`/events?${query}`, 2)).map(({ data }) => data.checkout.id)
      const listed = await shop.all<Listed>(`/events?createdFrom=${from}`, 2)
      assert.deepEqual(
        listed.map(({ data }) => data.checkout.id),
        paid.toReversed(),
      )
      const second = listed.at(-2)?.id ?? assert.fail()
      assert.deepEqual(await listOf(`newerThan=${second}`), paid.slice(2).toReversed())
      const third = new Date(Date.parse(from) + 2000).toISOString()
      assert.deepEqual(await listOf(`newerThan=${second}&createdTo=${third}`), paid.slice(2, 3))
      assert.deepEqual(await listOf(`createdFrom=${third}&createdTo=${third}`), paid.slice(2, 3))
      for (const query of ['createdFrom=yesterday', 'after=x', 'newerThan=x'])
        assert.deepEqual(statusAndCode(await shop.send(`/events?${query}`)), [400, 'invalid_field'], query)
      for (const unknown of [`evt_${'a'.repeat(32)}`, 'x', 'evt_\u0000'])
        assert.deepEqual(statusAndCode(await post(`/events/${encodeURIComponent(unknown)}/redeliver`)), [
          404,
          'event_not_found',
        ])
    })

    test('an event is sent again to every webhook that takes its type, or to the one that is named', async () => {
      const [first, second] = [await made(), await made()]
      const refundsAlone = await made({ types: ['refund.refused'] })
      await shop.createPaid()
      await sendWebhooksOnce(shop.server.deps)
      const { items: listed } = await shop.get<{ items: { id: string; type: string }[] }>('/events?limit=1')
      const event = listed.find(({ type }) => type === 'checkout.paid')?.id ?? assert.fail()
      const pending = async ({ id }: { readonly id: string }): Promise<boolean> =>
        (await shop.get<{ items: { status: string }[] }>(`/webhooks/${id}/deliveries`)).items[0]?.status === 'pending'
      const again = async (query: string): Promise<number> =>
        (await post(`/events/${event}/redeliver${query}`)).json<{ deliveries: number }>().deliveries
      assert.equal(await again(`?webhookId=${first.id}`), 1)
      assert.deepEqual([await pending(first), await pending(second)], [true, false])
      assert.equal(await again(''), 2)
      assert.deepEqual([await pending(first), await pending(second)], [true, true])
      assert.equal(await again(`?webhookId=${refundsAlone.id}`), 0)
      await shop.send(`/webhooks/${first.id}`, { method: 'PATCH', payload: { enabled: false } })
      for (const [webhookId, expected] of [
        [first.id, [409, 'webhook_disabled']],
        [`we_${'a'.repeat(32)}`, [404, 'webhook_not_found']],
        ['x', [404, 'webhook_not_found']],
      ] as const)
        assert.deepEqual(statusAndCode(await post(`/events/${event}/redeliver?webhookId=${webhookId}`)), expected)
      await removeAll()
      // The next test counts the events from its own moment on.
      shop.clock.advance(1000)
    })

    test('a replay takes every event once, also where they are more than are taken at once and of the same moment', async () => {
      const { id } = await made({ types: ['checkout.paid'] })
      const from = shop.clock.now()
      const groups = [
        { count: 249, at: from, type: 'checkout.paid' },
        { count: 1, at: from, type: 'checkout.failed' },
        { count: 250, at: from + 1, type: 'checkout.paid' },
        { count: 1, at: from - 1, type: 'checkout.paid' },
      ]
      const rows = groups.flatMap(({ count, at, type }) =>
        Array.from({ length: count }, (_none, each) => {
          const event = `evt_${hashedId(type, String(at), String(each))}`
          return ['tea-id', event, 'test', type, event, 1, '{}', at]
        }),
      )
      const columns = 'merchant_id id mode type checkout_id sequence data created_at fanned_out_at'.split(' ')
      const { database } = shop.server.deps
      // Each has a place of its own in the list of events.
      const listed = rows.map((row, place) => [...row, place])
      await database.writeAll(insertRows('events', columns, listed))
      shop.clock.advance(1)
      const since = new Date(from).toISOString()
      assert.deepEqual((await post(`/webhooks/${id}/replay`, { since })).json(), { deliveries: 499 })
      const [stored] = await database.rows('SELECT count(*) AS count FROM deliveries WHERE endpoint_id = $1', id)
      assert.equal(stored?.['count'], 499)
      await removeAll()
    })

    test('whoever pulls sees an event of an earlier time that is committed later', async () => {
      const { database } = shop.server.deps
      const pulled = new Set<string>()
      let newest = ''
      const pull = async (): Promise<void> => {
        await fanOut(database, shop.clock.now())
        const items = await shop.all<Listed>(`/events${newest === '' ? '' : `?newerThan=${newest}`}`, 2)
        for (const { id } of items) pulled.add(id)
        newest = items[0]?.id ?? newest
      }
      const { id } = await shop.createPaid()
      await pull()
      const [own] = await database.rows('SELECT id, created_at FROM events WHERE checkout_id = $1', id)
      assert.ok(pulled.has(String(own?.['id'])))
      // As if its transaction had begun before that of the other one, and ended after it was pulled.
      const late = await shop.createPaid()
      await database.rows(
        'UPDATE events SET created_at = $2 WHERE checkout_id = $1',
        late.id,
        Number(own?.['created_at']) - 5,
      )
      await pull()
      const [told] = await database.rows('SELECT id FROM events WHERE checkout_id = $1', late.id)
      assert.ok(pulled.has(String(told?.['id'])))
    })

    test('whoever pulls goes on after the event that it has was forgotten, and is told when others may be gone too', async () => {
      const { database } = shop.server.deps
      const pull = (newest: string, more = '') =>
        shop.get<{ items: Listed[]; after: string | null; gap?: boolean }>(`/events?newerThan=${newest}${more}`)
      const listedNow = async (): Promise<string> => {
        await fanOut(database, shop.clock.now())
        return (await shop.get<{ items: Listed[] }>('/events?limit=1')).items[0]?.id ?? assert.fail()
      }
      await shop.createPaid()
      const first = await listedNow()
      await shop.createPaid()
      const newest = await listedNow()
      assert.deepEqual(
        (await pull(first)).items.map(({ id }) => id),
        [newest],
      )
      shop.clock.advance(91 * DAY_MS)
      await workOnce(shop.server.deps)
      assert.deepEqual(await pull(newest), { items: [], after: null })
      assert.deepEqual(await pull(first), { items: [], after: null, gap: true })

      const paid: string[] = []
      for (let each = 0; each < 3; each += 1) {
        await shop.createPaid()
        paid.unshift(await listedNow())
      }
      const page = await pull(newest, '&limit=2')
      assert.deepEqual([page.items.map(({ id }) => id), page.gap], [paid.slice(0, 2), undefined])
      const rest = await pull(newest, `&limit=2&after=${page.after}`)
      assert.deepEqual([rest.items.map(({ id }) => id), rest.after, rest.gap], [paid.slice(2), null, undefined])
      const later = await pull(first)
      assert.deepEqual([later.items.map(({ id }) => id), later.gap], [paid, true])

      // The place where a page ended is a time, and not an event that must be there.
      await database.rows('DELETE FROM events WHERE id = $1', paid[1] ?? assert.fail())
      const { items } = await shop.get<{ items: Listed[] }>(`/events?after=${page.after}`)
      assert.deepEqual(
        items.map(({ id }) => id),
        paid.slice(2),
      )
    })

    test('an event of another merchant or mode, and one that never was, read like one that was forgotten', async () => {
      const { database } = shop.server.deps
      const columns = 'merchant_id id mode type checkout_id sequence data created_at fanned_out_at'.split(' ')
      const now = shop.clock.now()
      const ids = ['b', 'c'].map((letter) => `evt_${letter.repeat(32)}`)
      const [theirs = '', live = ''] = ids
      await database.writeAll(
        insertRows('events', columns, [
          ['book-id', theirs, 'test', 'checkout.paid', 'x', 1, '{}', now, now],
          ['tea-id', live, 'live', 'checkout.paid', 'y', 1, '{}', now, now],
        ]),
      )
      await database.writeAll(
        insertRows(
          'forgotten_events',
          ['merchant_id', 'mode', 'event_id', 'listed_at'],
          [['book-id', 'test', `evt_${'d'.repeat(32)}`, now]],
        ),
      )
      const unknown = await shop.send(`/events?newerThan=evt_${'a'.repeat(32)}`)
      assert.equal(unknown.json<{ gap?: boolean }>().gap, true)
      for (const id of [theirs, live, `evt_${'d'.repeat(32)}`])
        assert.deepEqual((await shop.send(`/events?newerThan=${id}`)).body, unknown.body)
    })

    test('a ping, and an event that is not listed yet, are refused as the event to go on from', async () => {
      const { id } = await made()
      const { eventId } = (await post(`/webhooks/${id}/ping`)).json<{ eventId: string }>()
      const { id: paid } = await shop.createPaid()
      const [event] = await shop.server.deps.database.rows('SELECT id FROM events WHERE checkout_id = $1', paid)
      for (const newerThan of [eventId, String(event?.['id'])])
        assert.deepEqual(statusAndCode(await shop.send(`/events?newerThan=${newerThan}`)), [400, 'invalid_field'])
      await removeAll()
    })

    test('a replay reaches back thirty days, and not a moment more', async () => {
      const { id } = await made()
      const since = (ms: number): object => ({ since: new Date(shop.clock.now() - ms).toISOString() })
      assert.equal((await post(`/webhooks/${id}/replay`, since(30 * DAY_MS))).statusCode, 201)
      assert.deepEqual(statusAndCode(await post(`/webhooks/${id}/replay`, since(30 * DAY_MS + 1))), [
        400,
        'invalid_field',
      ])
      assert.deepEqual(statusAndCode(await post(`/webhooks/${id}/replay`, { since: 'x' })), [400, 'invalid_field'])
    })
  })
})
