import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { YEN_MAX, YEN_MIN } from '#contract/yen.ts'
import { testGatewayContract } from '../../../proof/gateway-contract/gateway-contract.ts'
import {
  orderWithCard,
  type AcquirerUnderTest,
  type DisputeControl,
  type OrderAtAcquirer,
} from '../../../proof/gateway-contract/gateway-under-test.ts'
import { STATEMENT_PAGE_SIZE } from '../../../proof/gateway-contract/statement-contract.ts'
import { readAcquirerOrders, startSandbox } from '../../../proof/harness/sandbox-process.ts'
import { createSandboxGateway } from './gateway.ts'

const ChargedOrder = Type.Object({
  status: Type.Literal('charged'),
  amount: Type.Integer(),
  refundedAmount: Type.Integer(),
})

const readOrderAtAcquirer = async (origin: string, orderCode: string): Promise<OrderAtAcquirer> => {
  const order: unknown = await (await fetch(`${origin}/acquirer/v1/orders/${orderCode}`)).json()
  return Check(ChargedOrder, order)
    ? { chargedYen: order.amount, refundedYen: order.refundedAmount }
    : { chargedYen: 0, refundedYen: 0 }
}

const TransactionOf = Type.Object({ transactionId: Type.String() })
const Disputed = Type.Object({ disputeId: Type.String() })

const disputesAt = (origin: string): DisputeControl => {
  const transactions = new Map<string, string>()
  const change = async (transactionId: string, status: string): Promise<string> => {
    const body = JSON.stringify({ transactionId, status })
    const answer: unknown = await (await fetch(`${origin}/acquirer/control/disputes`, { method: 'POST', body })).json()
    return Check(Disputed, answer) ? answer.disputeId : assert.fail(JSON.stringify(answer))
  }
  return {
    open: async ({ orderCode }) => {
      const order: unknown = await (await fetch(`${origin}/acquirer/v1/orders/${orderCode}`)).json()
      if (!Check(TransactionOf, order)) assert.fail('the order was not charged')
      const disputeId = await change(order.transactionId, 'open')
      transactions.set(disputeId, order.transactionId)
      return disputeId
    },
    end: async (disputeId, as) => {
      await change(transactions.get(disputeId) ?? assert.fail('no such dispute'), as)
    },
  }
}

const open = async (): Promise<AcquirerUnderTest> => {
  const acquirer = await startSandbox()
  return {
    origin: acquirer.origin,
    openGateway: (origin, timeoutMs) => createSandboxGateway(origin, timeoutMs, { statementPage: STATEMENT_PAGE_SIZE }),
    cards: {
      charged: '4242424242424242',
      declined: '4100000000750001',
      pending: { card: '4100000000753005' },
    },
    limits: { minYen: YEN_MIN, maxYen: YEN_MAX },
    chargeSteps: [
      {
        name: 'charge',
        matches: ({ method, path }) => method === 'POST' && path.endsWith('/charge'),
        movesMoney: true,
      },
    ],
    refundSteps: [
      {
        name: 'refund',
        matches: ({ method, path }) => method === 'POST' && path.includes('/refunds/'),
        movesMoney: true,
      },
    ],
    keeps: {
      'a refused refund stays refused under its id': true,
      'a statement comes in ascending order': true,
      'an inquiry by our own order code': true,
      'a fence by our own order code': true,
      'readiness is asked for': true,
      'disputes are asked for at the acquirer': true,
    },
    orderAtAcquirer: (orderCode) => readOrderAtAcquirer(acquirer.origin, orderCode),
    disputes: disputesAt(acquirer.origin),
    forgetKeys: 'it keeps its order and refund ids for ever',
    stop: acquirer.stop,
  }
}

testGatewayContract('the sandbox acquirer', open)

test('the list of the acquirer’s orders is read to its end, with any number of orders on a page', async () => {
  const acquirer = await startSandbox()
  const gateway = createSandboxGateway(acquirer.origin, 3000)
  const orders = Array.from({ length: 3 }, () => orderWithCard('4242424242424242'))
  for (const order of orders) await gateway.charge(order, async () => true)
  const booked = orders.map(({ orderCode }) => orderCode)
  for (const page of [1, 2, 3, 4])
    assert.deepEqual(
      (await readAcquirerOrders(acquirer.origin, page)).map(({ orderId }) => orderId),
      booked,
      `with ${page} on a page`,
    )
  await acquirer.stop()
})
