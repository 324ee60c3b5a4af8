/** Record of one simulated run: what the checks compare when it is over. */
import type { Database } from '../../server/store/engine/database.ts'
import type { SimulatedOrder } from './acquirer.ts'
import type { HomeReadings } from './attention.ts'
import type { ShownMessage } from './shopper.ts'
import type { HoldWatch } from './watched-card-hold.ts'

export interface RunRecord {
  readonly sql: Database
  readonly ordersAtAcquirer: ReadonlyMap<string, SimulatedOrder>
  readonly messagesShown: readonly ShownMessage[]
  /** Alarms and errors that the server logged. */
  readonly alarms: readonly string[]
  readonly holdWatch: Omit<HoldWatch, 'watched'>
  /** By the shared hold. */
  readonly cardsLost: number
  /** Wiped, and brought back by a failover of the shared hold. */
  readonly cardsBack: number
  /** Refund requests for more than was paid. */
  readonly excessRefunds: readonly string[]
  readonly home: HomeReadings
}

/** How one checkout ended, in the store and in each tab. */
export interface CheckoutOutcome {
  readonly checkoutId: string
  readonly status: string
  readonly charges: number
  /** What each tab showed last. */
  readonly lastMessages: readonly ShownMessage['message'][]
}
