/** Cards under fuzz: numbers that the sandbox pays, refuses or challenges. */
import type { SeededRandom } from '../harness/seeded-random.ts'

/** Numbers that the sandbox neither answers with a fault of its own nor leaves in doubt: those are 5xx by design. */
const PAID_NUMBERS = [
  '4242424242424242',
  '4111111111111111',
  '5555555555554444',
  '5105105105105100',
  '4100000000000100',
  '3528000000000106',
  '340000000000108',
  '6440000000000104',
  '36000000000008',
] as const
const REFUSED_NUMBERS = [
  '4100000000600008',
  '4100000000100009',
  '4100000000300005',
  '4100000000400003',
  '4100000000500000',
  '4100000000740002',
  '4100000000750001',
  '4100000000751009',
  '4100000000752007',
  '4100000000760000',
  '4100000000761008',
  '4100000000762006',
] as const
/** Approved in the bank's app a moment later. */
export const CHALLENGED_NUMBER = '4100000000715004'

/** Most are paid: where half of them are not, the merchant counts as under attack and hardly any payment goes further. */
export const fuzzedCardNumber = (random: SeededRandom): string => {
  if (random.chance(0.1)) return CHALLENGED_NUMBER
  return random.chance(0.06) ? random.oneOf([...REFUSED_NUMBERS]) : random.oneOf([...PAID_NUMBERS])
}
