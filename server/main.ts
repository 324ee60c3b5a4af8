import { readFileSync } from 'node:fs'
import lz from 'lz-string'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { THREE_DS_LIMITS, type ThreeDSFacts } from '#contract/page.ts'
import type { ThreeDSServer } from '#payment/ports.ts'
import { createApp } from './app.ts'
import { createCardHold } from './card-hold.ts'
import { readConfig, type Config } from './config.ts'
import { DEMO_LABEL, openDemo } from './demo/demo.ts'
import { absentGateway } from './gateways/absent.ts'
import { withBreaker } from './gateways/breaker.ts'
import { createSandboxGateway } from './gateways/sandbox/gateway.ts'
import { watchParent } from './lifeline.ts'
import { createLog } from './log.ts'
import { readPageBuild } from './page-build.ts'
import { systemClock, systemRandom, type Parts } from './parts.ts'
import { merchantOrigin } from './origins.ts'
import { presentCheckout } from './present.ts'
import { readMigrations, type Database } from './store/database.ts'
import { findMerchant } from './store/merchants.ts'
import { readInPlay } from './store/moves.ts'
import { openDatabase } from './store/open.ts'
import { openThreeDSServer } from './three-ds/open.ts'

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

const prepareDatabase = async (config: Config): Promise<Database> => {
  const opened = await openDatabase(config)
  if ('problem' in opened) return giveUp(opened.problem)
  const { database } = opened
  if (!(await patiently(() => database.claimServer()))) {
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

const findDemoCheckout = async ({ database, clock }: Parts, checkoutId: string): Promise<CheckoutAnswer> => {
  const merchant = await findMerchant(database, DEMO_LABEL)
  const inPlay = merchant === null ? null : await readInPlay(database, merchant.id, checkoutId)
  if (merchant === null || inPlay === null) throw new Error('the demo merchant has no checkout')
  return presentCheckout(inPlay, merchant.settings, clock.now())
}

/** The preview of a checkout's page, its texts packed as the preview unpacks them. */
const previewLink = (origin: string, { amount, subject, remarks, ...checkout }: CheckoutAnswer): string => {
  const { colorCode, fontType, logoUrl, coverImageUrl } = checkout.merchant.setting
  const packed = Object.entries({ shopName: checkout.receipt.shopName, subject, remarks }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, lz.compressToEncodedURIComponent(text)]],
  )
  const pictures = Object.entries({ logoUrl, coverImageUrl }).flatMap(([name, address]) =>
    address === undefined ? [] : [[name, new URL(address, origin).href]],
  )
  const query = new URLSearchParams([
    ['colorCode', colorCode],
    ['fontType', fontType],
    ['amount', String(amount)],
    ['brands', checkout.acceptedCardBrands.join(',')],
    ...pictures,
    ...packed,
  ])
  return `${origin}/preview?${query}`
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

const main = async (): Promise<void> => {
  // First of all: a parent that dies while this process waits for the lock or the port would otherwise go unnoticed.
  watchParent(() => process.exit(1))
  const reading = readConfig(process.env)
  if (!reading.ok) return giveUp(reading.problem)
  const { config } = reading
  const { publicBase } = config
  const threeDSServer = await prepareThreeDSServer(config)
  const database = await prepareDatabase(config)
  const parts = compose(config, database, threeDSServer)
  const app = await createApp({
    parts,
    build: await readPageBuild(),
    trustedProxies: config.trustedProxies,
    footer: config.footer,
    timeScale: config.sandbox?.timeScale ?? 1,
    threeDS: threeDSFacts(config),
    release: release(),
  })

  const listening = await patiently(async () => {
    try {
      await app.listen({ port: config.port, host: config.host })
      return true
    } catch (error) {
      if (codeOf(error) === 'EADDRINUSE') return false
      return giveUp(
        `Cannot listen on HOST ${config.host}, PORT ${config.port}: ${messageOf(error)}. Set HOST and PORT to an address of this machine.`,
      )
    }
  })
  if (!listening)
    return giveUp(`Port ${config.port} is taken. Stop what uses it, or start with another one: PORT=3100 npm start.`)

  const stop = async (): Promise<void> => {
    await app.close()
    await database.close()
    process.exit(0)
  }
  process.once('SIGTERM', () => void stop())
  process.once('SIGINT', () => void stop())

  if (config.demo !== null) {
    const demo = await openDemo(parts, config.dataDir, config.demo.merchantKey)
    const origin = merchantOrigin(publicBase, DEMO_LABEL)
    say(`shopper: ${origin}/${demo.checkoutId}`)
    say(`preview: ${previewLink(origin, await findDemoCheckout(parts, demo.checkoutId))}`)
    say(`merchant-api: ${publicBase.origin}/merchant/v1`)
    say(`merchant-key: ${demo.merchantKey}`)
  }
  say('ready')
  process.send?.({ ready: true })
}

await main()
