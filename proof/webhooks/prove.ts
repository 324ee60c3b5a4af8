/** Proof, webhooks: none lost, doubled or forged while endpoints misbehave and processes die, and none sent inside. */
import { offerAltered } from '../harness/altered-webhooks.ts'
import { openPostgresDatabase, openSqliteInMemory } from '../harness/databases.ts'
import { tryHostileAddresses, type HostileFigures } from '../harness/hostile-addresses.ts'
import { findMissedBugs } from '../planted-bugs/catch-planted-bugs.ts'
import { measureWaits, runWebhooks } from './webhook-run.ts'
import { WEBHOOK_PLANTED_BUGS } from '../planted-bugs/planted-webhook-bugs.ts'
import { createWebhookSecret, signedRequest } from '../../server/webhooks/signature.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress } from '../../tools/progress.mjs'
import { startPostgres } from '../../tools/test/postgres.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const DEFAULT_EVENTS = '10000'
const EVENTS_RANGE = { from: 40, to: 1_000_000 }
/** PostgreSQL answers in real time: of so many events one is sent there too. */
const POSTGRES_SHARE = 25
const ALTERED = 100_000
const LONGER_WAIT_MAX_MS = 1000
const NOW = Date.parse('2026-11-23T03:04:05Z')

type Run = Omit<Awaited<ReturnType<typeof runWebhooks>>, 'crashPointsHit'>

/** What was found. All that must not be is a problem. */
export interface WebhookFindings {
  readonly seed: number
  readonly sqlite: Run
  readonly postgres: Run
  readonly waits: { readonly alone: number; readonly besideTen: number }
  readonly altered: { readonly isTrueOneTaken: boolean; readonly accepted: number }
  readonly hostile: HostileFigures
  readonly bugs: { readonly planted: number; readonly missed: readonly string[] }
}

const problemsOf = ({ sqlite, postgres, waits, altered, hostile, bugs }: WebhookFindings): string[] => [
  ...sqlite.problems.map((each) => `SQLite: ${each}`),
  ...postgres.problems.map((each) => `PostgreSQL: ${each}`),
  ...(waits.besideTen - waits.alone > LONGER_WAIT_MAX_MS
    ? [`a healthy endpoint waits ${waits.besideTen} ms instead of ${waits.alone} ms`]
    : []),
  ...(altered.isTrueOneTaken ? [] : ['the library does not take what was not altered']),
  ...(altered.accepted > 0 ? [`${altered.accepted} altered webhooks were accepted`] : []),
  ...(['registered', 'requestsOpened', 'connections'] as const).flatMap((name) =>
    hostile[name] > 0 ? [`hostile addresses: ${name} ${hostile[name]}`] : [],
  ),
  ...bugs.missed.map((name) => `"${name}" was not caught`),
]

/** Fails where anything was lost, doubled, forged or reached. */
export const figuresOf = (found: WebhookFindings): Figures => {
  const problems = problemsOf(found)
  if (problems.length > 0) throw new CommandError(problems.join('; '))
  const { seed, sqlite, postgres, waits, hostile, bugs } = found
  const ofRun = (engine: string, run: Run) => ({
    [`${engine}: events`]: run.events,
    [`${engine}: tries`]: run.tries,
    [`${engine}: crashes`]: run.crashes,
    [`${engine}: momentsBeforeOrAfterACall`]: run.moments,
    [`${engine}: momentsOfDeath`]: run.momentsOfDeath,
  })
  return {
    seed,
    ...ofRun('SQLite', sqlite),
    ...ofRun('PostgreSQL', postgres),
    lost: 0,
    sequencesWithAGap: 0,
    sentAfter410: 0,
    longestWaitAloneMs: waits.alone,
    longestWaitBesideTenThatHangMs: waits.besideTen,
    altered: ALTERED,
    alteredAccepted: 0,
    hostileAddresses: hostile.addresses,
    hostileNames: hostile.names,
    rebindings: hostile.rebindings,
    redirectsInside: hostile.redirects,
    socketsOpened: hostile.connections,
    plantedBugs: bugs.planted,
    plantedBugsCaught: bugs.planted,
  }
}

const runOnPostgres = async (events: number, seed: number): Promise<Run> => {
  const given = process.env['TEST_DATABASE_URL']
  const server = await startPostgres(process.env)
  process.env['TEST_DATABASE_URL'] = server.url
  try {
    const { database, close } = await openPostgresDatabase()
    try {
      return await runWebhooks(database, events, seed)
    } finally {
      await close()
    }
  } finally {
    // Whoever starts a server next must not be sent to this one.
    if (given === undefined) delete process.env['TEST_DATABASE_URL']
    else process.env['TEST_DATABASE_URL'] = given
    await server.stop()
  }
}

const offer = (seed: number): WebhookFindings['altered'] => {
  const secretOf = createWebhookSecret('k'.repeat(64))
  const event = { merchantId: 'm', mode: 'test', type: 'checkout.paid', sequence: 1, data: {}, createdAt: NOW } as const
  const endpoint = { id: 'we_1', generation: 1, previousUntil: null }
  const signed = signedRequest(secretOf, endpoint, { ...event, id: `evt_${'a'.repeat(32)}` }, NOW)
  return offerAltered({ ...signed, secret: secretOf('we_1', 1), now: NOW }, ALTERED, seed)
}

export const parameters = '[events] [seed]'

export const measure = async ([given = DEFAULT_EVENTS, givenSeed = '16']: readonly string[]): Promise<Figures> => {
  const events = wholeNumber('the number of events', given, EVENTS_RANGE)
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  const ofFour = (count: number): number => Math.ceil(count / 4) * 4
  const tell = <T>(name: string, value: T): T => {
    printProgress(`${name}: ${JSON.stringify(value)}`)
    return value
  }
  return figuresOf({
    seed,
    hostile: tell('hostile addresses', await tryHostileAddresses()),
    altered: tell('altered', offer(seed)),
    waits: tell('waits', await measureWaits(openSqliteInMemory)),
    postgres: tell('PostgreSQL', await runOnPostgres(ofFour(events / POSTGRES_SHARE), seed)),
    sqlite: tell('SQLite', await runWebhooks(await openSqliteInMemory(), ofFour(events), seed)),
    bugs: { planted: WEBHOOK_PLANTED_BUGS.length, missed: await findMissedBugs(WEBHOOK_PLANTED_BUGS) },
  })
}
