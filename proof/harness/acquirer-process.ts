import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { AcquirerOrder } from '../promises/both-sides.ts'

const SANDBOX = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))

const Ready = Type.Object({ ready: Type.Literal(true), port: Type.Integer() })
const Listed = Type.Object({
  items: Type.Array(
    Type.Object({
      orderId: Type.String(),
      status: Type.Enum(['pending', 'charged', 'declined', 'void']),
      amount: Type.Optional(Type.Integer()),
      transactionId: Type.Optional(Type.String()),
      refunds: Type.Array(Type.Object({ refundId: Type.String(), amount: Type.Integer() })),
    }),
  ),
  after: Type.Union([Type.Integer(), Type.Null()]),
})
type ListedOrder = Static<typeof Listed>['items'][number]

const Requests = Type.Object({
  items: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String(),
      query: Type.Record(Type.String(), Type.String()),
      body: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    }),
  ),
})
export type ThreeDSRequest = Static<typeof Requests>['items'][number]

export interface Acquirer {
  readonly origin: string
  /** Every order that the acquirer itself has booked, by the acquirer's own names. */
  orders(): Promise<ListedOrder[]>
  /** The same as the witness that the promises are held against. */
  books(): Promise<AcquirerOrder[]>
  /** What the sandbox's 3-D Secure server was sent about one transaction, word for word. */
  threeDSRequests(requestorTransId: string): Promise<ThreeDSRequest[]>
  stop(): Promise<void>
}

const LARGEST_PAGE = 1000

/** The acquirer's whole list, page by page: a witness of the first page alone would be silent about the rest. */
export const readOrders = async (origin: string, page = LARGEST_PAGE): Promise<ListedOrder[]> => {
  const orders: ListedOrder[] = []
  for (let after: number | null = 0; after !== null;) {
    const listed: unknown = await (await fetch(`${origin}/acquirer/v1/orders?limit=${page}&after=${after}`)).json()
    if (!Check(Listed, listed)) throw new Error('the acquirer’s list cannot be read')
    orders.push(...listed.items)
    after = listed.after
  }
  return orders
}

const bookedAs = ({ orderId, status, amount, transactionId, refunds }: ListedOrder): AcquirerOrder => ({
  orderCode: orderId,
  status,
  amountYen: amount ?? 0,
  transactionId: transactionId ?? null,
  refunds: refunds.map(({ refundId, amount: amountYen }) => ({ refundId, amountYen })),
})

/** The real sandbox in a process of its own, ten times as fast as it would be for a person. */
export const startAcquirer = async (): Promise<Acquirer> => {
  const data = await mkdtemp(join(tmpdir(), 'kaikei-acquirer-'))
  const child = fork(SANDBOX, ['--port', '0', '--host', '127.0.0.1', '--data', data, '--time-scale', '0.1'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const message: unknown = (await once(child, 'message')).at(0)
  if (!Check(Ready, message)) throw new Error('the sandbox did not say that it is ready')
  const origin = `http://127.0.0.1:${message.port}`
  return {
    origin,
    orders: () => readOrders(origin),
    books: async () => (await readOrders(origin)).map(bookedAs),
    threeDSRequests: async (requestorTransId) => {
      const query = new URLSearchParams({ requestorTransId })
      const listed: unknown = await (await fetch(`${origin}/three-ds/v1/requests?${query}`)).json()
      if (!Check(Requests, listed)) throw new Error('the 3-D Secure server’s list of requests cannot be read')
      return listed.items
    },
    stop: async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(data, { recursive: true, force: true })
    },
  }
}
