/**
 * In-process server: the server as server/compose.ts composes it, with an acquirer and a 3-D Secure server in its own process
 * that answer at once. The bench of the server starts it.
 */
import { THREE_DS_LIMITS } from '#contract/page.ts'
import { NO_KEY_LIMITS, NO_LANE_LIMITS } from '../../proof/harness/test-server.ts'
import { startDatabaseWatch } from '../../server/background/database-watch.ts'
import { withMetrics } from '../../server/background/metrics.ts'
import { startWorker } from '../../server/background/worker.ts'
import { composeDependencies } from '../../server/compose.ts'
import { readConfig } from '../../server/config/config.ts'
import { openDemo } from '../../server/demo/demo.ts'
import { demoLines } from '../../server/demo/links.ts'
import { systemClock, systemElapsed } from '../../server/dependencies.ts'
import { openAccount } from '../../server/gateways/open.ts'
import { createApp } from '../../server/http/app.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { DECLINE_FLOOR_MS } from '../../server/operations/decline-floor.ts'
import { createGuardedClock } from '../../server/operations/guarded-clock.ts'
import { exitWithParent } from '../../server/stop.ts'
import { prepareDatabase } from '../../server/store/engine/prepare.ts'
import { acquirerInProcess, threeDSServerInProcess } from './outside-in-process.ts'

const main = async (): Promise<void> => {
  exitWithParent(() => process.exit(1))
  const reading = readConfig(process.env)
  if (!reading.ok) throw new Error(reading.problem)
  const { config } = reading
  const prepared = await prepareDatabase(config, () => process.exit(1))
  if ('problem' in prepared) throw new Error(prepared.problem)
  const clock = createGuardedClock(systemClock, systemElapsed, null)
  const composed = composeDependencies(config, { ...prepared, threeDSServer: threeDSServerInProcess, clock })
  const { log, elapsed, cardFingerprint } = composed
  const { deps } = withMetrics({
    ...composed,
    gateway: openAccount(acquirerInProcess, log, { elapsed, cardFingerprint }),
    declineFloorMs: DECLINE_FLOOR_MS,
    sendWebhook: async () => ({ outcome: 'answered', status: 200, retryAfter: null, body: '' }),
    readWebhookAddress: async (text) => text,
  })
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
    // One API key sends all requests: its rate limit is not measured here.
    keyLimits: NO_KEY_LIMITS,
    // The calls before a payment must not be shed on a busy machine.
    lanes: NO_LANE_LIMITS,
  })
  await app.listen({ port: config.port, host: config.host })
  const worker = startWorker(deps)
  startDatabaseWatch(deps)
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
