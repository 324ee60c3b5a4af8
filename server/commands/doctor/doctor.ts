/** Doctor command: looks at everything that a server needs, and says what to mend. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Gateway, Random } from '#payment/ports.ts'
import { readConfig, type Config } from '../../config/config.ts'
import { isProduction } from '../../config/readers.ts'
import type { Environment } from '../../config/readers.ts'
import { openGateway } from '../../gateways/open.ts'
import { systemClock, systemRandom } from '../../dependencies.ts'
import type { Database } from '../../store/engine/database.ts'
import { openExistingDatabase } from '../../store/engine/open.ts'
import { hasAccounts as hasAnyAccount } from '../../store/merchant/acquirer-accounts.ts'
import { readInboxCounts } from '../../store/merchant/set-aside.ts'
import type { Command } from '../command.ts'
import { tableLines } from '../table.ts'
import { judgeAccounts, openAccountOutside, readAccounts } from './account-check.ts'
import { lookAtCardHold } from './card-hold-check.ts'
import { judgeClock, judgeDatabase, readClockFacts, readDatabaseFacts } from './database-check.ts'
import { fail, lookWithin, ok, type DoctorCheck, type Finding, type NamedFinding, type Wait } from './finding.ts'
import { mailChecks, systemMailOutside, type MailOutside } from './mail-checks.ts'
import { createNetwork, type Network } from './network.ts'
import { judgeInbox } from './inbox-check.ts'
import { judgeNotifications, readNotifiedShops } from './notification-check.ts'
import { lookAtAcquirer, lookAtThreeDS } from './outside-checks.ts'
import { lookAtCertificate, lookAtProxy, lookAtServer, lookAtWildcard } from './public-checks.ts'
import { judgeSettings, unreadableSettings } from './settings-check.ts'
import { judgeWebhooks, readWebhookFacts } from './webhook-check.ts'

/** All checks run at once; closing the database may take as long again. */
const CHECK_TIMEOUT_MS = 15_000

export interface DoctorDependencies {
  readonly network: Network
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly wait: Wait
  readonly databaseFactsOf: typeof readDatabaseFacts
  readonly gatewayOf: (config: Config) => Pick<Gateway, 'ready'> | null
  readonly mailOutside: MailOutside
}

type Opening = ReturnType<typeof openExistingDatabase>

/** A check that looks into the database; `cannot` says what it would have looked for. */
const databaseCheck = (
  name: string,
  opening: Opening,
  cannot: string,
  look: (database: Database) => Promise<Finding>,
): DoctorCheck => ({
  name,
  look: async () => {
    const opened = await opening
    return 'problem' in opened ? fail(cannot, 'mend the database first.') : look(opened.database)
  },
})

const databaseChecks = (
  config: Config,
  opening: Opening,
  { databaseFactsOf, clock }: DoctorDependencies,
): DoctorCheck[] => [
  {
    name: 'database',
    look: async () => {
      const opened = await opening
      if ('problem' in opened) return fail('cannot be used', opened.problem)
      return judgeDatabase(await databaseFactsOf(opened.database, config))
    },
  },
  databaseCheck('clock', opening, 'there is no database to compare with', async (database) =>
    judgeClock(await readClockFacts(database, config.databaseUrl !== null, clock)),
  ),
]

/** Unknown without a database, whose own check says so. */
const hasAccounts = async (opening: Opening): Promise<boolean> => {
  const opened = await opening
  return 'database' in opened && (await hasAnyAccount(opened.database))
}

const NO_DATABASE = 'there is no database to look into'

/** Without a mail server nobody is told, and the sandbox's mailbox takes all. */
const notificationChecks = ({ mail }: Config, opening: Opening): DoctorCheck[] => {
  const look = async (database: Database) => judgeNotifications(await readNotifiedShops(database))
  return mail === null || mail.isSandbox ? [] : [databaseCheck('mails to shops', opening, NO_DATABASE, look)]
}

/** A worker serves nobody: the way from a browser is looked at beside its server. */
const publicChecks = (config: Config, { network, random, clock }: DoctorDependencies): DoctorCheck[] => {
  if (config.worker === 'only') return [{ name: 'server', look: async () => ok('a worker serves nobody') }]
  const { publicBase } = config
  const label = random.id()
  return [
    { name: 'server', look: () => lookAtServer(network, config) },
    { name: 'wildcard host', look: () => lookAtWildcard(network, publicBase, label) },
    { name: 'certificate', look: () => lookAtCertificate(network, publicBase, label, clock.now()) },
    { name: 'proxy', look: () => lookAtProxy(network, publicBase, label) },
  ]
}

export const examine = async (env: Environment, deps: DoctorDependencies): Promise<NamedFinding[]> => {
  const reading = readConfig(env)
  if (!reading.ok) return [{ check: 'settings', ...unreadableSettings(reading.problem) }]
  const { config } = reading
  const inProduction = isProduction(env)
  const opening = openExistingDatabase(config)
  const checks: DoctorCheck[] = [
    { name: 'settings', look: async () => judgeSettings(config, inProduction) },
    ...databaseChecks(config, opening, deps),
    { name: 'card hold', look: () => lookAtCardHold(config.sharedCardHold) },
    ...publicChecks(config, deps),
    { name: '3-D Secure', look: () => lookAtThreeDS(config) },
    {
      name: 'acquirer',
      look: () => lookAtAcquirer(deps.gatewayOf(config), config, inProduction, hasAccounts(opening)),
    },
    databaseCheck('acquirer accounts', opening, NO_DATABASE, async (database) => {
      const outside = await openAccountOutside(config, database, deps.clock)
      const { accounts, unreadable } = await readAccounts(database, outside)
      return judgeAccounts(accounts, unreadable)
    }),
    ...mailChecks(config, deps.mailOutside),
    ...notificationChecks(config, opening),
    databaseCheck('acquirer notifications', opening, NO_DATABASE, async (database) =>
      judgeInbox(await readInboxCounts(database), deps.clock.now()),
    ),
    databaseCheck('webhooks', opening, NO_DATABASE, async (database) =>
      judgeWebhooks(await readWebhookFacts(database, deps.clock.now())),
    ),
  ]
  const findings = await Promise.all(checks.map((check) => lookWithin(check, deps.wait)))
  const close = async (): Promise<Finding> => {
    const opened = await opening
    if ('database' in opened) await opened.database.close()
    return ok('closed')
  }
  await lookWithin({ name: 'database', look: close }, deps.wait)
  return findings
}

const wordsOf = (finding: Finding): string =>
  finding.state === 'ok' ? finding.says : `${finding.says}. Mend: ${finding.mend}`

const COLUMNS = ['', 'check', 'what it says']

export const createDoctor = (deps: DoctorDependencies): Command => ({
  summary: 'looks at settings, database, clock, card hold, names, certificate, proxy, mail, webhooks and others',
  example: 'doctor --json',
  endsWithOne: 'a check has failed',
  run: async (_given, env) => {
    const findings = await examine(env, deps)
    const count = (state: Finding['state']): number => findings.filter((each) => each.state === state).length
    const sums = { ok: count('ok'), warnings: count('warn'), failures: count('fail') }
    const rows = findings.map((finding) => [finding.state, finding.check, wordsOf(finding)])
    return {
      value: { checks: findings, ...sums },
      lines: [
        ...tableLines(COLUMNS, rows, { wrap: ['what it says'] }).slice(1),
        `${sums.ok} ok, ${sums.warnings} warned, ${sums.failures} failed`,
      ],
      exitCode: sums.failures > 0 ? 1 : 0,
    }
  },
})

export const systemDoctor: DoctorDependencies = {
  network: createNetwork(),
  clock: systemClock,
  random: systemRandom,
  wait: (signal) => sleep(CHECK_TIMEOUT_MS, undefined, { signal }),
  databaseFactsOf: readDatabaseFacts,
  gatewayOf: (config) => openGateway(config, systemClock),
  mailOutside: systemMailOutside,
}

export const doctorCommand = createDoctor(systemDoctor)
