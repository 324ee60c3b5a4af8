/** Server process: configuration, database lock, parts, listeners, graceful stop. */
import type { ThreeDSServer } from '#payment/ports.ts'
import type { FastifyInstance } from 'fastify'
import { createApp } from './http/app.ts'
import { eventLoopGauge } from './http/load-shedding.ts'
import { createCardHold } from './operations/card-hold.ts'
import { readConfig, type Config } from './config/config.ts'
import { releaseVersion, COMMAND_NAMES } from './config/release.ts'
import { rootWarning } from './config/root-warning.ts'
import type { Retention } from '#payment/retention.ts'
import { createAskedCards } from './store/asked-cards.ts'
import { createCardFingerprint, createCardMark } from './operations/card-fingerprint.ts'
import { settleIfRestored, settlementLine } from './operations/settle.ts'
import { DECLINE_FLOOR_MS } from './operations/decline-floor.ts'
import { shareResultQuestions } from './three-ds/share-result-questions.ts'
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { openDemo } from './demo/demo.ts'
import { demoLines } from './demo/links.ts'
import { hasGateway, openAccount, openGateway } from './gateways/open.ts'
import { exitWithParent } from './exit-with-parent.ts'
import { createLog, logToStderr, messageOf } from './log.ts'
import { startDatabaseWatch } from './background/database-watch.ts'
import { startClockWatch } from './background/clock-watch.ts'
import { secondClocksOf } from './operations/confirm-clock.ts'
import { createGuardedClock, type GuardedClock } from './operations/guarded-clock.ts'
import { newestStoredTime } from './store/heartbeat.ts'
import { createWriteProbe } from './store/write-probe.ts'
import { createMetricsListener, type MetricsListener } from './background/metrics-listener.ts'
import { withMetrics } from './background/metrics.ts'
import { trackMoneyCalls } from './graceful-stop.ts'
import { readPageBuild } from './http/page-build.ts'
import { systemClock, systemElapsed, systemRandom, type Parts } from './parts.ts'
import type { Database } from './store/database.ts'
import { hasMerchants } from './store/merchants.ts'
import { createRecentMerchants } from './store/recent-merchants.ts'
import { prepareDatabase, retryUntil } from './store/prepare.ts'
import { threeDSFacts } from './three-ds/page-facts.ts'
import { openThreeDSServer } from './three-ds/open.ts'
import { errorsAsUnavailable } from './three-ds/errors-as-unavailable.ts'
import { startWebhookWorker } from './background/webhooks/webhook-worker.ts'
import { createMailer, type Mailer } from './background/mail/mailer.ts'
import { startWorker } from './background/worker.ts'
import { startRestoreWatch } from './background/restore-watch.ts'
import { openWebhooks } from './webhooks/open.ts'

/** A server that was just killed may hold its port for another moment. */
const PORT_TIMEOUT_MS = 5000
const CARD_SWEEP_INTERVAL_MS = 30_000

const FIRST_MERCHANT = `no merchant yet: beside this server, ${COMMAND_NAMES.program} merchant create --label tea --name "Aoyama Tea"`

const NO_MAIL =
  'no mail is sent: set SMTP_URL and MAIL_FROM, as in SMTP_URL=smtps://user:password@smtp.example.com MAIL_FROM=receipts@example.com'

const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** The line is all that a person needs; a stack trace would hide it. */
const exitWithProblem = (line: string): never => {
  const parts = line.split('\n').map((part) => part.trim())
  process.stderr.write(`${parts.join(' ')}\n`)
  process.exit(1)
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const prepareThreeDSServer = async (config: Config): Promise<ThreeDSServer> => {
  const opened = await openThreeDSServer(config.threeDS)
  return 'problem' in opened ? exitWithProblem(opened.problem) : opened.threeDSServer
}

interface OpenedOutside {
  readonly database: Database
  readonly threeDSServer: ThreeDSServer
  readonly secretKeys: readonly string[]
  readonly clock: GuardedClock
}

const composeParts = (config: Config, { database: opened, threeDSServer, secretKeys, clock }: OpenedOutside): Parts => {
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
    askedCards: createAskedCards(systemElapsed),
    declineFloorMs: DECLINE_FLOOR_MS * (config.sandbox?.timeScale ?? 1),
    ...openWebhooks(config, secretKeys),
    publicBase,
  }
}

/** Where mails are read, or that there are none: the page then promises none. */
const mailLines = ({ mail, sandbox, workerOnly }: Config): string[] => {
  if (mail === null) return [NO_MAIL]
  return mail.isSandbox && sandbox !== null && !workerOnly ? [`mailbox: http://localhost:${sandbox.port}/mailbox`] : []
}

const TAKEN_OVER =
  'Another Kaikei server took the database over while the connection was lost. Start this one again when that one has ended.'

/** Stops on a signal, and, with a complaint, when the database is not this process's to use any more. */
const onStop = (lost: Promise<string>, stop: () => Promise<void>): void => {
  const endWith = (last: () => never) => (): void => void stop().then(last)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(
      signal,
      endWith(() => process.exit(0)),
    )
  void lost.then((problem) => endWith(() => exitWithProblem(problem))())
}

/** Opens what listens, or says why it cannot be opened. */
const listenOrExit = async (
  open: () => Promise<unknown>,
  taken: string,
  cannot: (why: string) => string,
): Promise<void> => {
  const isOpen = await retryUntil(async () => {
    try {
      await open()
      return true
    } catch (error) {
      return codeOf(error) === 'EADDRINUSE' ? false : exitWithProblem(cannot(messageOf(error)))
    }
  }, PORT_TIMEOUT_MS)
  if (!isOpen) exitWithProblem(taken)
}

const listen = (app: FastifyInstance, { port, host }: Config): Promise<void> =>
  listenOrExit(
    () => app.listen({ port, host }),
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
const settleRestore = async (config: Config, parts: Parts): Promise<void> => {
  const settled = hasGateway(config) ? await settleIfRestored(parts) : null
  if (settled === null) return
  if ('problem' in settled) return exitWithProblem(settled.problem)
  printLine(settlementLine(settled))
}

/** What is due with money and mails, and what is due to merchants. */
const startWorkers = (
  parts: Parts,
  mailer: Mailer | null,
  { retention, signs }: { readonly retention: Retention; readonly signs: boolean },
): { stop(): Promise<void> } => {
  const workers = [startWorker(parts, mailer, retention), ...(signs ? [startWebhookWorker(parts)] : [])]
  return {
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

/** Serves until what it answers is called. */
const serve = async (config: Config, composed: Parts, mailer: Mailer | null): Promise<() => Promise<void>> => {
  const { parts, drained } = trackMoneyCalls(composed)
  const loadGauge = eventLoopGauge()
  const app = await createApp({
    parts,
    build: await readPageBuild(),
    trustedProxies: config.trustedProxies,
    footer: config.footer,
    hsts: config.hsts,
    timeScale: config.sandbox?.timeScale ?? 1,
    threeDS: threeDSFacts(config),
    sendsMail: mailer !== null,
    release: releaseVersion(),
    loadGauge,
    drawsReferenceFirst: true,
  })
  await listen(app, config)
  const worker = startWorkers(parts, mailer, { retention: config.retention, signs: true })
  return async () => {
    await Promise.all([app.close(), worker.stop()])
    loadGauge.stop()
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
  const { parts, scrape } = withMetrics(composeParts(config, { database, threeDSServer, secretKeys, clock }))
  const clockWatch = await startClockWatch({ ...parts, clock, secondClocks: secondClocksOf(config, database) })
  if (!config.workerOnly) await settleRestore(config, parts)
  const metrics = await openMetrics(config, scrape)
  const mailer = config.mail === null ? null : createMailer(config.mail)
  const stop = config.workerOnly
    ? startWorkers(parts, mailer, { retention: config.retention, signs: secretKeys.length > 0 }).stop
    : await serve(config, parts, mailer)
  // A server without an acquirer has nobody to compare a restored database with, and nobody can pay there.
  const isWatched = config.workerOnly || hasGateway(config)
  const restoreWatch = isWatched ? [startRestoreWatch({ database, secretKeys }, lose)] : []
  const watches = [clockWatch, startDatabaseWatch(parts), ...restoreWatch]
  onStop(lost, async () => {
    for (const watch of watches) watch.stop()
    await metrics.stop()
    await stop()
    await database.close()
  })
  if (!config.workerOnly && config.demo !== null) {
    const demo = await openDemo(parts, config.dataDir, config.demo.merchantKey)
    for (const line of await demoLines(parts, demo)) printLine(line)
  }
  if (!config.workerOnly && !(await hasMerchants(database))) printLine(FIRST_MERCHANT)
  for (const line of mailLines(config)) printLine(line)
  printLine('ready')
  process.send?.({ ready: true })
}

await main()
