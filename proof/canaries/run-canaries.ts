import type { SandboxProcess } from '../harness/sandbox-process.ts'
import { createCanarySupply, type CanarySupply } from './canary.ts'
import { crashServer, countCanaries, type UnfinishedPayment, type CrashRound } from './crash-rounds.ts'
import { readAsMerchant } from './merchant-readings.ts'
import { readDataFolder, readFolder, readMailbox, readMetrics, readTables, textOutput } from './server-outputs.ts'
import { payUntilSettled, type PaymentInDoubt } from './payment-flows.ts'
import { startServerUnderScan, type ServerUnderScan } from './server-under-scan.ts'
import { createScanner, type Hit, type ServerOutput } from './scanner.ts'
import { startShopServer, waitUntilTold } from './shop-server.ts'
import { prepareOrder, type Flow, type FlowContext } from './shopper-requests.ts'

/** Canary run: which flows go through the real server, on which database. */
export interface CanaryRun {
  readonly acquirer: SandboxProcess
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
  readonly flows: readonly Flow[]
  readonly doubts: readonly PaymentInDoubt[]
  readonly rounds: readonly CrashRound[]
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
      const canary = canaries.next(doubt.number)
      return { doubt, canary, order: await prepareOrder(context, canary) }
    }),
  )
  await Promise.all(
    prepared.map(async ({ doubt, canary, order }) =>
      checkEnding(doubt.name, doubt.expected, await payUntilSettled(context, canary, order)),
    ),
  )
}

/** All that the server wrote and sent, while it ran and after it was shut down, which this does. */
const collectOutputs = async (server: ServerUnderScan): Promise<ServerOutput[]> => {
  const { flowContext: context, dataDir, temporaryDir, metricsPort, postgresFiles } = server
  const { client, database } = context
  const running = [
    ...(postgresFiles === null ? await readDataFolder('data folder of the running server', dataDir) : []),
    ...(await readTables(database)),
    await readMetrics(metricsPort),
  ]
  await server.shutDown()
  return [
    ...running,
    ...(await readDataFolder('data folder', dataDir)),
    ...(await readFolder('temporary files', temporaryDir)),
    ...((await postgresFiles?.read()) ?? []),
    ...client.received,
    ...server.logs().map((text) => textOutput('logs', text)),
  ]
}

const describeHit = ({ place, what, encoding, around }: Hit): string =>
  `${what} (${encoding}) in ${place}${around === undefined ? '' : `: ${JSON.stringify(around)}`}`

/** Runs flows with canaries through the real server, kills it during some, and scans all that it wrote and sent. */
export const runCanaries = async (run: CanaryRun): Promise<CanaryResult> => {
  const { acquirer, databaseUrl, flows, doubts, rounds } = run
  const count = flows.length + doubts.length + rounds.reduce((sum, round) => sum + countCanaries(round), 0)
  const canaries = createCanarySupply(count)
  const server = await startServerUnderScan({
    acquirerOrigin: acquirer.origin,
    databaseUrl,
  })
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
    const scanner = createScanner(canaries.used)
    return {
      flows: count,
      crashes: rounds.length,
      bytes: outputs.reduce((sum, { bytes }) => sum + bytes.length, 0),
      places: [...new Set(outputs.map(({ place }) => place))].toSorted(),
      hits: outputs.flatMap((output) => scanner.scan(output)).map(describeHit),
      unexpectedEndings,
      ...read,
      filesUnreadable: postgresFiles?.unreadable ?? null,
    }
  } finally {
    await server.close()
    await shop.close()
  }
}
