/** Workload: what shoppers and merchants do in a simulated run, and how often things go wrong meanwhile. */
import type { CheckoutOutcome } from './run-record.ts'
import { ERRATIC_SHOPPER, PERSISTENT_SHOPPER, TYPICAL_SHOPPER } from './shopper.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { World } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export interface Workload {
  /** How often a message goes wrong: one of these, by the seed. */
  readonly faultRates: readonly [number, ...number[]]
  /** How often a process dies at a step: one of these, by the seed. */
  readonly crashRates: readonly [number, ...number[]]
  /** Faults that hit all checkouts at once. */
  injectFaults?(world: World, random: SeededRandom): void
  /** One checkout from its creation to the last call about it. */
  runCheckout(world: World, random: SeededRandom): Promise<void>
  /** What is wrong with the way a checkout of this workload ended, beyond the promises that always hold. */
  outcomeFault?(outcome: CheckoutOutcome): string | undefined
}

/** Where every shopper persists, a process must live long enough for one payment, or no run would end. */
const FEW_CRASHES: Workload['crashRates'] = [0, 0.0005, 0.002]

const requestRefund = async (
  world: World,
  checkoutId: string,
  refundId: string,
  amount: number | null,
): Promise<void> => {
  const payload = amount === null ? { refundId } : { refundId, amount }
  await world.sendAsMerchant({ method: 'POST', url: `/merchant/v1/checkouts/${checkoutId}/refunds`, payload })
}

/** Everything at once: tabs, cancels, deadlines, refunds, a silent acquirer, a clock that is set wrong. */
const storm: Workload = {
  faultRates: [0, 0.02, 0.05, 0.1, 0.2, 0.5],
  crashRates: [0, 0.002, 0.01],
  injectFaults: ({ time, acquirerConnection, setServerClock }, random) => {
    if (random.chance(0.05)) acquirerConnection.goSilentUntil(time.now() + random.between(1, 10) * MINUTE)
    if (random.chance(0.1))
      void time.sleep(random.between(0, MINUTE)).then(() => setServerClock(random.between(-HOUR, HOUR)))
  },
  runCheckout: async (world, random) => {
    const { time } = world
    await time.sleep(random.between(0, 30 * SECOND))
    const id = await world.createCheckout(
      world.serverNow() + (random.chance(0.3) ? random.between(10, 90) * SECOND : HOUR),
    )
    if (id === null) return
    // Most shoppers have one card and pay with it; the erratic ones find the faults.
    const isTypical = random.chance(0.6)
    const tab = (): Promise<void> => world.openTab(id, isTypical ? TYPICAL_SHOPPER : ERRATIC_SHOPPER, random.split())
    await Promise.all(!isTypical && random.chance(0.3) ? [tab(), tab()] : [tab()])
    if (!random.chance(isTypical ? 0.1 : 0.4)) return
    await time.sleep(random.between(0, MINUTE))
    const refund = (own: SeededRandom): Promise<void> =>
      requestRefund(world, id, `r${own.between(1, 3)}`, own.chance(0.5) ? null : own.between(1, 1500))
    await Promise.all(random.chance(0.5) ? [refund(random.split()), refund(random.split())] : [refund(random.split())])
  },
}

/** Two tabs pay for the same checkout, each with its own card. */
const twoTabs: Workload = {
  faultRates: [0, 0.05, 0.1],
  crashRates: [0, 0.0003, 0.001],
  runCheckout: async (world, random) => {
    const id = await world.createCheckout(world.serverNow() + 6 * HOUR)
    if (id === null) return
    await Promise.all([1, 2].map(() => world.openTab(id, PERSISTENT_SHOPPER, random.split())))
  },
  outcomeFault: ({ status, charges, lastMessages }) => {
    if (charges !== 1 || status !== 'paid') return `was charged ${charges} times and is ${status}`
    return lastMessages.join() === 'paid,paid' ? undefined : `showed in its two tabs ${lastMessages.join(' and ')}`
  },
}

/** One tab pays while another cancels. */
const payAgainstCancel: Workload = {
  faultRates: [0, 0.05, 0.2],
  crashRates: FEW_CRASHES,
  runCheckout: async (world, random) => {
    const { time } = world
    const id = await world.createCheckout(world.serverNow() + 6 * HOUR)
    if (id === null) return
    const cancel = async (): Promise<void> => {
      await time.sleep(random.between(0, 12 * SECOND))
      await world.send({ method: 'DELETE', url: `/api/v1/checkouts/${id}` })
    }
    await Promise.all([world.openTab(id, PERSISTENT_SHOPPER, random.split()), cancel()])
  },
}

/** The deadline passes while somebody pays. */
const payAgainstDeadline: Workload = {
  faultRates: [0, 0.05, 0.2],
  crashRates: FEW_CRASHES,
  runCheckout: async (world, random) => {
    const id = await world.createCheckout(world.serverNow() + random.between(1, 12_000))
    if (id === null) return
    await world.openTab(id, PERSISTENT_SHOPPER, random.split())
  },
}

/** Servers of one merchant request refunds at the same time, together for more than was paid. */
const refundAgainstRefund: Workload = {
  faultRates: [0, 0.05, 0.2],
  crashRates: FEW_CRASHES,
  runCheckout: async (world, random) => {
    const id = await world.createCheckout(world.serverNow() + 6 * HOUR)
    if (id === null) return
    await world.openTab(id, PERSISTENT_SHOPPER, random.split())
    const requests = Array.from({ length: random.between(2, 4) }, () => random.split())
    await Promise.all(
      requests.map(async (own) => {
        await world.time.sleep(own.between(0, 3 * SECOND))
        // Each is for half or more, so two seldom fit together. The same id twice is one refund.
        await requestRefund(
          world,
          id,
          `r${own.between(1, 3)}`,
          own.chance(0.3) ? null : own.oneOf([990, 991, 1500, 1979]),
        )
      }),
    )
  },
}

/** The acquirer falls silent for an hour while payments are on their way to it. */
const silentHour: Workload = {
  faultRates: [0, 0.2],
  crashRates: [0, 0.0005],
  injectFaults: ({ time, acquirerConnection }, random) => {
    void time.sleep(random.between(0, 10 * SECOND)).then(() => acquirerConnection.goSilentUntil(time.now() + HOUR))
  },
  runCheckout: async (world, random) => {
    const id = await world.createCheckout(world.serverNow() + 6 * HOUR)
    if (id === null) return
    await world.openTab(id, { ...PERSISTENT_SHOPPER, maxTries: 18 }, random.split())
  },
}

export const WORKLOADS = {
  storm,
  'two-tabs': twoTabs,
  'pay-against-cancel': payAgainstCancel,
  'pay-against-deadline': payAgainstDeadline,
  'refund-against-refund': refundAgainstRefund,
  'silent-hour': silentHour,
} satisfies Readonly<Record<string, Workload>>

export type WorkloadName = keyof typeof WORKLOADS

export const isWorkloadName = (name: string): name is WorkloadName => Object.hasOwn(WORKLOADS, name)
