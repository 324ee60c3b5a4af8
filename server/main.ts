import { readFileSync } from 'node:fs'
import { THREE_DS_LIMITS, type ThreeDSFacts } from '#contract/page.ts'
import type { ThreeDSServer } from '#payment/ports.ts'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { createCardHold } from './card-hold.ts'
import { readConfig, type Config } from './config.ts'
import { openDemo } from './demo/demo.ts'
import { demoLines } from './demo/links.ts'
import { openGateway } from './gateways/open.ts'
import { watchParent } from './lifeline.ts'
import { createLog } from './log.ts'
import { createMetricsListener, type MetricsListener } from './metrics-listener.ts'
import { meter } from './metrics.ts'
import { readPageBuild } from './page-build.ts'
import { systemClock, systemRandom, type Parts } from './parts.ts'
import { readMigrations, type Database } from './store/database.ts'
import { openDatabase } from './store/open.ts'
import { openThreeDSServer } from './three-ds/open.ts'
import { startWorker } from './worker.ts'

const PATIENCE_MS = 5000
const RETRY_MS = 100
const SWEEP_EVERY_MS = 30_000

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** The line is all that a person needs; a stack trace would hide it. */
const giveUp = (line: string): never => {
  process.stderr.write(`${line.replaceAll(/\s*\n\s*/g, ' ')}\n`)
  process.exit(1)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** A server that was just killed may hold lock and port for another moment. */
const patiently = async (attempt: () => Promise<boolean>): Promise<boolean> => {
  const deadline = systemClock.now() + PATIENCE_MS
  while (!(await attempt())) {
    if (systemClock.now() >= deadline) return false
    await systemClock.sleep(RETRY_MS)
  }
  return true
}

const serverLost = (): never =>
  giveUp(
    'Another Kaikei server took the database over while the connection was lost. Start this one again when that one has ended.',
  )

const prepareDatabase = async (config: Config): Promise<Database> => {
  const opened = await openDatabase(config)
  if ('problem' in opened) return giveUp(opened.problem)
  const { database } = opened
  if (!config.workerOnly && !(await patiently(() => database.claimServer(serverLost)))) {
    return giveUp(
      'Another Kaikei server uses this database. Cards in payment are held in its memory, so there can be one: stop it, or set DATA_DIR or DATABASE_URL to another place.',
    )
  }
  await database.migrate(await readMigrations(), systemClock.now())
  return database
}

const prepareThreeDSServer = async (config: Config): Promise<ThreeDSServer> => {
  const opened = await openThreeDSServer(config.threeDS)
  return 'problem' in opened ? giveUp(opened.problem) : opened.threeDSServer
}

const compose = (config: Config, database: Database, threeDSServer: ThreeDSServer): Parts => {
  const { gatewayTimeoutMs, publicBase } = config
  const cardHold = createCardHold(systemClock)
  setInterval(cardHold.sweep, SWEEP_EVERY_MS).unref()
  return {
    database,
    gateway: openGateway(config, systemClock),
    threeDSServer,
    cardHold,
    clock: systemClock,
    random: systemRandom,
    log: createLog(config.logLevel, (line) => process.stderr.write(line)),
    gatewayTimeoutMs,
    publicBase,
  }
}

const release = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const named = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined
  if (typeof named !== 'string') throw new Error('package.json has no version')
  return `v${named}`
}

/** The limits of the page's waiting, shortened in a sandbox that is in a hurry, but never below a second. */
const threeDSFacts = ({ threeDS, sandbox }: Config): ThreeDSFacts => {
  const scaled = (ms: number): number => Math.max(1000, ms * (sandbox?.timeScale ?? 1))
  return {
    messageDomains: threeDS.messageDomains,
    collectLimitMs: scaled(THREE_DS_LIMITS.collectLimitMs),
    challengeLimitMs: scaled(THREE_DS_LIMITS.challengeLimitMs),
    challengeHelpMs: scaled(THREE_DS_LIMITS.challengeHelpMs),
  }
}

const onStop = (stop: () => Promise<void>): void => {
  const end = async (): Promise<void> => {
    await stop()
    process.exit(0)
  }
  process.once('SIGTERM', () => void end())
  process.once('SIGINT', () => void end())
}

/** Opens what listens, or says why it cannot be opened. */
const takePort = async (
  open: () => Promise<unknown>,
  taken: string,
  cannot: (why: string) => string,
): Promise<void> => {
  const isOpen = await patiently(async () => {
    try {
      await open()
      return true
    } catch (error) {
      return codeOf(error) === 'EADDRINUSE' ? false : giveUp(cannot(messageOf(error)))
    }
  })
  if (!isOpen) giveUp(taken)
}

const listen = (app: FastifyInstance, { port, host }: Config): Promise<void> =>
  takePort(
    () => app.listen({ port, host }),
    `Port ${port} is taken. Stop what uses it, or start with another one: PORT=3100 npm start.`,
    (why) => `Cannot listen on HOST ${host}, PORT ${port}: ${why}. Set HOST and PORT to an address of this machine.`,
  )

const openMetrics = async ({ metricsPort }: Config, scrape: () => Promise<string>): Promise<MetricsListener> => {
  const metrics = createMetricsListener(scrape)
  if (metricsPort !== null)
    await takePort(
      () => metrics.listen(metricsPort),
      `METRICS_PORT ${metricsPort} is taken. Stop what uses it, set another one, or unset it for no metrics.`,
      (why) => `Cannot listen on METRICS_PORT ${metricsPort}: ${why}. Set it to another port.`,
    )
  return metrics
}

const serve = async (config: Config, parts: Parts, metrics: MetricsListener): Promise<void> => {
  const app = await createApp({
    parts,
    build: await readPageBuild(),
    trustedProxies: config.trustedProxies,
    footer: config.footer,
    timeScale: config.sandbox?.timeScale ?? 1,
    threeDS: threeDSFacts(config),
    release: release(),
  })
  await listen(app, config)
  const worker = startWorker(parts)
  onStop(async () => {
    await metrics.stop()
    await app.close()
    await worker.stop()
    await parts.database.close()
  })
  if (config.demo !== null) {
    const demo = await openDemo(parts, config.dataDir, config.demo.merchantKey)
    for (const line of await demoLines(parts, demo)) say(line)
  }
}

const main = async (): Promise<void> => {
  // First of all: a parent that dies while this process waits for the lock or the port would otherwise go unnoticed.
  watchParent(() => process.exit(1))
  const reading = readConfig(process.env)
  if (!reading.ok) return giveUp(reading.problem)
  const { config } = reading
  const threeDSServer = await prepareThreeDSServer(config)
  const database = await prepareDatabase(config)
  const { parts, scrape } = meter(compose(config, database, threeDSServer))
  const metrics = await openMetrics(config, scrape)
  if (config.workerOnly) {
    const worker = startWorker(parts)
    onStop(async () => {
      await metrics.stop()
      await worker.stop()
      await database.close()
    })
  } else await serve(config, parts, metrics)
  say('ready')
  process.send?.({ ready: true })
}

await main()
