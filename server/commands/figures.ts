/** Figures commands: sum closed days again, and compare their rows with ledger and attempts. */
import { MERCHANT_MODES } from '#contract/access.ts'
import { jstDate, parseBeginning, parseDeadline } from '#contract/jst.ts'
import { sumShop } from '../background/sum-day-figures.ts'
import { checkDays, markDays, type WrongDay } from '../operations/day-figures.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { merchantIds } from '../store/merchant/merchants.ts'
import { nextLateDay, readProgress } from '../store/reports/day-figure-progress.ts'
import type { TimeRange } from '../store/reports/movements.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem, type Given } from './command.ts'
import { namedMerchant, withConfirmedClock, type OperatorDependencies } from './operator-database.ts'

const OPTIONS = {
  merchant: { value: '<label>', help: 'of this shop alone; left out, of all' },
  from: { value: '<day>', help: 'the first day in Japan, such as 2026-11-01; left out, the very first' },
  to: { value: '<day>', help: 'the last day in Japan; left out, the last one that is summed' },
} as const

const readRange = (given: Given): TimeRange | CommandProblem => {
  const [first, last] = [given.textOrNull('from'), given.textOrNull('to')]
  const from = first === null ? 0 : parseBeginning(first)
  const to = last === null ? Number.MAX_SAFE_INTEGER - 1 : parseDeadline(last)
  if (from === undefined || to === undefined)
    return { problem: `--${from === undefined ? 'from' : 'to'} is no day: give one such as 2026-11-01.` }
  return from <= to ? { from, to } : { problem: '--from is after --to: give an earlier --from.' }
}

/** The shops that are asked for, each in both modes. */
const readScopes = async (
  { database }: OperatorDependencies,
  given: Given,
): Promise<readonly KeyScope[] | CommandProblem> => {
  const label = given.textOrNull('merchant')
  const named = label === null ? null : await namedMerchant(database, label)
  if (named !== null && 'problem' in named) return named
  const ids = named === null ? await merchantIds(database) : [named.id]
  return ids.flatMap((id) => MERCHANT_MODES.map((mode) => ({ merchantId: id, mode })))
}

const PAUSE_MS = 1000

/** Sums the marked days of a shop; where the worker of a server does so already, waits for it. */
const sumUntilDone = async ({ database, clock, random }: OperatorDependencies, scope: KeyScope): Promise<void> => {
  for (;;) {
    const isSummed = await sumShop({ database, clock, random }, scope)
    const late = await nextLateDay(database, scope, (await readProgress(database, scope)).summedUntil)
    // A day that another has begun has no mark any more. After the marks: a day is noted before they are deleted.
    if (late === null && (await readProgress(database, scope)).summingDay === null) return
    if (!isSummed) await clock.sleep(PAUSE_MS)
  }
}

const count = (many: number): string => `${many} ${many === 1 ? 'day' : 'days'}`

export const figuresRebuild: Command = {
  summary: 'sums the figures of closed days again, from the ledger and the attempts',
  options: OPTIONS,
  example: 'figures rebuild --merchant tea --from 2026-11-01 --to 2026-11-30',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const [range, scopes] = [readRange(given), await readScopes(deps, given)]
      if ('problem' in range) return range
      if (isProblem(scopes)) return scopes
      let days = 0
      for (const scope of scopes) {
        days += await markDays(deps.database, scope, range)
        await sumUntilDone(deps, scope)
      }
      return { value: { days }, lines: [`The figures of ${count(days)} are summed again.`] }
    }),
}

const wrongLine = ({ merchantId, mode, day, differing }: WrongDay): string =>
  `${jstDate(day)} of ${merchantId} (${mode}): ${differing.join(', ')} differ from the ledger and the attempts`

export const figuresCheck: Command = {
  summary: 'compares the figures of closed days with the ledger and the attempts',
  options: OPTIONS,
  example: 'figures check --json',
  endsWithOne: 'a day differs',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const [range, scopes] = [readRange(given), await readScopes(deps, given)]
      if ('problem' in range) return range
      if (isProblem(scopes)) return scopes
      const wrong: WrongDay[] = []
      let [checked, waiting] = [0, 0]
      for (const scope of scopes) {
        const found = await checkDays(deps.database, scope, range)
        checked += found.checked
        waiting += found.waiting
        wrong.push(...found.wrong)
      }
      const days = wrong.map(({ merchantId, mode, day, differing }) => ({
        merchantId,
        mode,
        date: jstDate(day),
        differing,
      }))
      const waits = waiting === 0 ? '' : `; ${count(waiting)} will be summed again, because something came late`
      const mend = wrong.length === 0 ? [] : [`Sum them again: ${PROGRAM} figures rebuild`]
      return {
        value: { checked, waiting, wrong: days },
        lines: [...wrong.map(wrongLine), `${count(checked)} compared, ${wrong.length} wrong${waits}.`, ...mend],
        exitCode: wrong.length === 0 ? 0 : 1,
      }
    }),
}
