/** Composition: opens what the configuration names, and makes of it the dependencies of a server or of a worker. */
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import type { CardHold, Gateway } from '#payment/ports.ts'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'
import type { AccountRef } from '#payment/references.ts'
import { withMetrics } from './background/metrics.ts'
import { createClockSkew, type ClockSkew } from './background/skew-watch.ts'
import type { Config } from './config/config.ts'
import { systemClock, systemElapsed, systemRandom, type Dependencies, type Elapsed } from './dependencies.ts'
import { createGateways } from './gateways/accounts.ts'
import { createAcquirerAdapters } from './gateways/adapters.ts'
import { gatewayNotConfigured } from './gateways/not-configured.ts'
import { openGateway } from './gateways/open.ts'
import type { FindAdyenAccount } from './http/routes/acquirer-notifications.ts'
import { wrapGateway } from './gateways/wrap-gateway.ts'
import { createLog, logToStderr, type Log } from './log.ts'
import { createCardFingerprint, createCardMark } from './operations/card-testing/card-fingerprint.ts'
import { openCardHold } from './card-hold/open.ts'
import { createChallengeMacs } from './operations/people/challenge-macs.ts'
import { createMailedToken } from './operations/people/mailed-token.ts'
import { MINIMUM_DECLINE_MS } from './operations/minimum-decline-time.ts'
import { type GuardedClock, createGuardedClock } from './operations/clock/guarded-clock.ts'
import { createSealing } from './config/sealed.ts'
import { createShopVelocity, SHARES_OF_SEVERAL_SERVERS } from './store/checkout/shop-velocity.ts'
import { createMoneyCalls, withTrackedWrites, type MoneyCalls } from './stop.ts'
import type { Database } from './store/engine/database.ts'
import { askClockSkew } from './store/engine/database-time.ts'
import { newestStoredTime } from './store/engine/heartbeat.ts'
import { hasAcquirer } from './store/claim-database.ts'
import { prepareDatabase } from './store/prepare-database.ts'
import { createWriteProbe } from './store/engine/write-probe.ts'
import { createRecentMerchants } from './store/merchant/recent-merchants.ts'
import type { ThreeDSCredentialsOf } from './three-ds/active-server/three-ds-server.ts'
import { openThreeDSServer } from './three-ds/open.ts'
import { wrapThreeDSServer } from './three-ds/wrap-three-ds-server.ts'
import { openWebhooks } from './webhooks/open.ts'

const TAKEN_OVER =
  'Another Kaikei server took the database over while the connection was lost. Start this one again when that one has ended.'

interface Opened {
  readonly database: Database
  readonly secretKeys: readonly string[]
  readonly clock: GuardedClock
  readonly gateway: Gateway | null
  readonly connectCardHold: (parts: { readonly elapsed: Elapsed; readonly log: Log }) => CardHold
  readonly connectThreeDSServer: (credentialsOf: ThreeDSCredentialsOf) => ThreeDSServer
  readonly moneyCalls: MoneyCalls
}

const dependenciesOf = (
  config: Config,
  opened: Opened,
): { readonly deps: Dependencies; readonly findAdyenAccount: FindAdyenAccount } => {
  const { secretKeys, clock, moneyCalls } = opened
  const sealing = createSealing(secretKeys)
  const [secretKey = ''] = secretKeys
  const { database: probed, writeProbe } = createWriteProbe(opened.database, clock, systemElapsed)
  const database = withTrackedWrites(probed, moneyCalls.track)
  const log = createLog(config.logLevel, logToStderr(), systemElapsed)
  const cardHold = opened.connectCardHold({ elapsed: systemElapsed, log })
  const cardFingerprint = createCardFingerprint(secretKey)
  const wrap = (gateway: Gateway, account?: AccountRef): Gateway => {
    const whose = account === undefined ? {} : { merchantId: account.merchantId }
    return wrapGateway(gateway, { log, elapsed: systemElapsed, cardFingerprint, track: moneyCalls.track, ...whose })
  }
  const gateway = wrap(opened.gateway ?? gatewayNotConfigured)
  const { gateways, threeDSCredentialsOf, notifiedAccount } = createGateways({
    sql: database,
    elapsed: systemElapsed,
    log,
    sealing,
    adapters: createAcquirerAdapters({
      gatewayTimeoutMs: config.gatewayTimeoutMs,
      clock,
      sql: database,
      publicBase: config.publicBase,
    }),
    sandbox: opened.gateway === null ? null : gateway,
    wrap,
    config,
  })
  const findMerchant = createRecentMerchants(database, systemElapsed)
  const deps = {
    database,
    writeProbe,
    findMerchant,
    gateways,
    threeDSServer: wrapThreeDSServer(opened.connectThreeDSServer(threeDSCredentialsOf), log, systemElapsed),
    cardHold,
    clock,
    clockCheck: clock,
    elapsed: systemElapsed,
    random: systemRandom,
    log,
    gatewayTimeoutMs: config.gatewayTimeoutMs,
    cardTestingLimits: CARD_TESTING_LIMITS,
    cardFingerprint,
    cardMark: createCardMark(secretKey),
    shopVelocity: createShopVelocity(systemElapsed, config.sharedCardHold === null ? 1 : SHARES_OF_SEVERAL_SERVERS),
    minimumDeclineMs: MINIMUM_DECLINE_MS * (config.sandbox?.timeScale ?? 1),
    challengeMacs: createChallengeMacs(secretKeys),
    mailedToken: createMailedToken(secretKey),
    sealing,
    ...openWebhooks(config, secretKeys),
    publicBase: config.publicBase,
  }
  const findAdyenAccount: FindAdyenAccount = async (label, mode) => {
    const merchant = await findMerchant(label)
    return merchant === null ? null : notifiedAccount({ merchantId: merchant.id, mode })
  }
  return { deps, findAdyenAccount }
}

export interface Composition {
  readonly deps: Dependencies
  readonly findAdyenAccount: FindAdyenAccount
  /** The current one first. None in a worker that was given none: it signs nothing. */
  readonly secretKeys: readonly string[]
  readonly clock: GuardedClock
  readonly clockSkew: ClockSkew
  /** No other server runs on this database. */
  readonly isAlone: boolean
  /** False: nobody can pay, and a restored database can be compared with nobody. */
  readonly hasAcquirer: boolean
  readonly moneyCalls: MoneyCalls
  /** The metrics of this moment, in the text format of Prometheus. */
  scrape(): Promise<string>
}

/**
 * The composition, or the one line that says what to mend. `onLost`: the database is not this process's to use any more; `say`:
 * what it waits for.
 */
export const compose = async (
  config: Config,
  onLost: (problem: string) => void,
  say: (line: string) => void,
): Promise<Composition | { readonly problem: string }> => {
  const threeDS = await openThreeDSServer(config.threeDS)
  if ('problem' in threeDS) return threeDS
  const connectCardHold = await openCardHold(config.sharedCardHold)
  if ('problem' in connectCardHold) return connectCardHold
  const prepared = await prepareDatabase(config, { onLost: () => onLost(TAKEN_OVER), say })
  if ('problem' in prepared) return prepared
  const { database, secretKeys, isAlone } = prepared
  const clock = createGuardedClock(systemClock, systemElapsed, await newestStoredTime(database))
  const clockSkew = createClockSkew(config.databaseUrl === null ? null : () => askClockSkew(database, clock.now))
  const gateway = openGateway(config, clock)
  const moneyCalls = createMoneyCalls()
  const opened = { ...threeDS, connectCardHold, database, secretKeys, clock, gateway, moneyCalls }
  const { deps, findAdyenAccount } = dependenciesOf(config, opened)
  return {
    ...withMetrics(deps, clockSkew.lastMs),
    clockSkew,
    findAdyenAccount,
    secretKeys,
    clock,
    isAlone,
    hasAcquirer: await hasAcquirer(config, database),
    moneyCalls,
  }
}
