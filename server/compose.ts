/** Composition: the parts of a running server, made of its configuration and of what was opened outside. */
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import type { ThreeDSServer } from '#payment/ports.ts'
import type { Config } from './config/config.ts'
import { openAccount, openGateway } from './gateways/open.ts'
import { createLog, logToStderr } from './log.ts'
import { createCardFingerprint, createCardMark } from './operations/card-fingerprint.ts'
import { createCardHold } from './operations/card-hold.ts'
import { DECLINE_FLOOR_MS } from './operations/decline-floor.ts'
import type { GuardedClock } from './operations/guarded-clock.ts'
import { systemElapsed, systemRandom, type Dependencies } from './dependencies.ts'
import { createShopVelocity } from './store/checkout/shop-velocity.ts'
import type { Database } from './store/engine/database.ts'
import { createRecentMerchants } from './store/merchant/recent-merchants.ts'
import { createWriteProbe } from './store/engine/write-probe.ts'
import { errorsAsUnavailable } from './three-ds/errors-as-unavailable.ts'
import { shareResultQuestions } from './three-ds/share-result-questions.ts'
import { openWebhooks } from './webhooks/open.ts'

const CARD_SWEEP_INTERVAL_MS = 30_000

interface OpenedOutside {
  readonly database: Database
  readonly threeDSServer: ThreeDSServer
  readonly secretKeys: readonly string[]
  readonly clock: GuardedClock
}

export const composeDependencies = (
  config: Config,
  { database: opened, threeDSServer, secretKeys, clock }: OpenedOutside,
): Dependencies => {
  const { gatewayTimeoutMs, publicBase } = config
  const { database, writeProbe } = createWriteProbe(opened, clock, systemElapsed)
  const log = createLog(config.logLevel, logToStderr(), systemElapsed)
  const cardHold = createCardHold(systemElapsed)
  const cardFingerprint = createCardFingerprint(secretKeys[0] ?? '')
  setInterval(cardHold.sweep, CARD_SWEEP_INTERVAL_MS).unref()
  return {
    database,
    writeProbe,
    findMerchant: createRecentMerchants(database, systemElapsed),
    gateway: openAccount(openGateway(config, clock), log, { elapsed: systemElapsed, cardFingerprint }),
    threeDSServer: shareResultQuestions(errorsAsUnavailable(threeDSServer, log), systemElapsed),
    cardHold,
    clock,
    clockCheck: clock,
    elapsed: systemElapsed,
    random: systemRandom,
    log,
    gatewayTimeoutMs,
    cardTestingLimits: CARD_TESTING_LIMITS,
    cardFingerprint,
    cardMark: createCardMark(secretKeys[0] ?? ''),
    shopVelocity: createShopVelocity(systemElapsed),
    declineFloorMs: DECLINE_FLOOR_MS * (config.sandbox?.timeScale ?? 1),
    ...openWebhooks(config, secretKeys),
    publicBase,
  }
}
