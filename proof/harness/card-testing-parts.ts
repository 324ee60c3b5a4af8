import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { createAskedCards } from '../../server/store/checkout/shop-velocity.ts'
import { createCardFingerprint, createCardMark } from '../../server/operations/card-testing/card-fingerprint.ts'
import type { Dependencies } from '../../server/dependencies.ts'

const SECRET_KEY = '0'.repeat(64)

/** Card testing parts: the limits as they are, a fixed key, and declines that take no longer than they must. */
export const cardTestingDependencies = (
  elapsed: () => number,
): Pick<Dependencies, 'cardTestingLimits' | 'cardFingerprint' | 'cardMark' | 'askedCards' | 'minimumDeclineMs'> => ({
  cardTestingLimits: CARD_TESTING_LIMITS,
  cardFingerprint: createCardFingerprint(SECRET_KEY),
  cardMark: createCardMark(SECRET_KEY),
  askedCards: createAskedCards(elapsed),
  minimumDeclineMs: 0,
})

const ANY = Number.POSITIVE_INFINITY

const WITHOUT_LIMITS: Dependencies['cardTestingLimits']['test'] = {
  network: {
    unpaidPerHour: ANY,
    unpaidAndOpenPerThreeHours: ANY,
    waitFromPerThreeHours: ANY,
    creditMax: { perHour: ANY, perThreeHours: ANY },
  },
  card: null,
  shop: { unpaidLinks: ANY, cardsPerHour: ANY },
  serverCardsPerHour: ANY,
}

/** For tests that try out cards by the hundred. */
export const NO_CARD_TESTING_LIMITS: Dependencies['cardTestingLimits'] = { test: WITHOUT_LIMITS, live: WITHOUT_LIMITS }

/** An address of the range that is kept for examples. */
export const CLIENT_NETWORK = '192.0.2.1'
