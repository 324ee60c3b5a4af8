import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { startAcquirer } from '../../testing/acquirer-process.ts'
import { gatewayContract, type Booking, type GatewayUnderTest } from '../gateway-contract.ts'
import { STATEMENT_PAGE, statementContract } from '../statement-contract.ts'
import { createSandboxGateway } from './gateway.ts'

const TIMEOUT_MS = 3000

const Book = Type.Object({
  items: Type.Array(
    Type.Object({
      orderId: Type.String(),
      status: Type.String(),
      amount: Type.Optional(Type.Integer()),
      refundedAmount: Type.Optional(Type.Integer()),
    }),
  ),
})

const readBooking = async (origin: string, orderCode: string): Promise<Booking | undefined> => {
  const book: unknown = await (await fetch(`${origin}/acquirer/v1/orders?limit=1000`)).json()
  if (!Check(Book, book)) throw new Error('the acquirer’s list cannot be read')
  const order = book.items.find(({ orderId }) => orderId === orderCode)
  if (order === undefined) return undefined
  const { status, amount = 0, refundedAmount = 0 } = order
  return { status, chargedYen: status === 'charged' ? amount : 0, refundedYen: refundedAmount }
}

const open = async (): Promise<GatewayUnderTest> => {
  const acquirer = await startAcquirer()
  return {
    gateway: createSandboxGateway(acquirer.origin, TIMEOUT_MS, STATEMENT_PAGE),
    cards: {
      charged: '4242424242424242',
      declined: '4100000000750001',
      bookedInSilence: '4100000000754003',
      dropped: '4100000000755000',
      bookedThenFailed: '4100000000756008',
      failed: '4100000000757006',
      queued: '4100000000758004',
    },
    booked: (orderCode) => readBooking(acquirer.origin, orderCode),
    stop: acquirer.stop,
  }
}

gatewayContract('the sandbox acquirer', open)
statementContract('the sandbox acquirer', open)
