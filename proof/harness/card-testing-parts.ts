import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { createCardFingerprint } from '../../server/operations/card-fingerprint.ts'
import type { Parts } from '../../server/parts.ts'

/** Card testing parts: the limits as they are, a fixed key, and declines that take no longer than they must. */
export const CARD_TESTING_PARTS: Pick<Parts, 'cardTestingLimits' | 'cardFingerprint' | 'declineFloorMs'> = {
  cardTestingLimits: CARD_TESTING_LIMITS,
  cardFingerprint: createCardFingerprint('0'.repeat(64)),
  declineFloorMs: 0,
}

/** An address of the range that is kept for examples. */
export const CLIENT_NETWORK = '192.0.2.1'
