import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yenOf } from '../../../proof/promises/both-sides.ts'
import { readOrders, startAcquirer, type Acquirer } from '../../../proof/harness/acquirer-process.ts'
import {
  gatewayContract,
  orderWith,
  type Booking,
  type GatewayUnderTest,
} from '../../../proof/gateway-contract/gateway-contract.ts'
import { refundContract } from '../../../proof/gateway-contract/refund-contract.ts'
import { STATEMENT_PAGE, statementContract } from '../../../proof/gateway-contract/statement-contract.ts'
import { createSandboxGateway } from './gateway.ts'

const TIMEOUT_MS = 3000

const readBooking = async (acquirer: Acquirer, orderCode: string): Promise<Booking | undefined> => {
  const order = (await acquirer.books()).find((each) => each.orderCode === orderCode)
  if (order === undefined) return undefined
  const { status, amountYen, refunds } = order
  return { status, chargedYen: status === 'charged' ? amountYen : 0, refundedYen: yenOf(refunds) }
}

const open = async (): Promise<GatewayUnderTest> => {
  const acquirer = await startAcquirer()
  return {
    gateway: createSandboxGateway(acquirer.origin, TIMEOUT_MS, { statementPage: STATEMENT_PAGE }),
    cards: {
      charged: '4242424242424242',
      declined: '4100000000750001',
      bookedInSilence: '4100000000754003',
      dropped: '4100000000755000',
      bookedThenFailed: '4100000000756008',
      failed: '4100000000757006',
      queued: '4100000000758004',
    },
    booked: (orderCode) => readBooking(acquirer, orderCode),
    stop: acquirer.stop,
  }
}

gatewayContract('the sandbox acquirer', open)
refundContract('the sandbox acquirer', open)
statementContract('the sandbox acquirer', open)

test('the witness of what was booked reads the acquirer’s list to its end, whatever fits on a page', async () => {
  const acquirer = await startAcquirer()
  const gateway = createSandboxGateway(acquirer.origin, TIMEOUT_MS)
  const orders = Array.from({ length: 3 }, () => orderWith('4242424242424242'))
  for (const order of orders) await gateway.charge(order)
  const booked = orders.map(({ orderCode }) => orderCode)
  for (const page of [1, 2, 3, 4])
    assert.deepEqual(
      (await readOrders(acquirer.origin, page)).map(({ orderId }) => orderId),
      booked,
      `with ${page} on a page`,
    )
  await acquirer.stop()
})
