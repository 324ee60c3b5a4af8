import { readFileSync } from 'node:fs'
import { THREE_DS_LIMITS, type ThreeDSFacts } from '#contract/page.ts'
import type { ThreeDSServer } from '#payment/ports.ts'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { createCardHold } from './card-hold.ts'
import { readConfig, type Config } from './config.ts'
import { openDemo } from './demo/demo.ts'
import { demoLines } from './demo/links.ts'
import { absentGateway } from './gateways/absent.ts'
import { withBreaker } from './gateways/breaker.ts'
import { createSandboxGateway } from './gateways/sandbox/gateway.ts'
import { watchParent } from './lifeline.ts'
import { createLog } from './log.ts'
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
  const { sandbox, gatewayTimeoutMs, publicBase } = config
  const cardHold = createCardHold(systemClock)
  setInterval(cardHold.sweep, SWEEP_EVERY_MS).unref()
  const gateway =
    sandbox === null
      ? absentGateway
      : withBreaker(createSandboxGateway(`http://127.0.0.1:${sandbox.port}`, gatewayTimeoutMs), systemClock)
  return {
    database,
    gateway,
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

/** Takes requests at its address, or says why it cannot. */
const listen = async (app: FastifyInstance, { port, host }: Config): Promise<void> => {
  const listening = await patiently(async () => {
    try {
      await app.listen({ port, host })
      return true
    } catch (error) {
      if (codeOf(error) === 'EADDRINUSE') return false
      return giveUp(
        `Cannot listen on HOST ${host}, PORT ${port}: ${messageOf(error)}. Set HOST and PORT to an address of this machine.`,
      )
    }
  })
  if (!listening) giveUp(`Port ${port} is taken. Stop what uses it, or start with another one: PORT=3100 npm start.`)
}

const serve = async (config: Config, parts: Parts): Promise<void> => {
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
  const parts = compose(config, database, threeDSServer)
  if (config.workerOnly) {
    const worker = startWorker(parts)
    onStop(async () => {
      await worker.stop()
      await database.close()
    })
  } else await serve(config, parts)
  say('ready')
  process.send?.({ ready: true })
}

await main()
