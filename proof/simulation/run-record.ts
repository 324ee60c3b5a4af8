/** Record of one simulated run: what the checks compare when it is over. */
import type { Sql } from '../../server/store/engine/database.ts'
import type { SimulatedOrder } from './acquirer.ts'
import type { ShownMessage } from './shopper.ts'

export interface RunRecord {
  readonly sql: Sql
  readonly ordersAtAcquirer: ReadonlyMap<string, SimulatedOrder>
  readonly messagesShown: readonly ShownMessage[]
  /** Alarms and errors that the server logged. */
  readonly alarms: readonly string[]
  /** Orders whose cards the last process was given and did not wipe. */
  readonly unwipedOrderCodes: ReadonlySet<string>
  /** Refund requests for more than was paid. */
  readonly excessRefunds: readonly string[]
}

/** How one checkout ended, in the store and in each tab. */
export interface CheckoutOutcome {
  readonly checkoutId: string
  readonly status: string
  readonly charges: number
  /** What each tab showed last. */
  readonly lastMessages: readonly ShownMessage['message'][]
}
