/** Payers: four shoppers who pay one checkout after another, in rounds, quietly and beside an attack. */
import { median, percentile } from '../../tools/measurement/percentile.ts'
import { payUntil, type PaymentTimes } from '../harness/paying-shoppers.ts'
import type { Measured } from './attacked-server.ts'

const PAYERS = 4
/** A payer who waits longer for a call has left. */
const CALL_TIMEOUT_MS = 20_000
const WARM_UP_MS = 3000
const ROUNDS = 5
const ROUND_MS = 3000

interface Shop {
  readonly port: number
  readonly key: string
}

/** Each time is the median of what the rounds measured. */
export interface Paid {
  readonly payments: number
  readonly payP50: number
  readonly payP99: number
  readonly wholeP99: number
  readonly seconds: number
  /** Payments that did not end paid, as what they answered. */
  readonly failures: readonly string[]
}

const payFor = ({ port, key }: Shop, ms: number): Promise<PaymentTimes> =>
  payUntil(port, key, performance.now() + ms, PAYERS, CALL_TIMEOUT_MS)

export const warmUp = (shop: Shop): Promise<unknown> => payFor(shop, WARM_UP_MS)

/**
 * When the machine stops for an instant, all payers wait at once: in a short run that is more than the hundredth of which p99
 * speaks. It falls into one round. What an attack does is in all of them.
 */
export const payInRounds = async (shop: Shop): Promise<Paid> => {
  const rounds: PaymentTimes[] = []
  const began = performance.now()
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await payFor(shop, ROUND_MS))
  const medianOf = (of: 'payMs' | 'wholeMs', percent: number): number =>
    // A round without a payment is the slowest.
    median(rounds.map((times) => (times[of].length === 0 ? Number.POSITIVE_INFINITY : percentile(times[of], percent))))
  return {
    payments: rounds.reduce((sum, { payMs }) => sum + payMs.length, 0),
    payP50: medianOf('payMs', 50),
    payP99: medianOf('payMs', 99),
    wholeP99: medianOf('wholeMs', 99),
    seconds: (performance.now() - began) / 1000,
    failures: rounds.flatMap(({ failures }) => failures),
  }
}

export const describePaid = ({ payments, payP50, payP99, wholeP99, failures }: Paid): string =>
  `${payments} payments, p50 ${payP50.toFixed(0)}, p99 ${payP99.toFixed(0)} ms, whole p99 ${wholeP99.toFixed(0)} ms, ${failures.length} refused ${failures.slice(0, 2).join('; ')}`

export const besideQuiet = (name: string, paid: Paid, quiet: Paid): Measured => ({
  [`${name}: pay p99 ms`]: paid.payP99,
  [`${name}: pay p99, times the quiet one`]: paid.payP99 / quiet.payP99,
  [`${name}: whole payment p99 ms`]: paid.wholeP99,
  [`${name}: payments refused`]: paid.failures.length,
})
