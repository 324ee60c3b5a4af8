/** Faulty connection between browsers and the server: requests are lost or late, responses are lost. */
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { SendRequest } from './shopper.ts'
import type { VirtualTime } from './virtual-time.ts'

interface BrowserConnectionOptions {
  readonly time: VirtualTime
  readonly random: SeededRandom
  /** How often a request or its response is lost or late. */
  readonly faultRate: number
  /** A request that the browser has given up may still arrive, up to this much later. */
  readonly maxDelayMs: number
  readonly deliver: SendRequest
}

const MAX_NETWORK_DELAY_MS = 200

export const browserConnection = ({
  time,
  random,
  faultRate,
  maxDelayMs,
  deliver,
}: BrowserConnectionOptions): { readonly send: SendRequest; stopFaults(): void } => {
  let hasFaults = true
  return {
    stopFaults: () => {
      hasFaults = false
    },
    send: async (options) => {
      const fault = hasFaults && random.chance(faultRate) ? random.oneOf(['lost', 'late', 'response lost']) : 'none'
      await time.sleep(random.between(0, MAX_NETWORK_DELAY_MS))
      if (fault === 'lost') return 'no response'
      if (fault === 'late') {
        void time.sleep(random.between(0, maxDelayMs)).then(() => deliver(options))
        return 'no response'
      }
      const response = await deliver(options)
      await time.sleep(random.between(0, MAX_NETWORK_DELAY_MS))
      return fault === 'response lost' ? 'no response' : response
    },
  }
}
