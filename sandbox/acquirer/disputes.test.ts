import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field, itemsOf, serveAcquirer } from '../testing/acquirer.ts'

test('a charge is disputed by hand: an inquiry takes nothing, a dispute takes the amount, and one that is won gives it back', async (t) => {
  const { charge, send, list } = await serveAcquirer(t)
  const transactionId = field((await charge('order-1')).body, 'transactionId')
  const dispute = (status: unknown, id: unknown = transactionId) =>
    send('POST', '/acquirer/control/disputes', JSON.stringify({ transactionId: id, status }))
  const movementsOf = (holder: unknown, name: string) => {
    const movements = field(holder, name)
    return (Array.isArray(movements) ? movements : []).map((each: unknown) => [
      field(each, 'kind'),
      field(each, 'amount'),
    ])
  }
  const disputes = async (query = '') => itemsOf(await send('GET', `/acquirer/v1/disputes${query}`))

  const lostAtOnce = await dispute('lost')
  assert.deepEqual([lostAtOnce.status, field(lostAtOnce.body, 'status')], [409, 'none'])
  assert.equal((await dispute('inquiry')).status, 200)
  assert.deepEqual(movementsOf((await disputes())[0], 'movements'), [])
  assert.equal((await dispute('lost')).status, 409)
  const opened = await dispute('open')
  assert.deepEqual([field(opened.body, 'orderId'), field(opened.body, 'amount')], ['order-1', 1980])
  assert.equal((await dispute('open')).status, 409)
  assert.equal((await dispute('won')).status, 200)
  assert.equal((await dispute('lost')).status, 409)

  const moved = [
    ['chargeback', 1980],
    ['chargeback_reversal', 1980],
  ]
  const [listed] = await disputes()
  assert.deepEqual([field(listed, 'status'), field(listed, 'respondBy')], ['won', null])
  assert.deepEqual(movementsOf(listed, 'movements'), moved)
  const [order] = itemsOf(await list())
  assert.deepEqual(movementsOf(order, 'disputeMovements'), moved)
  assert.deepEqual(await disputes('?to=1'), [])
})

test('an order stands in the list of the time in which its dispute moved money', async (t) => {
  const { charge, send, list } = await serveAcquirer(t)
  const charged = (await charge('order-1')).body
  const from = Date.parse(String(field(charged, 'approvedAt'))) + 1
  while (Date.now() <= from) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(itemsOf(await list(`?from=${from}`)), [])
  const body = JSON.stringify({ transactionId: field(charged, 'transactionId'), status: 'open' })
  await send('POST', '/acquirer/control/disputes', body)
  assert.equal(itemsOf(await list(`?from=${from}`)).length, 1)
})

test('disputes are listed page by page, and what is left of a payment is what can be disputed', async (t) => {
  const { charge, send, refund } = await serveAcquirer(t)
  const dispute = (transactionId: unknown) =>
    send('POST', '/acquirer/control/disputes', JSON.stringify({ transactionId, status: 'open' }))
  const ids = ['a', 'b', 'c', 'd']
  const charges = await Promise.all(ids.map(async (id) => field((await charge(id)).body, 'transactionId')))
  await refund('a', 'r', 980)
  assert.equal(field((await dispute(charges[0])).body, 'amount'), 1000)
  for (const transactionId of charges.slice(1, 3)) await dispute(transactionId)
  await refund('d', 'r', 1980)
  assert.deepEqual((await dispute(charges[3])).body, { error: 'charge_refunded' })

  const first = await send('GET', '/acquirer/v1/disputes?limit=2')
  const rest = await send('GET', `/acquirer/v1/disputes?limit=2&after=${String(field(first.body, 'after'))}`)
  const named = [first, rest].map((page) => itemsOf(page).map((each) => field(each, 'orderId')))
  assert.deepEqual([...named, field(rest.body, 'after')], [['a', 'b'], ['c'], null])
})

test('what cannot be disputed is refused, by the name of what is wrong', async (t) => {
  const { send } = await serveAcquirer(t)
  const answers = [
    ['no JSON', 400, 'body'],
    ['{}', 400, 'transactionId'],
    ['{"transactionId":"txn_a","status":"settled"}', 400, 'status'],
    ['{"transactionId":"txn_a","status":"open"}', 404, undefined],
  ] as const
  for (const [body, status, name] of answers) {
    const answer = await send('POST', '/acquirer/control/disputes', body)
    assert.deepEqual([answer.status, field(answer.body, 'field')], [status, name], body)
  }
})
