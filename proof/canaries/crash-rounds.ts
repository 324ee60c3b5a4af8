/** Crash rounds of the canary proof: the server is killed with cards in its memory and payments under way, and started again. */
import { systemClock } from '../../server/dependencies.ts'
import type { SandboxProcess } from '../harness/sandbox-process.ts'
import type { CanarySupply } from './canary.ts'
import { incompleteStartRequest } from './misplaced-card-flows.ts'
import { readDataFolder } from './server-outputs.ts'
import type { ServerUnderScan } from './server-under-scan.ts'
import type { ServerOutput } from './scanner.ts'
import { canaryShopper, type CanaryShopper, type Order } from './shopper-requests.ts'

export interface CrashRound {
  readonly signal: 'SIGKILL' | 'SIGTERM'
  readonly cardsHeld: number
  readonly paymentsUnderWay: number
}

/** How many canaries a round uses: the last one is sent in an incomplete request. */
export const countCanaries = ({ cardsHeld, paymentsUnderWay }: CrashRound): number => cardsHeld + paymentsUnderWay + 1

/** A payment that the crash interrupted, and the status or error code that it must end with. */
export interface UnfinishedPayment {
  readonly name: string
  readonly expected: string
  finish(): Promise<string>
}

interface CrashResult {
  readonly unfinished: readonly UnfinishedPayment[]
  /** What the killed server left in its data folder. */
  readonly outputs: readonly ServerOutput[]
}

/** Charged at once and never answered: the payment is under way for as long as the server runs. */
const CARD_WITHOUT_ANSWER = '4100000000754003'
const POLL_INTERVAL_MS = 20

interface PreparedOrder {
  readonly shopper: CanaryShopper
  readonly order: Order
}

/** Waits until the acquirer has charged what the server has no answer for. */
const waitUntilCharged = async (acquirer: SandboxProcess, orders: readonly PreparedOrder[]): Promise<void> => {
  for (;;) {
    const charged = new Set((await acquirer.ordersForPromises()).map(({ orderCode }) => orderCode))
    if (orders.every(({ order }) => charged.has(order.orderCode))) return
    await systemClock.sleep(POLL_INTERVAL_MS)
  }
}

export const crashServer = async (
  { flowContext: context, dataDir, server }: ServerUnderScan,
  acquirer: SandboxProcess,
  canaries: CanarySupply,
  { signal, cardsHeld, paymentsUnderWay }: CrashRound,
): Promise<CrashResult> => {
  const prepareAll = (count: number, number?: string): Promise<PreparedOrder[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const shopper = canaryShopper(context, canaries.next(number))
        return { shopper, order: await shopper.prepareOrder() }
      }),
    )
  const [holding, charging] = await Promise.all([
    prepareAll(cardsHeld),
    prepareAll(paymentsUnderWay, CARD_WITHOUT_ANSWER),
  ])
  const incomplete = canaries.next()
  const incompleteRequest = context.client.sendRaw(
    incompleteStartRequest(incomplete, await canaryShopper(context, incomplete).createCheckout()),
    signal === 'SIGKILL' ? 'wait for an answer' : 'cut off',
  )
  const payments = charging.map(({ shopper, order }) => shopper.pay(order).catch(() => null))
  await waitUntilCharged(acquirer, charging)
  await server.kill(signal)
  await Promise.all([incompleteRequest, ...payments])
  const outputs = await readDataFolder(`data folder after ${signal}`, dataDir)
  await server.start()
  return {
    outputs,
    unfinished: [
      ...holding.map(({ shopper, order }): UnfinishedPayment => ({
        name: `a card held at ${signal}`,
        expected: 'card_not_held',
        finish: () => shopper.pay(order),
      })),
      ...charging.map(({ shopper, order }): UnfinishedPayment => ({
        name: `a payment at ${signal}`,
        expected: 'paid',
        finish: () => shopper.statusWhenDecided(order.checkoutId),
      })),
    ],
  }
}
