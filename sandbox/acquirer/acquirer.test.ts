import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargeBody, field, itemsOf, ORDINARY_CARD, serveAcquirer, type ChargeChange } from '../testing/acquirer.ts'

test('a card is charged at once, and an inquiry gives the same answer', async (t) => {
  const { charge, inquire } = await serveAcquirer(t)
  const before = Date.now()
  const answer = await charge('order-1', { authentication: { eci: '05' } })
  assert.equal(answer.status, 200)
  const transactionId = field(answer.body, 'transactionId')
  const approvedAt = field(answer.body, 'approvedAt')
  assert.match(String(transactionId), /^txn_[a-z2-7]{20}$/)
  assert.match(String(approvedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const approved = Date.parse(String(approvedAt))
  assert.ok(before <= approved && approved <= Date.now())
  assert.deepEqual(answer.body, {
    orderId: 'order-1',
    status: 'charged',
    amount: 1980,
    currency: 'JPY',
    transactionId,
    approvedAt,
    card: { brand: 'visa', lastFour: '0100' },
    refundedAmount: 0,
  })
  const inquired = await inquire('order-1')
  assert.equal(inquired.status, 200)
  assert.deepEqual(inquired.body, answer.body)
})

test('an order that was never charged is not found', async (t) => {
  const { inquire } = await serveAcquirer(t)
  const answer = await inquire('order-1')
  assert.equal(answer.status, 404)
  assert.deepEqual(answer.body, { error: 'order_not_found' })
})

const DECLINED_CARDS: [string, string][] = [
  ['4100000000750001', 'card_declined'],
  ['4100000000751009', 'card_expired'],
  ['4100000000752007', 'unsupported_card'],
]
for (const [number, reason] of DECLINED_CARDS) {
  test(`the card ending ${number.slice(-4)} is declined with ${reason}, the second time as well`, async (t) => {
    const { charge, inquire } = await serveAcquirer(t)
    const answer = await charge('order-1', { card: { number } })
    assert.equal(answer.status, 200)
    const declinedAt = field(answer.body, 'declinedAt')
    assert.deepEqual(answer.body, {
      orderId: 'order-1',
      status: 'declined',
      amount: 1980,
      currency: 'JPY',
      reason,
      declinedAt,
      card: { brand: 'visa', lastFour: number.slice(-4) },
    })
    assert.deepEqual((await charge('order-1', { card: { number } })).body, answer.body)
    assert.deepEqual((await inquire('order-1')).body, answer.body)
  })
}

test('a repeated charge gets the stored answer and books nothing', async (t) => {
  const { charge, list } = await serveAcquirer(t)
  const first = await charge('order-1')
  const second = await charge('order-1', { authentication: null })
  assert.equal(second.status, 200)
  assert.deepEqual(second.body, first.body)
  assert.equal(itemsOf(await list()).length, 1)
})

test('twenty simultaneous charges of one order id book one charge and all get its answer', async (t) => {
  const { charge, list } = await serveAcquirer(t)
  const answers = await Promise.all(Array.from({ length: 20 }, () => charge('order-1')))
  for (const answer of answers) assert.deepEqual(answer, { ...answer, status: 200, body: answers[0]?.body })
  assert.equal(itemsOf(await list()).length, 1)
})

test('the same order id with another amount or card is refused, and the answer names the difference', async (t) => {
  const { charge, inquire } = await serveAcquirer(t)
  const first = await charge('order-1')
  await charge('order-2', { card: { number: '4100000000750001' } })
  const differences: [string, ChargeChange, string][] = [
    ['order-1', { amount: 1981 }, 'amount'],
    ['order-1', { card: { number: '4242424242424242' } }, 'card'],
    ['order-1', { card: { expiryMonth: 11 } }, 'card'],
    ['order-1', { card: { number: '4100000000755000' } }, 'card'],
    ['order-2', {}, 'card'],
  ]
  for (const [orderId, change, differing] of differences) {
    const answer = await charge(orderId, change)
    assert.equal(answer.status, 409)
    assert.deepEqual(answer.body, { error: 'order_mismatch', field: differing })
  }
  assert.deepEqual((await inquire('order-1')).body, first.body)
})

test('one yen and 9,999,999 yen can be charged', async (t) => {
  const { charge } = await serveAcquirer(t)
  for (const amount of [1, 9_999_999]) {
    const answer = await charge(`order-${amount}`, { amount })
    assert.equal(answer.status, 200)
    assert.equal(field(answer.body, 'amount'), amount)
  }
})

test('cards that expire from 2000 to 2100 can be charged', async (t) => {
  const { charge } = await serveAcquirer(t)
  for (const expiryYear of [2000, 2100]) {
    assert.equal((await charge(`order-${expiryYear}`, { card: { expiryYear } })).status, 200)
  }
})

test('a malformed charge is refused with the name of the field, without quoting the card, and books nothing', async (t) => {
  const { charge, send, list } = await serveAcquirer(t)
  const wrong: [string, ChargeChange][] = [
    ...[0, 10_000_000, 1.5, '1980', null].map((amount): [string, ChargeChange] => ['amount', { amount }]),
    ...['USD', 'jpy', null].map((currency): [string, ChargeChange] => ['currency', { currency }]),
    ...['4100000000000101', '41000000000', '4100 0000 0000 0100', 4_100_000_000_000_100, null].map(
      (number): [string, ChargeChange] => ['card.number', { card: { number } }],
    ),
    ...[0, 13, 1.5, '12', null].map((expiryMonth): [string, ChargeChange] => [
      'card.expiryMonth',
      { card: { expiryMonth } },
    ]),
    ...[1999, 2101, 31, '2031'].map((expiryYear): [string, ChargeChange] => [
      'card.expiryYear',
      { card: { expiryYear } },
    ]),
    ...['12', '12345', 918, 'abc'].map((cvc): [string, ChargeChange] => ['card.cvc', { card: { cvc } }]),
    ...['', ' ', 'A'.repeat(101), 7].map((holderName): [string, ChargeChange] => [
      'card.holderName',
      { card: { holderName } },
    ]),
    ...['05', [], 5].map((authentication): [string, ChargeChange] => ['authentication', { authentication }]),
  ]
  for (const [name, change] of wrong) {
    const answer = await charge('order-1', change)
    assert.equal(answer.status, 400, JSON.stringify(change))
    assert.equal(field(answer.body, 'error'), 'invalid_request')
    assert.equal(field(answer.body, 'field'), name)
    assert.match(String(field(answer.body, 'message')), /^(must|has)/)
  }
  for (const body of ['', '[]', 'null', `${chargeBody()},`, JSON.stringify(ORDINARY_CARD.number)]) {
    const answer = await send('POST', '/acquirer/v1/orders/order-1/charge', body)
    assert.equal(answer.status, 400, body)
    assert.deepEqual(answer.body, { error: 'invalid_request', field: 'body', message: 'must be a JSON object' })
  }
  const noCard = JSON.stringify({ amount: 1, currency: 'JPY', card: ORDINARY_CARD.number })
  const answer = await send('POST', '/acquirer/v1/orders/order-1/charge', noCard)
  assert.deepEqual(answer.body, { error: 'invalid_request', field: 'card', message: 'must be an object' })
  assert.deepEqual(itemsOf(await list()), [])
})

test('the list shows every order in order of arrival, page by page, with its refunds', async (t) => {
  const { charge, fence, refund, list } = await serveAcquirer(t)
  await charge('c')
  await charge('a', { card: { number: '4100000000750001' } })
  await fence('d')
  await charge('b')
  await refund('c', 'r2', 80)
  await refund('c', 'r1', 1900)

  const all = await list()
  const rows = itemsOf(all).map((item) => [field(item, 'sequence'), field(item, 'orderId'), field(item, 'status')])
  assert.deepEqual(rows, [
    [1, 'c', 'charged'],
    [2, 'a', 'declined'],
    [3, 'd', 'void'],
    [4, 'b', 'charged'],
  ])
  assert.equal(field(all.body, 'after'), null)
  const refunds = field(itemsOf(all)[0], 'refunds')
  assert.ok(Array.isArray(refunds))
  assert.deepEqual(
    refunds.map((item) => [field(item, 'refundId'), field(item, 'amount')]),
    [
      ['r2', 80],
      ['r1', 1900],
    ],
  )

  const first = await list('?limit=3')
  assert.equal(field(first.body, 'after'), 3)
  const second = await list('?after=3&limit=1')
  assert.equal(field(second.body, 'after'), null)
  assert.deepEqual([...itemsOf(first), ...itemsOf(second)], itemsOf(all))
})

test('a page of the list has 1 to 1000 orders', async (t) => {
  const { list } = await serveAcquirer(t)
  for (const query of ['?limit=1', '?limit=1000', '?after=0']) assert.equal((await list(query)).status, 200, query)
  for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?after=-1', '?after=x']) {
    const answer = await list(query)
    assert.equal(answer.status, 400, query)
    assert.equal(field(answer.body, 'field'), query.startsWith('?limit') ? 'limit' : 'after')
  }
})
