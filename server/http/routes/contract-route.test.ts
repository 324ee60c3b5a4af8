import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { createCheckout } from '#contract/merchant/checkouts.ts'
import { refundCheckout } from '#contract/merchant/refunds.ts'
import { demandAccess, routeOf } from './contract-route.ts'

const handler = async (): Promise<string> => ''

test('where an access is demanded, a route that names none cannot be added', () => {
  const app = fastify()
  demandAccess(app)
  app.route({ ...routeOf(createCheckout), handler })
  app.get('/named', { config: { access: 'read' }, handler })
  assert.throws(() => app.get('/forgotten', handler), /GET \/forgotten does not name the access it needs/)
})

test('a route carries the lane, the access and the limit of its call', () => {
  assert.deepEqual(routeOf(createCheckout).config, { lane: 'creates', access: 'sales' })
  assert.deepEqual(routeOf(refundCheckout).config, { lane: 'merchantCalls', access: 'full', limit: 'refunds' })
})
