/** Serve: the listeners and the background work of a server, and the background work of a worker. */
import { createMailer } from './background/mail/mailer.ts'
import { createMetricsListener, type MetricsListener } from './background/metrics-listener.ts'
import { startPageAssetsWatch } from './background/page-assets-watch.ts'
import { startWebhookWorker } from './background/webhooks/webhook-worker.ts'
import { startWorker } from './background/worker.ts'
import type { Composition } from './compose.ts'
import type { Config } from './config/config.ts'
import { COMMAND_NAMES, releaseVersion } from './config/release.ts'
import { createApp } from './http/app.ts'
import type { RunDoctor } from './http/console/console-route.ts'
import type { InstallationWarnings } from './http/routes/merchant/caller.ts'
import { openListeners } from './http/listeners.ts'
import { readPageBuild } from './http/page-build.ts'
import { assetsByName, createStoredAssets } from './http/stored-assets.ts'
import { messageOf } from './log.ts'
import { createDrain, exitWithProblem, type Stop } from './stop.ts'
import { retryUntil } from './store/prepare-database.ts'
import { removeServerAddress, writeServerAddress } from './store/engine/running-server.ts'
import { createAssetHmac } from './store/page/page-asset-hmac.ts'
import { threeDSFacts } from './three-ds/page-facts.ts'

/** A server that was just killed may hold its port for another moment. */
const PORT_TIMEOUT_MS = 5000

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Opens what listens, or says why it cannot be opened. */
const listenOrExit = async <T>(open: () => Promise<T>, taken: string, cannot: (why: string) => string): Promise<T> => {
  let opened: { readonly it: T } | undefined
  await retryUntil(async () => {
    try {
      opened = { it: await open() }
      return true
    } catch (error) {
      return codeOf(error) === 'EADDRINUSE' ? false : exitWithProblem(cannot(messageOf(error)))
    }
  }, PORT_TIMEOUT_MS)
  return opened === undefined ? exitWithProblem(taken) : opened.it
}

export const openMetrics = async (
  { metricsPort, metricsHost }: Config,
  scrape: () => Promise<string>,
): Promise<MetricsListener> => {
  const metrics = createMetricsListener(scrape, metricsHost)
  if (metricsPort !== null)
    await listenOrExit(
      () => metrics.listen(metricsPort),
      `METRICS_PORT ${metricsPort} is taken. Stop what uses it, set another one, or unset it for no metrics.`,
      (why) =>
        `Cannot listen on METRICS_HOST ${metricsHost}, METRICS_PORT ${metricsPort}: ${why}. Set them to an address of this machine and to another port.`,
    )
  return metrics
}

/** Inquiries, refunds, expiries and mails that are due; and the webhooks, where there is a key to sign them with. */
const startWorkers = ({ mail, retention }: Config, { deps, secretKeys }: Composition): { stop(): Promise<void> } => {
  const mailer = mail === null ? null : createMailer(mail)
  const workers = [startWorker(deps, mailer, retention), ...(secretKeys.length > 0 ? [startWebhookWorker(deps)] : [])]
  return {
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

/** What the operator reads in the console, by parts of the command line. */
export interface OperatorParts {
  readonly runDoctor: RunDoctor
  readonly installationWarnings: InstallationWarnings
}

const serveShoppers = async (config: Config, composition: Composition, operator: OperatorParts): Promise<Stop> => {
  const { deps, secretKeys, findAdyenAccount, moneyCalls } = composition
  const drain = createDrain(config.drainMs)
  const [build, hmac] = [await readPageBuild(), createAssetHmac(secretKeys)]
  const assetsWatch = await startPageAssetsWatch(deps, hmac, assetsByName(build))
  const app = await createApp({
    deps,
    findAdyenAccount,
    build,
    findStoredAsset: createStoredAssets(deps, hmac),
    trustedProxies: config.trustedProxies,
    footer: config.footer,
    hsts: config.hsts,
    timeScale: config.sandbox?.timeScale ?? 1,
    threeDS: threeDSFacts(config),
    sendsMail: config.mail !== null,
    consoleSignIn: config.consoleSignIn,
    release: releaseVersion(),
    drawsReferenceFirst: true,
    isDraining: drain.isDraining,
    ...operator,
  })
  const { host, port, dataDir } = config
  const listeners = await listenOrExit(
    () => openListeners(app, { port, host }),
    `Port ${port} is taken. Stop what uses it, or start with another one: PORT=3100 ${COMMAND_NAMES.start}.`,
    (why) => `Cannot listen on HOST ${host}, PORT ${port}: ${why}. Set HOST and PORT to an address of this machine.`,
  )
  await writeServerAddress(dataDir, config.publicBase.origin)
  const workers = config.worker === 'on' ? [startWorkers(config, composition)] : []
  return async ({ drains }) => {
    assetsWatch.stop()
    await Promise.all([drains ? drain.close(listeners) : listeners.close(), ...workers.map((worker) => worker.stop())])
    await removeServerAddress(dataDir)
    await moneyCalls.ended()
  }
}

/** Serves, or with WORKER=only works alone, until its answer is called. */
export const serve = async (config: Config, composition: Composition, operator: OperatorParts): Promise<Stop> =>
  config.worker === 'only' ? startWorkers(config, composition).stop : serveShoppers(config, composition, operator)
