import type { Ending } from './evidence.ts'
import { PLAIN_HABITS, RESOLUTE_HABITS, WILD_HABITS } from './shopper.ts'
import type { Dice } from '../harness/seeded.ts'
import type { World } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Where everybody means to come to an end, a process must live long enough for one payment. */
const FEW_CRASHES: Play['crashRates'] = [0, 0.0005, 0.002]

/** What people do in a world. */
export interface Play {
  /** One of these is how often messages go wrong. */
  readonly troubles: readonly [number, ...number[]]
  /** One of these is how often a process dies at a step. */
  readonly crashRates: readonly [number, ...number[]]
  /** What befalls the whole world. */
  befall?(world: World, dice: Dice): void
  /** One checkout, from its creation to the last thing anybody does about it. */
  live(world: World, dice: Dice): Promise<void>
  /** How a checkout of this play may end, beyond the promises that always hold. Answers what is wrong with it. */
  judge?(ending: Ending): string | undefined
}

const refund = async (world: World, checkoutId: string, refundId: string, amount: number | null): Promise<void> => {
  const payload = amount === null ? { refundId } : { refundId, amount }
  await world.asMerchant({ method: 'POST', url: `/merchant/v1/checkouts/${checkoutId}/refunds`, payload })
}

/** Everything at once: tabs, cancels, deadlines, refunds, a silent acquirer, a clock that is set wrong. */
const storm: Play = {
  troubles: [0, 0.02, 0.05, 0.1, 0.2, 0.5],
  crashRates: [0, 0.002, 0.01],
  befall: ({ time, acquirerLine, setServerClock }, dice) => {
    if (dice.chance(0.05)) acquirerLine.fallSilentUntil(time.now() + dice.between(1, 10) * MINUTE)
    if (dice.chance(0.1)) void time.sleep(dice.between(0, MINUTE)).then(() => setServerClock(dice.between(-HOUR, HOUR)))
  },
  live: async (world, dice) => {
    const { time } = world
    await time.sleep(dice.between(0, 30 * SECOND))
    const id = await world.create(world.serverNow() + (dice.chance(0.3) ? dice.between(10, 90) * SECOND : HOUR))
    if (id === null) return
    // Most people have one card and pay with it; what the others do is what finds faults.
    const isPlain = dice.chance(0.6)
    const tab = (): Promise<void> => world.openTab(id, isPlain ? PLAIN_HABITS : WILD_HABITS, dice.split())
    await Promise.all(!isPlain && dice.chance(0.3) ? [tab(), tab()] : [tab()])
    if (!dice.chance(isPlain ? 0.1 : 0.4)) return
    await time.sleep(dice.between(0, MINUTE))
    const give = (hand: Dice): Promise<void> =>
      refund(world, id, `r${hand.between(1, 3)}`, hand.chance(0.5) ? null : hand.between(1, 1500))
    await Promise.all(dice.chance(0.5) ? [give(dice.split()), give(dice.split())] : [give(dice.split())])
  },
}

/** Two tabs, two cards, one wish: to pay. */
const twoTabs: Play = {
  troubles: [0, 0.05, 0.1],
  crashRates: [0, 0.0003, 0.001],
  live: async (world, dice) => {
    const id = await world.create(world.serverNow() + 6 * HOUR)
    if (id === null) return
    await Promise.all([1, 2].map(() => world.openTab(id, RESOLUTE_HABITS, dice.split())))
  },
  judge: ({ status, charges, lastWords }) => {
    if (charges !== 1 || status !== 'paid') return `was charged ${charges} times and is ${status}`
    return lastWords.join() === 'paid,paid' ? undefined : `told its two tabs ${lastWords.join(' and ')}`
  },
}

/** One tab pays while another cancels. */
const payAgainstCancel: Play = {
  troubles: [0, 0.05, 0.2],
  crashRates: FEW_CRASHES,
  live: async (world, dice) => {
    const { time } = world
    const id = await world.create(world.serverNow() + 6 * HOUR)
    if (id === null) return
    const cancel = async (): Promise<void> => {
      await time.sleep(dice.between(0, 12 * SECOND))
      await world.send({ method: 'DELETE', url: `/api/v1/checkouts/${id}` })
    }
    await Promise.all([world.openTab(id, RESOLUTE_HABITS, dice.split()), cancel()])
  },
}

/** The deadline passes while somebody pays. */
const payAgainstDeadline: Play = {
  troubles: [0, 0.05, 0.2],
  crashRates: FEW_CRASHES,
  live: async (world, dice) => {
    const id = await world.create(world.serverNow() + dice.between(1, 12_000))
    if (id === null) return
    await world.openTab(id, RESOLUTE_HABITS, dice.split())
  },
}

/** A merchant's two servers give back more between them than was paid. */
const refundAgainstRefund: Play = {
  troubles: [0, 0.05, 0.2],
  crashRates: FEW_CRASHES,
  live: async (world, dice) => {
    const id = await world.create(world.serverNow() + 6 * HOUR)
    if (id === null) return
    await world.openTab(id, RESOLUTE_HABITS, dice.split())
    const hands = Array.from({ length: dice.between(2, 4) }, () => dice.split())
    await Promise.all(
      hands.map(async (hand) => {
        await world.time.sleep(hand.between(0, 3 * SECOND))
        // Above half of it each: of two different ones, only one has room. The same id twice is one refund.
        await refund(world, id, `r${hand.between(1, 3)}`, hand.chance(0.3) ? null : hand.oneOf([990, 991, 1500, 1979]))
      }),
    )
  },
}

/** The acquirer falls silent for an hour while payments are on their way to it. */
const silentHour: Play = {
  troubles: [0, 0.2],
  crashRates: [0, 0.0005],
  befall: ({ time, acquirerLine }, dice) => {
    void time.sleep(dice.between(0, 10 * SECOND)).then(() => acquirerLine.fallSilentUntil(time.now() + HOUR))
  },
  live: async (world, dice) => {
    const id = await world.create(world.serverNow() + 6 * HOUR)
    if (id === null) return
    await world.openTab(id, { ...RESOLUTE_HABITS, tries: 18 }, dice.split())
  },
}

export const PLAYS = {
  storm,
  'two-tabs': twoTabs,
  'pay-against-cancel': payAgainstCancel,
  'pay-against-deadline': payAgainstDeadline,
  'refund-against-refund': refundAgainstRefund,
  'silent-hour': silentHour,
} satisfies Readonly<Record<string, Play>>

export type PlayName = keyof typeof PLAYS

export const isPlayName = (name: string): name is PlayName => Object.hasOwn(PLAYS, name)
