import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumYen } from '../../../proof/promises/checkout-records.ts'
import { readAcquirerOrders, startSandbox, type SandboxProcess } from '../../../proof/harness/sandbox-process.ts'
import {
  testGatewayContract,
  orderWithCard,
  type OrderAtAcquirer,
  type GatewayUnderTest,
} from '../../../proof/gateway-contract/gateway-contract.ts'
import { testRefundContract } from '../../../proof/gateway-contract/refund-contract.ts'
import { STATEMENT_PAGE_SIZE, testStatementContract } from '../../../proof/gateway-contract/statement-contract.ts'
import { createSandboxGateway } from './gateway.ts'

const TIMEOUT_MS = 3000

const readOrderAtAcquirer = async (
  acquirer: SandboxProcess,
  orderCode: string,
): Promise<OrderAtAcquirer | undefined> => {
  const order = (await acquirer.ordersForPromises()).find((each) => each.orderCode === orderCode)
  if (order === undefined) return undefined
  const { status, amountYen, refunds } = order
  return { status, chargedYen: status === 'charged' ? amountYen : 0, refundedYen: sumYen(refunds) }
}

const open = async (): Promise<GatewayUnderTest> => {
  const acquirer = await startSandbox()
  return {
    gateway: createSandboxGateway(acquirer.origin, TIMEOUT_MS, { statementPage: STATEMENT_PAGE_SIZE }),
    cards: {
      charged: '4242424242424242',
      declined: '4100000000750001',
      chargedWithoutAnswer: '4100000000754003',
      connectionLost: '4100000000755000',
      chargedThenServerError: '4100000000756008',
      serverError: '4100000000757006',
      chargedLate: '4100000000758004',
    },
    orderAtAcquirer: (orderCode) => readOrderAtAcquirer(acquirer, orderCode),
    stop: acquirer.stop,
  }
}

testGatewayContract('the sandbox acquirer', open)
testRefundContract('the sandbox acquirer', open)
testStatementContract('the sandbox acquirer', open)

test('the list of the acquirer’s orders is read to its end, with any number of orders on a page', async () => {
  const acquirer = await startSandbox()
  const gateway = createSandboxGateway(acquirer.origin, TIMEOUT_MS)
  const orders = Array.from({ length: 3 }, () => orderWithCard('4242424242424242'))
  for (const order of orders) await gateway.charge(order)
  const booked = orders.map(({ orderCode }) => orderCode)
  for (const page of [1, 2, 3, 4])
    assert.deepEqual(
      (await readAcquirerOrders(acquirer.origin, page)).map(({ orderId }) => orderId),
      booked,
      `with ${page} on a page`,
    )
  await acquirer.stop()
})
