/** Sandbox process: the real acquirer and 3-D Secure server of `sandbox/` in a process of their own, ten times as fast as for a person. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { AcquirerOrder } from '../promises/checkout-records.ts'
import { freePort } from './server-process.ts'

const SANDBOX_MAIN = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))

const ReadyMessage = Type.Object({ ready: Type.Literal(true), port: Type.Integer(), mailboxPort: Type.Integer() })
const OrderList = Type.Object({
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
type ListedOrder = Static<typeof OrderList>['items'][number]

const RequestList = Type.Object({
  items: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String(),
      query: Type.Record(Type.String(), Type.String()),
      body: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    }),
  ),
})
export type RecordedThreeDSRequest = Static<typeof RequestList>['items'][number]

const MailList = Type.Object({
  items: Type.Array(Type.Object({ from: Type.String(), recipients: Type.Array(Type.String()), source: Type.String() })),
})
export type SandboxMail = Static<typeof MailList>['items'][number]

export interface SandboxProcess {
  readonly origin: string
  /** Where its mail server listens: behind its own port, where a server looks for it that is told of no other. */
  readonly mailboxPort: number
  /** What its mailbox holds, newest first. */
  mails(): Promise<SandboxMail[]>
  /** Every order at the acquirer, in the acquirer's own JSON. */
  listOrders(): Promise<ListedOrder[]>
  /** The same orders in the shape that the promises compare with our database. */
  ordersForPromises(): Promise<AcquirerOrder[]>
  /** What the sandbox's 3-D Secure server was sent about one transaction, unchanged but for masked card numbers. */
  threeDSRequests(requestorTransId: string): Promise<RecordedThreeDSRequest[]>
  stop(): Promise<void>
}

const PAGE_SIZE_MAX = 1000
/** More than any proof makes: one that is forgotten would look like one that is lost. */
const MAILS_KEPT = '50000'

/** The acquirer's whole list, page by page: orders behind the first page would otherwise go unchecked. */
export const readAcquirerOrders = async (origin: string, pageSize = PAGE_SIZE_MAX): Promise<ListedOrder[]> => {
  const orders: ListedOrder[] = []
  for (let after: number | null = 0; after !== null;) {
    const listed: unknown = await (await fetch(`${origin}/acquirer/v1/orders?limit=${pageSize}&after=${after}`)).json()
    if (!Check(OrderList, listed)) throw new Error('the acquirer’s list cannot be read')
    orders.push(...listed.items)
    after = listed.after
  }
  return orders
}

const toAcquirerOrder = ({ orderId, status, amount, transactionId, refunds }: ListedOrder): AcquirerOrder => ({
  orderCode: orderId,
  status,
  amountYen: amount ?? 0,
  transactionId: transactionId ?? null,
  refunds: refunds.map(({ refundId, amount: amountYen }) => ({ refundId, amountYen })),
})

export const startSandbox = async (env: NodeJS.ProcessEnv = process.env): Promise<SandboxProcess> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaikei-acquirer-'))
  const port = await freePort()
  const options = {
    port: String(port),
    host: '127.0.0.1',
    data: dataDir,
    'time-scale': '0.1',
    'request-log': 'on',
    'mailbox-port': String(port + 1),
    'mails-kept': MAILS_KEPT,
  }
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const child = fork(SANDBOX_MAIN, given, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const message: unknown = (await once(child, 'message')).at(0)
  if (!Check(ReadyMessage, message)) throw new Error('the sandbox did not say that it is ready')
  const origin = `http://127.0.0.1:${message.port}`
  return {
    origin,
    mailboxPort: message.mailboxPort,
    mails: async () => {
      const listed: unknown = await (await fetch(`${origin}/mailbox/v1/mails`)).json()
      if (!Check(MailList, listed)) throw new Error('the mailbox cannot be read')
      return listed.items
    },
    listOrders: () => readAcquirerOrders(origin),
    ordersForPromises: async () => (await readAcquirerOrders(origin)).map(toAcquirerOrder),
    threeDSRequests: async (requestorTransId) => {
      const query = new URLSearchParams({ requestorTransId })
      const listed: unknown = await (await fetch(`${origin}/three-ds/v1/requests?${query}`)).json()
      if (!Check(RequestList, listed)) throw new Error('the 3-D Secure server’s list of requests cannot be read')
      return listed.items
    },
    stop: async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
