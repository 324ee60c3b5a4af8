/** Proof by canaries: sends 200 cards and the credentials of accounts through the real server, kills it, and scans all that it wrote and sent; and cards through the shared hold. */
import { allFlows, type FlowsOfDatabase } from './flow-selection.ts'
import { createPostgresDatabase } from '../harness/databases.ts'
import { runAndCapture } from '../../tools/exit-with-parent.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { startPostgres } from '../../tools/test/postgres.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { ACQUIRER_KINDS } from '#payment/acquirer-limits.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import { startSandbox, type SandboxProcess } from '../harness/sandbox-process.ts'
import { createCanarySupply, type CanarySupply } from './canary.ts'
import { runCredentials, type CredentialResult } from './credential-run.ts'
import { collectOutputs, describeHit } from './collect-outputs.ts'
import { crashServer, countCanaries, type UnfinishedPayment } from './crash-rounds.ts'
import { readAsMerchant } from './merchant-readings.ts'
import { readMailbox } from './server-outputs.ts'
import { withoutRepeatedPages } from './repeated-pages.ts'
import { payUntilDecided, type PaymentInDoubt } from './payment-flows.ts'
import { startServerUnderScan } from './server-under-scan.ts'
import { createScanner, type ServerOutput } from './scanner.ts'
import { runSharedHold, type SharedHoldResult } from './shared-hold-run.ts'
import { startShopServer, waitUntilTold } from './shop-server.ts'
import { canaryShopper, type Flow, type FlowContext } from './shopper-requests.ts'

/** Which flows go through the real server, on which database. */
export interface CanaryRun extends FlowsOfDatabase {
  readonly acquirer: SandboxProcess
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
}

export interface CanaryResult {
  readonly flows: number
  readonly crashes: number
  readonly bytes: number
  readonly places: readonly string[]
  readonly hits: readonly string[]
  /** Flows that did not end as expected: they may have proved nothing. */
  readonly unexpectedEndings: readonly string[]
  /** What the merchant has read and exported in the end. */
  readonly checkouts: number
  readonly movements: number
  readonly filesUnreadable: string | null
}

const CONCURRENCY = 12

const runConcurrently = async (tasks: readonly (() => Promise<void>)[]): Promise<void> => {
  const queue = tasks.values()
  const worker = async (): Promise<void> => {
    for (const task of queue) await task()
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

/** Records a flow that did not end as expected. */
type CheckEnding = (name: string, expected: string, outcome: string) => void

const runFlows = (
  context: FlowContext,
  canaries: CanarySupply,
  flows: readonly Flow[],
  checkEnding: CheckEnding,
): Promise<void> =>
  runConcurrently(
    flows.map((flow) => async () => {
      const canary = canaries.next(flow.number)
      const outcome = await flow.run(context, canary).catch((error: unknown) => String(error))
      checkEnding(flow.name, flow.expected, outcome)
    }),
  )

const runPaymentsInDoubt = async (
  context: FlowContext,
  canaries: CanarySupply,
  doubts: readonly PaymentInDoubt[],
  checkEnding: CheckEnding,
): Promise<void> => {
  // All are started before the first is paid: the circuit breaker refuses new payments after five calls without an answer.
  const prepared = await Promise.all(
    doubts.map(async (doubt) => {
      const shopper = canaryShopper(context, canaries.next(doubt.number))
      return { doubt, shopper, order: await shopper.prepareOrder() }
    }),
  )
  await Promise.all(
    prepared.map(async ({ doubt, shopper, order }) =>
      checkEnding(doubt.name, doubt.expected, await payUntilDecided(shopper, order)),
    ),
  )
}

/** Runs flows with canaries through the real server, kills it during some, and scans all that it wrote and sent. */
export const runCanaries = async (run: CanaryRun): Promise<CanaryResult> => {
  const { acquirer, databaseUrl, flows, doubts, rounds } = run
  const count = flows.length + doubts.length + rounds.reduce((sum, round) => sum + countCanaries(round), 0)
  const canaries = createCanarySupply(count)
  const server = await startServerUnderScan(acquirer.origin, databaseUrl)
  const shop = await startShopServer()
  const { flowContext: context, postgresFiles } = server
  const unexpectedEndings: string[] = []
  const checkEnding: CheckEnding = (name, expected, outcome) => {
    if (outcome !== expected) unexpectedEndings.push(`${name}: ${outcome}, not ${expected}`)
  }
  try {
    await shop.registerEndpoints(context)
    const outputs: ServerOutput[] = []
    const unfinished: UnfinishedPayment[] = []
    for (const round of rounds) {
      const crash = await crashServer(server, acquirer, canaries, round)
      outputs.push(...crash.outputs)
      unfinished.push(...crash.unfinished)
    }
    await runFlows(context, canaries, flows, checkEnding)
    await runPaymentsInDoubt(context, canaries, doubts, checkEnding)
    await Promise.all(unfinished.map(async ({ name, expected, finish }) => checkEnding(name, expected, await finish())))
    await waitUntilTold(context.database)
    const read = await readAsMerchant(context)
    outputs.push(...(await collectOutputs(server)), ...(await readMailbox(acquirer)), ...shop.received)
    const scanner = createScanner(canaries.used, server.secrets)
    return {
      flows: count,
      crashes: rounds.length,
      bytes: outputs.reduce((sum, { bytes }) => sum + bytes.length, 0),
      places: [...new Set(outputs.map(({ place }) => place))].toSorted(),
      hits: withoutRepeatedPages(outputs)
        .flatMap((output) => scanner.scan(output))
        .map(describeHit),
      unexpectedEndings,
      ...read,
      filesUnreadable: postgresFiles?.unreadable ?? null,
    }
  } finally {
    await server.close()
    await shop.close()
  }
}

/** Runs the scanner's own test, which fails when it misses a planted leak. Returns how many it found. */
const findPlantedLeaks = async (env: NodeJS.ProcessEnv): Promise<number> => {
  const args = ['--test', '--test-reporter=tap', 'proof/canaries/scanner.test.ts']
  const { code, output } = await runAndCapture(process.execPath, args, { cwd: ROOT, env })
  const found = /# (\d+) planted leaks, all found/.exec(output)?.[1]
  if (code !== 0 || found === undefined) throw new CommandError(`a planted leak was not found: ${output.slice(-2000)}`)
  return Number(found)
}

interface Results {
  readonly cards: readonly CanaryResult[]
  readonly credentials: readonly CredentialResult[]
  readonly hold: SharedHoldResult
}

/** Each acquirer on each database. */
const runAllCredentials = async (acquirer: SandboxProcess): Promise<CredentialResult[]> => {
  const results: CredentialResult[] = []
  for (const kind of ACQUIRER_KINDS) {
    const database = await createPostgresDatabase()
    try {
      for (const databaseUrl of [null, database.url])
        results.push(await runCredentials({ acquirer, databaseUrl, kind }))
    } finally {
      await database.drop()
    }
  }
  return results
}

const runOnBothDatabases = async (): Promise<Results> => {
  const acquirer = await startSandbox()
  const database = await createPostgresDatabase()
  try {
    const { embedded, postgres } = allFlows()
    const first = await runCanaries({ acquirer, databaseUrl: null, ...embedded })
    const second = await runCanaries({ acquirer, databaseUrl: database.url, ...postgres })
    const credentials = await runAllCredentials(acquirer)
    return { cards: [first, second], credentials, hold: await runSharedHold(process.env) }
  } finally {
    await database.drop()
    await acquirer.stop()
  }
}

/** `plantedLeaksFound`: a scanner that finds nothing at all would look like a server that leaks nothing. */
export const figuresOf = ({ cards: results, credentials, hold }: Results, plantedLeaksFound: number): Figures => {
  const sum = (figure: (result: CanaryResult) => number): number => results.reduce((all, each) => all + figure(each), 0)
  const sumOf = (figure: (result: CredentialResult) => number): number =>
    credentials.reduce((all, each) => all + figure(each), 0)
  const credentialHits = sumOf((result) => result.hits.length)
  const hits = sum((result) => result.hits.length) + credentialHits + hold.hits.length
  const unexpected =
    sum((result) => result.unexpectedEndings.length) + sumOf((result) => result.unexpectedEndings.length)
  if (hits + unexpected > 0)
    throw new CommandError(`${hits} leaks, and ${unexpected} flows that went astray, see above`)
  if (hold.missed.length > 0)
    throw new CommandError(`a number in clear in the shared card hold was not found: ${hold.missed.join(', ')}`)
  return {
    flows: sum(({ flows }) => flows),
    flowsOnPostgres: results.at(-1)?.flows ?? 0,
    crashes: sum(({ crashes }) => crashes),
    bytesScanned: sum(({ bytes }) => bytes),
    places: sum(({ places }) => places.length),
    postgresFiles: results.at(-1)?.filesUnreadable ?? 'read',
    hits,
    credentialRuns: credentials.length,
    credentialCommands: sumOf(({ commands }) => commands),
    credentialBytesScanned: sumOf(({ bytes }) => bytes),
    credentialPlaces: sumOf(({ places }) => places.length),
    credentialHits,
    sharedHold: hold.store,
    sharedHoldCards: hold.cards,
    sharedHoldBytesScanned: hold.bytes,
    sharedHoldPlaces: hold.places.length,
    sharedHoldHits: hold.hits.length,
    plantedLeaksFound,
  }
}

export const parameters = ''

export const measure = async (): Promise<Figures> => {
  await ensureBuilt()
  const server = await startPostgres(process.env)
  try {
    process.env['TEST_DATABASE_URL'] = server.url
    const plantedLeaksFound = await findPlantedLeaks(process.env)
    const results = await runOnBothDatabases()
    const ended = [...results.cards, ...results.credentials]
    const lines = ended.flatMap(({ hits, unexpectedEndings }) => [...hits, ...unexpectedEndings])
    for (const line of [...lines, ...results.hold.hits]) printProgress(line)
    return figuresOf(results, plantedLeaksFound)
  } finally {
    await server.stop()
  }
}
