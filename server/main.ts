/** Server process: configuration, database lock, parts, listeners, graceful stop. */
import type { ThreeDSServer } from '#payment/ports.ts'
import type { FastifyInstance } from 'fastify'
import { createApp } from './http/app.ts'
import { composeDependencies } from './compose.ts'
import { readConfig, type Config } from './config/config.ts'
import { releaseVersion, COMMAND_NAMES } from './config/release.ts'
import { rootWarning } from './config/root-warning.ts'
import type { Retention } from '#payment/retention.ts'
import { recoverIfRestored, recoveryLine } from './operations/recovery/recover-after-restore.ts'
import { openDemo } from './demo/demo.ts'
import { demoLines } from './demo/links.ts'
import { hasGateway } from './gateways/open.ts'
import { openListeners, type Listeners } from './http/listeners.ts'
import { messageOf } from './log.ts'
import { startDatabaseWatch } from './background/database-watch.ts'
import { startClockWatch } from './background/clock-watch.ts'
import { secondClocksOf } from './operations/clock/confirm-clock.ts'
import { createGuardedClock } from './operations/clock/guarded-clock.ts'
import { newestStoredTime } from './store/engine/heartbeat.ts'
import { createMetricsListener, type MetricsListener } from './background/metrics-listener.ts'
import { withMetrics } from './background/metrics.ts'
import { createDrain, exitWithParent, trackMoneyCalls } from './stop.ts'
import { readPageBuild } from './http/page-build.ts'
import { systemClock, systemElapsed, type Dependencies } from './dependencies.ts'
import { hasMerchants } from './store/merchant/merchants.ts'
import { prepareDatabase, retryUntil } from './store/prepare.ts'
import { removeServerAddress, writeServerAddress } from './store/engine/running-server.ts'
import { threeDSFacts } from './three-ds/page-facts.ts'
import { openThreeDSServer } from './three-ds/open.ts'
import { startWebhookWorker } from './background/webhooks/webhook-worker.ts'
import { createMailer, type Mailer } from './background/mail/mailer.ts'
import { startWorker } from './background/worker.ts'
import { startRestoreWatch } from './background/restore-watch.ts'

/** A server that was just killed may hold its port for another moment. */
const PORT_TIMEOUT_MS = 5000

const FIRST_MERCHANT = `no merchant yet: beside this server, ${COMMAND_NAMES.program} merchant create --label tea --name "Aoyama Tea"`

const NO_MAIL =
  'no mail is sent: set SMTP_URL and MAIL_FROM, as in SMTP_URL=smtps://user:password@smtp.example.com MAIL_FROM=receipts@example.com'

const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** The line is all that a person needs; a stack trace would hide it. */
const exitWithProblem = (line: string): never => {
  const deps = line.split('\n').map((part) => part.trim())
  process.stderr.write(`${deps.join(' ')}\n`)
  process.exit(1)
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const prepareThreeDSServer = async (config: Config): Promise<ThreeDSServer> => {
  const opened = await openThreeDSServer(config.threeDS)
  return 'problem' in opened ? exitWithProblem(opened.problem) : opened.threeDSServer
}

/** Where mails are read, or that there are none: the page then promises none. */
const mailLines = ({ mail, sandbox, workerOnly }: Config): string[] => {
  if (mail === null) return [NO_MAIL]
  return mail.isSandbox && sandbox !== null && !workerOnly ? [`mailbox: http://localhost:${sandbox.port}/mailbox`] : []
}

const TAKEN_OVER =
  'Another Kaikei server took the database over while the connection was lost. Start this one again when that one has ended.'

/** `drains`: goes on serving for a moment, so that what was sent already is answered. */
type Stop = (how: { readonly drains: boolean }) => Promise<void>

/** Stops on a signal, and, with a complaint and at once, when the database is not this process's to use any more. */
const onStop = (lost: Promise<string>, stop: Stop): void => {
  const endWith = (drains: boolean, last: () => never) => (): void => void stop({ drains }).then(last)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(
      signal,
      endWith(true, () => process.exit(0)),
    )
  void lost.then((problem) => endWith(false, () => exitWithProblem(problem))())
}

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

const listen = (app: FastifyInstance, { port, host }: Config): Promise<Listeners> =>
  listenOrExit(
    () => openListeners(app, { port, host }),
    `Port ${port} is taken. Stop what uses it, or start with another one: PORT=3100 ${COMMAND_NAMES.start}.`,
    (why) => `Cannot listen on HOST ${host}, PORT ${port}: ${why}. Set HOST and PORT to an address of this machine.`,
  )

const openMetrics = async ({ metricsPort }: Config, scrape: () => Promise<string>): Promise<MetricsListener> => {
  const metrics = createMetricsListener(scrape)
  if (metricsPort !== null)
    await listenOrExit(
      () => metrics.listen(metricsPort),
      `METRICS_PORT ${metricsPort} is taken. Stop what uses it, set another one, or unset it for no metrics.`,
      (why) => `Cannot listen on METRICS_PORT ${metricsPort}: ${why}. Set it to another port.`,
    )
  return metrics
}

/** Before anybody can pay: a link that was paid after the backup would read as open. Without an acquirer nobody can pay. */
const settleRestore = async (config: Config, deps: Dependencies): Promise<void> => {
  const settled = hasGateway(config) ? await recoverIfRestored(deps) : null
  if (settled === null) return
  if ('problem' in settled) return exitWithProblem(settled.problem)
  printLine(recoveryLine(settled))
}

/** What is due with money and mails, and what is due to merchants. */
const startWorkers = (
  deps: Dependencies,
  mailer: Mailer | null,
  { retention, signs }: { readonly retention: Retention; readonly signs: boolean },
): { stop(): Promise<void> } => {
  const workers = [startWorker(deps, mailer, retention), ...(signs ? [startWebhookWorker(deps)] : [])]
  return {
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

/** Serves until what it answers is called. */
const serve = async (config: Config, composed: Dependencies, mailer: Mailer | null): Promise<Stop> => {
  const { deps, drained } = trackMoneyCalls(composed)
  const drain = createDrain()
  const app = await createApp({
    deps,
    build: await readPageBuild(),
    trustedProxies: config.trustedProxies,
    footer: config.footer,
    hsts: config.hsts,
    timeScale: config.sandbox?.timeScale ?? 1,
    threeDS: threeDSFacts(config),
    sendsMail: mailer !== null,
    release: releaseVersion(),
    drawsReferenceFirst: true,
    isDraining: drain.isDraining,
  })
  const listeners = await listen(app, config)
  await writeServerAddress(config.dataDir, config.publicBase.origin)
  const worker = startWorkers(deps, mailer, { retention: config.retention, signs: true })
  return async ({ drains }) => {
    await Promise.all([drains ? drain.close(listeners) : listeners.close(), worker.stop()])
    await removeServerAddress(config.dataDir)
    await drained()
  }
}

const main = async (): Promise<void> => {
  // First of all: a parent that dies while this process waits for the lock or the port would otherwise go unnoticed.
  exitWithParent(() => process.exit(1))
  const reading = readConfig(process.env)
  if (!reading.ok) return exitWithProblem(reading.problem)
  const { config } = reading
  process.stderr.write(rootWarning(process.env, process.geteuid?.()))
  const threeDSServer = await prepareThreeDSServer(config)
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>()
  const prepared = await prepareDatabase(config, () => lose(TAKEN_OVER))
  if ('problem' in prepared) return exitWithProblem(prepared.problem)
  const { database, secretKeys } = prepared
  const clock = createGuardedClock(systemClock, systemElapsed, await newestStoredTime(database))
  const { deps, scrape } = withMetrics(composeDependencies(config, { database, threeDSServer, secretKeys, clock }))
  const clockWatch = await startClockWatch({ ...deps, clock, secondClocks: secondClocksOf(config, database) })
  if (!config.workerOnly) await settleRestore(config, deps)
  const metrics = await openMetrics(config, scrape)
  const mailer = config.mail === null ? null : createMailer(config.mail)
  const stop = config.workerOnly
    ? startWorkers(deps, mailer, { retention: config.retention, signs: secretKeys.length > 0 }).stop
    : await serve(config, deps, mailer)
  // A server without an acquirer has nobody to compare a restored database with, and nobody can pay there.
  const isWatched = config.workerOnly || hasGateway(config)
  const restoreWatch = isWatched ? [startRestoreWatch({ database, secretKeys }, lose)] : []
  const watches = [clockWatch, startDatabaseWatch(deps), ...restoreWatch]
  onStop(lost, async (how) => {
    for (const watch of watches) watch.stop()
    await metrics.stop()
    await stop(how)
    await database.close()
  })
  if (!config.workerOnly && config.demo !== null) {
    const demo = await openDemo(deps, config.dataDir, config.demo.merchantKey)
    for (const line of await demoLines(deps, demo)) printLine(line)
  }
  if (!config.workerOnly && !(await hasMerchants(database))) printLine(FIRST_MERCHANT)
  for (const line of mailLines(config)) printLine(line)
  printLine('ready')
  process.send?.({ ready: true })
}

await main()
