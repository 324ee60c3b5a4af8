/**
 * In-process server: the server as server/compose.ts composes it, with an acquirer and a 3-D Secure server in its own process
 * that answer at once. The bench of the server starts it.
 */
import { THREE_DS_LIMITS } from '#contract/page.ts'
import { NO_KEY_LIMITS, NO_LANE_LIMITS } from '../../proof/harness/no-limits.ts'
import { startDatabaseWatch } from '../../server/background/database-watch.ts'
import { startWorker } from '../../server/background/worker.ts'
import { compose } from '../../server/compose.ts'
import { readConfig } from '../../server/config/config.ts'
import { openDemo } from '../../server/demo/demo.ts'
import { demoLines } from '../../server/demo/links.ts'
import { sharedAccount } from '../../proof/promises/shared-account.ts'
import { wrapGateway } from '../../server/gateways/wrap-gateway.ts'
import { createApp } from '../../server/http/app.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { MINIMUM_DECLINE_MS } from '../../server/operations/minimum-decline-time.ts'
import { exitWithParent } from '../../server/stop.ts'
import { wrapThreeDSServer } from '../../server/three-ds/wrap-three-ds-server.ts'
import { acquirerInProcess, threeDSServerInProcess } from './outside-in-process.ts'

const main = async (): Promise<void> => {
  exitWithParent(() => process.exit(1))
  const reading = readConfig(process.env)
  if (!reading.ok) throw new Error(reading.problem)
  const { config } = reading
  const composition = await compose(
    config,
    () => process.exit(1),
    () => undefined,
  )
  if ('problem' in composition) throw new Error(composition.problem)
  const { log, elapsed, cardFingerprint } = composition.deps
  const gateway = wrapGateway(acquirerInProcess, { log, elapsed, cardFingerprint })
  const deps = {
    ...composition.deps,
    gateways: sharedAccount(composition.deps.database, gateway),
    threeDSServer: wrapThreeDSServer(threeDSServerInProcess, log, elapsed),
    minimumDeclineMs: MINIMUM_DECLINE_MS,
    sendWebhook: async () => ({ outcome: 'answered', status: 200, retryAfter: null, body: '' }) as const,
    readWebhookAddress: async (text: string) => text,
  }
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
      .then(() => deps.database.close())
      .finally(() => process.exit(0))
  })
  const demo = await openDemo(deps, config.dataDir, null)
  for (const line of await demoLines(deps, demo)) process.stdout.write(`${line}\n`)
  process.stdout.write('ready\n')
}

await main()
