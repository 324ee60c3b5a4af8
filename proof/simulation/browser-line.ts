import type { Dice } from '../harness/seeded.ts'
import type { Send } from './shopper.ts'
import type { VirtualTime } from './virtual-time.ts'

interface BrowserLineOptions {
  readonly time: VirtualTime
  readonly dice: Dice
  /** How often a request, or its answer, goes astray. */
  readonly trouble: number
  /** A request that the browser has given up may still arrive, this much later. */
  readonly latestMs: number
  readonly arrive: Send
}

const HOP_MS = 200

/** The way between browsers and the server. Requests are lost on it, or late; answers do not come back. */
export const browserLine = ({
  time,
  dice,
  trouble,
  latestMs,
  arrive,
}: BrowserLineOptions): { readonly send: Send; behave(): void } => {
  let behaves = false
  return {
    behave: () => {
      behaves = true
    },
    send: async (options) => {
      const fate = !behaves && dice.chance(trouble) ? dice.oneOf(['lost', 'late', 'answer lost']) : 'well'
      await time.sleep(dice.between(0, HOP_MS))
      if (fate === 'lost') return 'nothing'
      if (fate === 'late') {
        void time.sleep(dice.between(0, latestMs)).then(() => arrive(options))
        return 'nothing'
      }
      const reply = await arrive(options)
      await time.sleep(dice.between(0, HOP_MS))
      return fate === 'answer lost' ? 'nothing' : reply
    },
  }
}
