import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { statusAndCode } from '../../../proof/harness/error-answers.ts'
import { API_KEYS } from '../../../proof/harness/test-merchants.ts'
import { newForm, openedIdOf, randomId } from '../../ids.ts'
import { CARD, createTestApp, openTestServer } from '../../../proof/harness/test-server.ts'
import { LANES, type LaneEntry, type LaneName, type LaneTable } from './lane-table.ts'

const full = (entry: LaneEntry): LaneEntry => ({ ...entry, atOnce: 0, waiting: 0 })
/** Nobody gets a place in these. */
const withoutPlaces = (...names: readonly LaneName[]): LaneTable => ({
  ...LANES,
  ...Object.fromEntries(names.map((name) => [name, full(LANES[name])])),
})

const INVENTED = 'q'.repeat(32)
const PAY = { cvc: CARD.cvc, receiptEmail: CARD.email }

describe('which paying calls come first', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    /** Another server on the same database, with these lanes: it has begun nothing and found nothing. */
    const openBeside = async (lanes: LaneTable) => {
      const server = await openTestServer({ gateway: fakeGateway(), database: await open() })
      const clock = { ...server.deps.clock, sleep: async () => undefined }
      const app = await createTestApp({ ...server.deps, clock }, null, { lanes })
      const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
        const headers = { host: 'tea.localhost:3000', merchant: 'tea' }
        return app.inject({ method, url: `/api/v1${path}`, headers, ...(payload === undefined ? {} : { payload }) })
      }
      const startPath = async (): Promise<string> => `/checkouts/${await server.createCheckout()}/3ds`
      return { server, app, call, startPath }
    }

    test('an order that this server has begun is paid though there is no place for any other call', async () => {
      const { app, call, server } = await openBeside(withoutPlaces('strangers', 'refusals'))
      const id = await server.createCheckout()
      assert.equal((await call('POST', `/checkouts/${id}/3ds`, { card: CARD })).statusCode, 503, 'not found yet')
      assert.equal((await call('GET', `/checkouts/${id}`)).statusCode, 200)
      const started = await call('POST', `/checkouts/${id}/3ds`, { card: CARD })
      const { orderCode } = started.json<{ orderCode: string }>()
      const paid = await call('PATCH', `/checkouts/${id}/3ds/${orderCode}/pay`, PAY)
      assert.deepEqual([paid.statusCode, paid.json<{ status: string }>().status], [200, 'paid'])
      await app.close()
    })

    test('a call about a made-up order, checkout or ticket takes no place of a payment', async () => {
      const { app, call } = await openBeside(withoutPlaces('payment', 'starts'))
      assert.deepEqual(statusAndCode(await call('PATCH', `/3ds/${INVENTED}/authenticate`)), [409, 'order_not_found'])
      const start = await call('POST', `/checkouts/${INVENTED}/3ds`, { card: CARD })
      assert.deepEqual(statusAndCode(start), [404, 'checkout_not_found'])
      const ticket = await app.inject({ url: `/collect/tea-id${INVENTED}`, headers: { host: '3ds.localhost:3000' } })
      assert.equal(ticket.statusCode, 404)
      await app.close()
    })

    test('nothing that is done with a checkout that a link has opened lets it pass before checkouts that are stored', async () => {
      const { app, call, server } = await openBeside(withoutPlaces('starts', 'payment'))
      const made = await server.app.inject({
        method: 'POST',
        url: '/merchant/v1/links',
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        payload: { amount: 1980 },
      })
      const { id: link } = made.json<{ id: string }>()
      const opened = openedIdOf(link, 1980, newForm(server.deps.clock.now(), randomId()))
      const press = await app.inject({
        method: 'POST',
        url: `/links/${link}`,
        headers: { host: 'tea.localhost:3000', 'content-type': 'application/x-www-form-urlencoded' },
        payload: `form=${opened.slice(14)}`,
      })
      assert.equal(press.headers.location, `/${opened}`)
      for (let round = 0; round < 2; round += 1) {
        const start = await call('POST', `/checkouts/${opened}/3ds`, { card: { ...CARD, number: '4000000000000002' } })
        assert.equal(start.statusCode, 400, 'refused, and not shed')
        assert.equal((await call('GET', `/checkouts/${opened}`)).statusCode, 200)
      }
      // Stored, it is a checkout as every other one.
      assert.equal((await call('POST', `/checkouts/${opened}/3ds`, { card: CARD })).statusCode, 200)
      assert.equal((await call('POST', `/checkouts/${opened}/3ds`, { card: CARD })).statusCode, 503)
      await app.close()
    })

    test('first cards of checkouts that links have opened are worked on a few at once, and a stored one does not wait for them', async () => {
      const { app, call, server, startPath } = await openBeside(withoutPlaces('unstored'))
      const made = await server.app.inject({
        method: 'POST',
        url: '/merchant/v1/links',
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        payload: { amount: 1980 },
      })
      const opened = openedIdOf(made.json<{ id: string }>().id, 1980, newForm(server.deps.clock.now(), randomId()))
      assert.equal((await call('POST', `/checkouts/${opened}/3ds`, { card: CARD })).statusCode, 503)
      assert.equal((await call('POST', await startPath(), { card: CARD })).statusCode, 200)
      await app.close()
    })

    test('what is refused by its shape takes no place of a payment, also at a checkout that is open', async () => {
      const { app, call, startPath } = await openBeside(withoutPlaces('payment', 'starts', 'strangers'))
      const path = await startPath()
      const refusedWith = async (card: unknown) => statusAndCode(await call('POST', path, { card }))
      assert.deepEqual(await refusedWith({ ...CARD, number: 'x' }), [400, 'invalid_field'])
      assert.deepEqual(await refusedWith({ ...CARD, number: '4242424242424241' }), [402, 'card_declined'])
      assert.deepEqual(await refusedWith({ ...CARD, expiryYear: 2001 }), [400, 'invalid_field'])
      assert.deepEqual(await refusedWith({ ...CARD, more: 1 }), [400, 'invalid_field'])
      await app.close()
    })

    test('an order that another server has begun is found in the database and paid, without keeping the place of a look', async () => {
      const lanes = { ...LANES, strangers: { ...LANES.strangers, atOnce: 1 } }
      const { app, call, server, startPath } = await openBeside(lanes)
      const path = await startPath()
      const begun = await Promise.all(
        [1, 2].map(async () => {
          const id = await server.createCheckout()
          return { id, orderCode: await server.startAttempt(id) }
        }),
      )
      const paid = await Promise.all(
        begun.map(({ id, orderCode }) => call('PATCH', `/checkouts/${id}/3ds/${orderCode}/pay`, PAY)),
      )
      for (const answer of paid) assert.equal(answer.json<{ status: string }>().status, 'paid', answer.body)
      assert.equal((await call('POST', path, { card: CARD })).statusCode, 200)
      await app.close()
    })
  })
})
