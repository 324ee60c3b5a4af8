/** Proof, card testing: bots and honest shoppers against a listening server on live limits, in virtual time. */
import { figureNotes, runBots, type BotFigures } from './bots.ts'
import { runHonestShoppers } from './honest-shoppers.ts'
import {
  afterStrangers,
  behindSharedAddress,
  duringSale,
  withIssuerThatNeverChallenges,
} from './turned-against-a-shop.ts'
import { runWaysAround } from './ways-around.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const DEFAULT_SHOPPERS = '10000'
const DISTRIBUTED_TRIES = 3000
const STRANGERS = [24, 240, 2400]
const SHARED_ADDRESS_STARTS = [10, 110]
const HOURS_WITHOUT_CHALLENGES = 2

/** What each may reach, by the end of its name. */
const MAXIMA: readonly (readonly [name: RegExp, max: number])[] = [
  [/^one link/, 5],
  [/^one address.*: without a challenge$/, 31],
  // Sixty, and one every two minutes of three hours.
  [/^one address.*: questions$/, 60 + 91],
  [/^one card, one hour/, 4],
  [/^one card, 24 hours/, 8],
  [/charges before the forced challenge$/, 25],
  [/without a challenge while a challenge is forced$/, 0],
  [/^from one IPv6 \/48.*: without a challenge$/, 100],
  [/^be(hind|side) .*: without a challenge$/, 60],
  [/: not paid$/, 0],
  [/: asked for a challenge$/, 0],
  [/: refused$/, 0],
  [/: longest wait, seconds$/, 600],
  [/^a sale: minutes under a forced challenge$/, 0],
  [/: minutes under a forced challenge$/, 11],
]

/** Fails where a bot reached more than it may, or an honest shopper was refused. */
export const figuresOf = (
  bots: BotFigures,
  { refusals, ...rest }: Awaited<ReturnType<typeof runHonestShoppers>>,
): Figures => {
  const problems = [
    ...Object.entries(bots).flatMap(([name, value]) => {
      const max = MAXIMA.find(([pattern]) => pattern.test(name))?.[1] ?? Number.POSITIVE_INFINITY
      return value > max ? [`${name} ${value}, more than ${max}`] : []
    }),
    ...(refusals.length > 0
      ? [`${refusals.length} honest tries were refused, first ${refusals.slice(0, 3).join('; ')}`]
      : []),
  ]
  if (problems.length > 0) throw new CommandError(problems.join('; '))
  const figures: Record<string, number> = { ...bots }
  for (const [name, value] of Object.entries(rest)) figures[`honest shoppers: ${name}`] = value
  return { ...figures, 'honest shoppers: refused': 0 }
}

/** Attacks that turn a limit against a shop, or go around it. */
const runAttacks = async (report: (line: string) => void): Promise<BotFigures> => {
  const { figures, note } = figureNotes(report)
  for (const starts of STRANGERS) {
    const { tried, paid, challenged } = await afterStrangers(starts)
    note(`after ${starts} starts of strangers: honest payments`, paid)
    note(`after ${starts} starts of strangers: not paid`, tried - paid)
    note(`after ${starts} starts of strangers: asked for a challenge`, challenged)
  }
  for (const starts of SHARED_ADDRESS_STARTS) {
    const shared = await behindSharedAddress(starts)
    note(`shared address, ${starts} starts of another: challenged`, shared.challenged)
    note(`shared address, ${starts} starts of another: refused`, shared.refused)
    note(`shared address, ${starts} starts of another: longest wait, seconds`, shared.longestWaitSeconds)
  }
  for (const { name, tried, withoutChallenge } of await runWaysAround()) {
    note(`${name}: cards tried`, tried)
    note(`${name}: without a challenge`, withoutChallenge)
  }
  const never = await withIssuerThatNeverChallenges(HOURS_WITHOUT_CHALLENGES)
  note('an issuer that never challenges: honest payments', never.paid)
  note('an issuer that never challenges: not paid', never.tried - never.paid)
  note('an issuer that never challenges: minutes under a forced challenge', never.minutesForced)
  const sale = await duringSale()
  note('a sale: honest payments', sale.paid)
  note('a sale: declined by the acquirer', sale.declined)
  note('a sale: not paid', sale.tried - sale.paid - sale.declined)
  note('a sale: asked for a challenge', sale.challenged)
  note('a sale: minutes under a forced challenge', sale.minutesForced)
  return figures
}

export const parameters = '[honest shoppers] [seed]'

export const measure = async ([given = DEFAULT_SHOPPERS, givenSeed = '1']: readonly string[]): Promise<Figures> => {
  const shoppers = wholeNumber('the number of honest shoppers', given, { from: 1, to: 1_000_000 })
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  const attacks = await runAttacks(printProgress)
  const bots = await runBots(DISTRIBUTED_TRIES, printProgress)
  const honest = await runHonestShoppers(shoppers, seed)
  printProgress(`honest shoppers: ${JSON.stringify({ ...honest, refusals: honest.refusals.length })}`)
  return figuresOf({ ...bots, ...attacks }, honest)
}
