import type { Acquirer } from '../harness/acquirer-process.ts'
import { openMint, type Mint } from './canary.ts'
import { crash, sizeOfRound, type LeftUndone, type Round } from './crash-rounds.ts'
import { outputOfDataFolder, outputOfFolder, outputOfMetrics, outputOfRows, textOutput } from './outputs.ts'
import { payInDoubt, type Doubt } from './payments.ts'
import { openPremises, type Premises } from './premises.ts'
import { createScanner, type Hit, type Output } from './scanner.ts'
import { prepare, type Flow, type World } from './shopper.ts'

export interface Plan {
  readonly acquirer: Acquirer
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
  readonly flows: readonly Flow[]
  readonly doubts: readonly Doubt[]
  readonly rounds: readonly Round[]
}

export interface Outcome {
  readonly flows: number
  readonly crashes: number
  readonly bytes: number
  readonly places: readonly string[]
  readonly hits: readonly string[]
  /** Flows that did not end as they should have: they may have proved nothing. */
  readonly astray: readonly string[]
  readonly filesUnreadable: string | null
}

const AT_ONCE = 12

const inTurns = async (works: readonly (() => Promise<void>)[]): Promise<void> => {
  const queue = works.values()
  const lane = async (): Promise<void> => {
    for (const work of queue) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** Told how each flow ended. */
type Ended = (name: string, ends: string, word: string) => void

const runFlows = (world: World, mint: Mint, flows: readonly Flow[], ended: Ended): Promise<void> =>
  inTurns(
    flows.map((flow) => async () => {
      const canary = mint.next(flow.number)
      const word = await flow.run(world, canary).catch((error: unknown) => String(error))
      ended(flow.name, flow.ends, word)
    }),
  )

const runDoubts = async (world: World, mint: Mint, doubts: readonly Doubt[], ended: Ended): Promise<void> => {
  // All are started before the first is paid: five silences in a row keep new payments away.
  const prepared = await Promise.all(
    doubts.map(async (doubt) => {
      const canary = mint.next(doubt.number)
      return { doubt, canary, order: await prepare(world, canary) }
    }),
  )
  await Promise.all(
    prepared.map(async ({ doubt, canary, order }) =>
      ended(doubt.name, doubt.ends, await payInDoubt(world, canary, order)),
    ),
  )
}

/** All that the server wrote and said, while it ran and after it has ended. Shuts it. */
const gatherOutputs = async (premises: Premises): Promise<Output[]> => {
  const { world, dataDir, temporaryDir, metricsPort, postgresFiles } = premises
  const { client, database } = world
  const running = [
    ...(postgresFiles === null ? await outputOfDataFolder('data folder of the running server', dataDir) : []),
    ...(await outputOfRows(database)),
    await outputOfMetrics(metricsPort),
  ]
  await premises.shut()
  return [
    ...running,
    ...(await outputOfDataFolder('data folder', dataDir)),
    ...(await outputOfFolder('temporary files', temporaryDir)),
    ...((await postgresFiles?.read()) ?? []),
    ...client.answers,
    ...premises.logs().map((text) => textOutput('logs', text)),
  ]
}

const nameOf = ({ place, what, form }: Hit): string => `${what} (${form}) in ${place}`

/** Runs flows with canaries through the real server, ends it in the middle of some, and scans all that it wrote and said. */
export const runCanaries = async (plan: Plan): Promise<Outcome> => {
  const { acquirer, databaseUrl, flows, doubts, rounds } = plan
  const count = flows.length + doubts.length + rounds.reduce((sum, round) => sum + sizeOfRound(round), 0)
  const mint = openMint(count)
  const premises = await openPremises({ acquirerOrigin: acquirer.origin, databaseUrl })
  const { world, postgresFiles } = premises
  const astray: string[] = []
  const ended: Ended = (name, ends, word) => {
    if (word !== ends) astray.push(`${name}: ${word}, not ${ends}`)
  }
  try {
    const outputs: Output[] = []
    const undone: LeftUndone[] = []
    for (const round of rounds) {
      const crashed = await crash(premises, acquirer, mint, round)
      outputs.push(...crashed.outputs)
      undone.push(...crashed.left)
    }
    await runFlows(world, mint, flows, ended)
    await runDoubts(world, mint, doubts, ended)
    await Promise.all(undone.map(async ({ name, ends, finish }) => ended(name, ends, await finish())))
    outputs.push(...(await gatherOutputs(premises)))
    const scanner = createScanner(mint.handedOut)
    return {
      flows: count,
      crashes: rounds.length,
      bytes: outputs.reduce((sum, { bytes }) => sum + bytes.length, 0),
      places: [...new Set(outputs.map(({ place }) => place))].toSorted(),
      hits: outputs.flatMap((output) => scanner.scan(output)).map(nameOf),
      astray,
      filesUnreadable: postgresFiles?.unreadable ?? null,
    }
  } finally {
    await premises.close()
  }
}
