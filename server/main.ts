/** Server process: what it does from its start until it is ready, and how it stops. */
import { startClockWatch } from './background/clock-watch.ts'
import { startDatabaseWatch } from './background/database-watch.ts'
import { startHeldWatch } from './background/held-checkout-watch.ts'
import { startRestoreWatch } from './background/restore-watch.ts'
import { startSkewWatch } from './background/skew-watch.ts'
import { examine, systemDoctor } from './commands/doctor/doctor.ts'
import { startInstallationWatch } from './commands/doctor/installation-watch.ts'
import { compose, type Composition } from './compose.ts'
import { readConfig, type Config } from './config/config.ts'
import { COMMAND_NAMES } from './config/release.ts'
import { rootWarning } from './config/root-warning.ts'
import { openDemo } from './demo/demo.ts'
import { demoLines, liveDemoLines, setupLines } from './demo/links.ts'
import { openLiveDemo } from './demo/live-demo.ts'
import { prepareWebAuthn } from './operations/people/webauthn.ts'
import { secondClocksOf } from './operations/clock/confirm-clock.ts'
import { recoverIfRestored, recoveryLines } from './operations/recovery/recover-after-restore.ts'
import { hasConsole } from './origins.ts'
import { openMetrics, serve } from './serve.ts'
import { exitWithParent, exitWithProblem, onStop } from './stop.ts'
import { hasMerchants } from './store/merchant/merchants.ts'

const FIRST_MERCHANT = `no merchant yet: beside this server, ${COMMAND_NAMES.program} merchant create --label tea --name "Aoyama Tea"`

const NO_MAIL =
  'no mail is sent: set SMTP_URL and MAIL_FROM, as in SMTP_URL=smtps://user:password@smtp.example.com MAIL_FROM=receipts@example.com'

const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Before anybody can pay: a link that was paid after the backup would read as open. Without an acquirer nobody can pay. */
const recoverFirst = async ({ sharedCardHold }: Config, { deps, hasAcquirer, isAlone }: Composition): Promise<void> => {
  const recovered = isAlone && hasAcquirer ? await recoverIfRestored(deps) : null
  if (recovered !== null) {
    if ('problem' in recovered) exitWithProblem(recovered.problem)
    else for (const line of recoveryLines(recovered)) printLine(line)
  }
  // The others have waited for it, and no server that holds cards in its memory can come between.
  if (isAlone && sharedCardHold !== null) await deps.database.claimServer('shared')
}

const startWatches = (
  config: Config,
  { deps, secretKeys, hasAcquirer, clockSkew }: Composition,
  onLost: (why: string) => void,
) => {
  // A server without an acquirer has nobody to compare a restored database with, and nobody can pay there.
  const watchesRestores = config.worker === 'only' || hasAcquirer
  const { database } = deps
  return [
    startDatabaseWatch(deps),
    ...(config.databaseUrl === null ? [] : [startSkewWatch(deps, clockSkew)]),
    ...(watchesRestores ? [startRestoreWatch({ database, secretKeys }, onLost)] : []),
    ...(hasAcquirer && config.worker !== 'only' ? [startHeldWatch(deps)] : []),
  ]
}

/** Where mails are read, or that there are none: the page then promises none. */
const mailLines = ({ mail, sandbox, worker }: Config): string[] => {
  if (mail === null) return [NO_MAIL]
  if (!mail.isSandbox || sandbox === null || worker === 'only') return []
  return [`mailbox: http://localhost:${new URL(sandbox.origin).port}/mailbox`]
}

const demoShopLines = async (config: Config, { deps, secretKeys }: Composition): Promise<string[]> => {
  const { demo, dataDir, sandbox } = config
  if (demo === null) return []
  const links = [
    ...(await demoLines(deps, await openDemo(deps, dataDir, demo.merchantKey))),
    ...(await setupLines(deps)),
  ]
  if (!demo.isLiveAtStripe || sandbox === null) return links
  const live = await openLiveDemo(deps, config, { sandbox: sandbox.origin, secretKeys })
  return 'problem' in live ? exitWithProblem(live.problem) : [...links, ...liveDemoLines(deps, live)]
}

const startLines = async (config: Config, composition: Composition): Promise<string[]> => {
  if (config.worker === 'only') return mailLines(config)
  const { deps } = composition
  const links = await demoShopLines(config, composition)
  return [...links, ...((await hasMerchants(deps.database)) ? [] : [FIRST_MERCHANT]), ...mailLines(config)]
}

const main = async (): Promise<void> => {
  // First of all: a parent that dies while this process waits for the lock or the port would otherwise go unnoticed.
  exitWithParent(() => process.exit(1))
  const reading = readConfig(process.env)
  if (!reading.ok) return exitWithProblem(reading.problem)
  const { config } = reading
  process.stderr.write(rootWarning(process.env, process.geteuid?.()))
  const { promise: lost, resolve: onLost } = Promise.withResolvers<string>()
  const composition = await compose(config, onLost, printLine)
  if ('problem' in composition) return exitWithProblem(composition.problem)
  const { deps, clock, scrape } = composition
  const clockWatch = await startClockWatch({ ...deps, clock, secondClocks: secondClocksOf(config, deps.database) })
  await recoverFirst(config, composition)
  const metrics = await openMetrics(config, scrape)
  // With this environment and a connection of its own: it says what the command would say beside this server.
  const runDoctor = () => examine(process.env, systemDoctor)
  const installation = startInstallationWatch({
    ...composition.deps,
    network: systemDoctor.network,
    skewMs: composition.clockSkew.lastMs,
  })
  const stop = await serve(config, composition, { runDoctor, installationWarnings: installation.warnings })
  const watches = [clockWatch, installation, ...startWatches(config, composition, onLost)]
  onStop(lost, async (how) => {
    await stop(how)
    // Behind the drain, during which payments begin: a database that was restored meanwhile must still end them.
    for (const watch of watches) watch.stop()
    await metrics.stop()
    await deps.database.close()
  })
  for (const line of await startLines(config, composition)) printLine(line)
  printLine('ready')
  process.send?.({ ready: true })
  if (config.worker !== 'only' && hasConsole(config.publicBase)) await prepareWebAuthn(config.publicBase)
}

await main()
