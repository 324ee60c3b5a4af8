import { runBots, type BotFigures } from '../../../proof/card-testing/bots.ts'
import { runHonestShoppers, type HonestFigures } from '../../../proof/card-testing/honest-shoppers.ts'
import { CommandError } from '../../command-error.mjs'
import { printProgress } from '../../progress.mjs'
import type { Figures } from '../../measurement/figures.ts'
import { SEED_RANGE, wholeNumber } from './whole-number.ts'

const DEFAULT_SHOPPERS = '10000'
const DISTRIBUTED_TRIES = 3000

/** What each bot may reach, by the end of its name. */
const BOT_MAXIMA: readonly (readonly [name: RegExp, max: number])[] = [
  [/^one link/, 5],
  [/^one address/, 31],
  [/^one card, one hour/, 4],
  [/^one card, 24 hours/, 8],
  [/charges before the brake$/, 25],
  [/without a challenge while braked$/, 0],
]

/** Fails where a bot reached more than it may, or an honest shopper was refused. */
export const figuresOf = (bots: BotFigures, honest: HonestFigures): Figures => {
  const { refusals, ...rest } = honest
  const problems = [
    ...Object.entries(bots).flatMap(([name, value]) => {
      const max = BOT_MAXIMA.find(([pattern]) => pattern.test(name))?.[1] ?? Number.POSITIVE_INFINITY
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

/** Proof, card testing: bots and honest shoppers against a listening server on live limits, in virtual time. */
export const measure = async ([given = DEFAULT_SHOPPERS, givenSeed = '1']: readonly string[]): Promise<Figures> => {
  const shoppers = wholeNumber('the number of honest shoppers', given, { from: 1, to: 1_000_000 })
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  const bots = await runBots(DISTRIBUTED_TRIES, printProgress)
  const honest = await runHonestShoppers(shoppers, seed)
  printProgress(`honest shoppers: ${JSON.stringify({ ...honest, refusals: honest.refusals.length })}`)
  return figuresOf(bots, honest)
}
