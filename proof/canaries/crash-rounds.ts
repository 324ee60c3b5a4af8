import { systemClock } from '../../server/parts.ts'
import type { Acquirer } from '../harness/acquirer-process.ts'
import type { Canary, Mint } from './canary.ts'
import { halfABody } from './mistakes.ts'
import { outputOfDataFolder } from './outputs.ts'
import type { Premises } from './premises.ts'
import type { Output } from './scanner.ts'
import { open, pay, prepare, settled, wordOf, type Order } from './shopper.ts'

export interface Round {
  readonly signal: 'SIGKILL' | 'SIGTERM'
  readonly held: number
  readonly paying: number
}

/** How many canaries a round takes: the last one is half told. */
export const sizeOfRound = ({ held, paying }: Round): number => held + paying + 1

/** Something that was left undone, by its name, the word it must end with and how to find out. */
export interface LeftUndone {
  readonly name: string
  readonly ends: string
  finish(): Promise<string>
}

interface Crashed {
  readonly left: readonly LeftUndone[]
  /** What the dead server has left in its data folder. */
  readonly outputs: readonly Output[]
}

/** Booked at once and never answered: the payment is under way for as long as the server lives. */
const SILENT = '4100000000754003'
const LOOK_AGAIN_MS = 20

interface Held {
  readonly canary: Canary
  readonly order: Order
}

/** Waits until the acquirer has booked what the server has not heard of. */
const untilBooked = async (acquirer: Acquirer, held: readonly Held[]): Promise<void> => {
  for (;;) {
    const booked = new Set((await acquirer.books()).map(({ orderCode }) => orderCode))
    if (held.every(({ order }) => booked.has(order.orderCode))) return
    await systemClock.sleep(LOOK_AGAIN_MS)
  }
}

/** Ends the server with cards in its memory, payments under way and half a request read, and launches it again. */
export const crash = async (
  { world, dataDir, end, launch }: Premises,
  acquirer: Acquirer,
  mint: Mint,
  { signal, held, paying }: Round,
): Promise<Crashed> => {
  const prepareAll = (count: number, number?: string): Promise<Held[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const canary = mint.next(number)
        return { canary, order: await prepare(world, canary) }
      }),
    )
  const [holding, charging] = await Promise.all([prepareAll(held), prepareAll(paying, SILENT)])
  const half = mint.next()
  const cut = world.client.sendRaw(
    halfABody(half, await open(world, half)),
    signal === 'SIGKILL' ? 'wait for an answer' : 'cut off',
  )
  const pays = charging.map(({ canary, order }) => pay(world, canary, order).catch(() => null))
  await untilBooked(acquirer, charging)
  await end(signal)
  await Promise.all([cut, ...pays])
  const outputs = await outputOfDataFolder(`data folder after ${signal}`, dataDir)
  await launch()
  return {
    outputs,
    left: [
      ...holding.map(({ canary, order }): LeftUndone => ({
        name: `a card held at ${signal}`,
        ends: 'card_not_held',
        finish: async () => wordOf(await pay(world, canary, order)),
      })),
      ...charging.map(({ order }): LeftUndone => ({
        name: `a payment at ${signal}`,
        ends: 'paid',
        finish: () => settled(world, order.checkoutId),
      })),
    ],
  }
}
