import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { createCardFingerprint } from '../../server/operations/card-fingerprint.ts'
import type { Parts } from '../../server/parts.ts'

/** Card testing parts: the limits as they are, a fixed key, and declines that take no longer than they must. */
export const CARD_TESTING_PARTS: Pick<Parts, 'cardTestingLimits' | 'cardFingerprint' | 'declineFloorMs'> = {
  cardTestingLimits: CARD_TESTING_LIMITS,
  cardFingerprint: createCardFingerprint('0'.repeat(64)),
  declineFloorMs: 0,
}

const WITHOUT_LIMITS: Parts['cardTestingLimits']['test'] = {
  address: { unpaidPerHour: Number.POSITIVE_INFINITY, unpaidAndOpenPerThreeHours: Number.POSITIVE_INFINITY },
  card: null,
  merchant: { unpaid: Number.POSITIVE_INFINITY, ratio: 1 },
}

/** For tests that try out cards by the hundred. */
export const NO_CARD_TESTING_LIMITS: Parts['cardTestingLimits'] = { test: WITHOUT_LIMITS, live: WITHOUT_LIMITS }

/** An address of the range that is kept for examples. */
export const CLIENT_NETWORK = '192.0.2.1'
