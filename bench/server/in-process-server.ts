/**
 * In-process server: the server as server/main.ts composes it, with an acquirer and a 3-D Secure server in its own process
 * that answer at once, and a database whose statements can be recorded. It is started by the bench of the server.
 */
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { THREE_DS_LIMITS } from '#contract/page.ts'
import { NO_KEY_LIMITS, NO_LANE_LIMITS } from '../../proof/harness/test-server.ts'
import { startDatabaseWatch } from '../../server/background/database-watch.ts'
import { startWorker } from '../../server/background/worker.ts'
import { withMetrics } from '../../server/background/metrics.ts'
import { readConfig, type Config } from '../../server/config/config.ts'
import { openDemo } from '../../server/demo/demo.ts'
import { demoLines } from '../../server/demo/links.ts'
import { exitWithParent } from '../../server/stop.ts'
import { openAccount } from '../../server/gateways/open.ts'
import { createApp } from '../../server/http/app.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { createLog, logToStderr } from '../../server/log.ts'
import { createShopVelocity } from '../../server/store/checkout/shop-velocity.ts'
import { createCardFingerprint, createCardMark } from '../../server/operations/card-fingerprint.ts'
import { createCardHold } from '../../server/operations/card-hold.ts'
import { DECLINE_FLOOR_MS } from '../../server/operations/decline-floor.ts'
import { systemClock, systemElapsed, systemRandom, type Dependencies } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { prepareDatabase } from '../../server/store/prepare.ts'
import { createRecentMerchants } from '../../server/store/merchant/recent-merchants.ts'
import { errorsAsUnavailable } from '../../server/three-ds/errors-as-unavailable.ts'
import { shareResultQuestions } from '../../server/three-ds/share-result-questions.ts'
import { acquirerInProcess, threeDSServerInProcess } from './outside-in-process.ts'
import { recordDatabase } from './recording-database.ts'
import { createGuardedClock } from '../../server/operations/guarded-clock.ts'
import { createWriteProbe } from '../../server/store/engine/write-probe.ts'
import { createWebhookSecret } from '../../server/webhooks/signature.ts'

const composeDependencies = (
  config: Config,
  { recorded, database }: { readonly recorded: Database; readonly database: Database },
  secretKey: string,
): Dependencies => {
  const log = createLog(config.logLevel, logToStderr(), systemElapsed)
  const cardFingerprint = createCardFingerprint(secretKey)
  const clock = createGuardedClock(systemClock, systemElapsed, null)
  return {
    database: recorded,
    writeProbe: createWriteProbe(database, clock, systemElapsed).writeProbe,
    // Past the recording: a merchant is read once a second, however many payments there are.
    findMerchant: createRecentMerchants(database, systemElapsed),
    gateway: openAccount(acquirerInProcess, log, { elapsed: systemElapsed, cardFingerprint }),
    threeDSServer: shareResultQuestions(errorsAsUnavailable(threeDSServerInProcess, log), systemElapsed),
    cardHold: createCardHold(systemElapsed),
    clock,
    clockCheck: clock,
    elapsed: systemElapsed,
    random: systemRandom,
    log,
    gatewayTimeoutMs: config.gatewayTimeoutMs,
    cardTestingLimits: CARD_TESTING_LIMITS,
    cardFingerprint,
    cardMark: createCardMark(secretKey),
    shopVelocity: createShopVelocity(systemElapsed),
    declineFloorMs: DECLINE_FLOOR_MS,
    webhookSecret: createWebhookSecret(secretKey),
    sendWebhook: async () => ({ outcome: 'answered', status: 200, retryAfter: null, body: '' }),
    readWebhookAddress: async (text) => text,
    publicBase: config.publicBase,
  }
}

const main = async (): Promise<void> => {
  exitWithParent(() => process.exit(1))
  const reading = readConfig(process.env)
  if (!reading.ok) throw new Error(reading.problem)
  const { config } = reading
  const prepared = await prepareDatabase(config, () => process.exit(1))
  if ('problem' in prepared) throw new Error(prepared.problem)
  const recording = recordDatabase(prepared.database)
  const { deps } = withMetrics(
    composeDependencies(
      config,
      { recorded: recording.database, database: prepared.database },
      prepared.secretKeys[0] ?? '',
    ),
  )
  const app = await createApp({
    deps,
    build: await readPageBuild(),
    trustedProxies: config.trustedProxies,
    footer: config.footer,
    hsts: config.hsts,
    timeScale: 1,
    threeDS: { messageDomains: config.threeDS.messageDomains, ...THREE_DS_LIMITS },
    sendsMail: false,
    release: 'bench',
    // One key sends what hundreds would: its limit is not what is measured.
    keyLimits: NO_KEY_LIMITS,
    // Payments are measured: what prepares them must not be shed on a busy machine.
    lanes: NO_LANE_LIMITS,
  })
  await app.listen({ port: config.port, host: config.host })
  // Past the recording: what the worker looks for each second belongs to no operation.
  const worker = startWorker({ ...deps, database: prepared.database })
  startDatabaseWatch(deps)
  process.on('message', (message) => {
    if (message === 'record') recording.start()
    process.send?.(message === 'record' ? 'recording' : recording.stop())
  })
  process.once('SIGTERM', () => {
    void Promise.all([app.close(), worker.stop()])
      .then(() => prepared.database.close())
      .finally(() => process.exit(0))
  })
  const demo = await openDemo(deps, config.dataDir, null)
  for (const line of await demoLines(deps, demo)) process.stdout.write(`${line}\n`)
  process.stdout.write('ready\n')
}

await main()
