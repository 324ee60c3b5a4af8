import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import { dataOf, errorOf, serveStripe } from '../testing/stripe.ts'

const idsOf = (items: readonly unknown[]): unknown[] => items.map((item) => field(item, 'id'))

test('charges are listed newest first, page by page, with their refunds', async (t) => {
  const { pay, post, get } = await serveStripe(t)
  const charges: unknown[] = []
  for (const order of ['a', 'b', 'c']) {
    const { answer, intent } = await pay(undefined, { transfer_group: order, 'metadata[order]': order })
    charges.unshift(field(answer.body, 'latest_charge'))
    if (order === 'b') await post('/refunds', { payment_intent: intent, amount: 80 })
  }
  const all = await get('/charges', { limit: 100, 'expand[]': 'data.refunds' })
  assert.deepEqual(idsOf(dataOf(all)), charges)
  assert.equal(field(all.body, 'object'), 'list')
  assert.equal(field(all.body, 'url'), '/v1/charges')
  assert.equal(field(all.body, 'has_more'), false)
  const refunds = dataOf(all).map((charge) => dataOf({ ...all, body: field(charge, 'refunds') }))
  assert.deepEqual(
    refunds.map((each) => each.map((refund) => field(refund, 'amount'))),
    [[], [80], []],
  )
  const first = await get('/charges', { limit: 2 })
  assert.deepEqual([idsOf(dataOf(first)), field(first.body, 'has_more')], [charges.slice(0, 2), true])
  assert.equal(field(dataOf(first)[0], 'refunds'), undefined)
  const second = await get('/charges', { limit: 2, starting_after: String(charges[1]) })
  assert.deepEqual([idsOf(dataOf(second)), field(second.body, 'has_more')], [charges.slice(2), false])
  assert.deepEqual(idsOf(dataOf(await get('/charges', { transfer_group: 'b' }))), charges.slice(1, 2))
})

test('charges and refunds are listed by the time they were made', async (t) => {
  const { pay, post, get, control } = await serveStripe(t)
  const times: number[] = []
  for (const order of ['a', 'b', 'c']) {
    const { answer, intent } = await pay(undefined, { 'metadata[order]': order })
    await post('/refunds', { payment_intent: intent, amount: 80 })
    times.push(Number(field(answer.body, 'created')))
    await control('/clock', { advanceSeconds: 10 })
  }
  const [a = 0, b = 0, c = 0] = times
  const counts: [fields: Record<string, number>, count: number][] = [
    [{ 'created[gte]': b }, 2],
    [{ 'created[gt]': b }, 1],
    [{ 'created[lt]': b }, 1],
    [{ 'created[lte]': b }, 2],
    [{ 'created[gte]': a, 'created[lt]': c }, 2],
    [{ created: b }, 1],
    [{}, 3],
  ]
  for (const path of ['/charges', '/refunds'])
    for (const [fields, count] of counts)
      assert.equal(dataOf(await get(path, fields)).length, count, `${path} ${JSON.stringify(fields)}`)
})

test('a page has 1 to 100 items, 10 where no limit is given, and begins after an item that is there', async (t) => {
  const { pay, get } = await serveStripe(t)
  const { intent } = await pay()
  for (let index = 0; index < 11; index += 1) await pay('4100000000750001')
  assert.equal(dataOf(await get('/charges')).length, 10)
  assert.equal(dataOf(await get('/charges', { payment_intent: intent })).length, 1)
  for (const limit of [0, 101, -1]) assert.equal(errorOf(await get('/charges', { limit }), 'param'), 'limit')
  const answer = await get('/charges', { starting_after: 'ch_unknown' })
  assert.deepEqual([answer.status, errorOf(answer, 'param')], [400, 'starting_after'])
})
