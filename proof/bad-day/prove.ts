/**
 * Proof, bad day: every attack that once stopped a shop, from outside, with its figure of then, its figure now and its limit.
 * Of some families alone no figures are written.
 */
import { admission } from './admission.ts'
import { backlog } from './backlog.ts'
import { cardTesting } from './card-testing.ts'
import { clocks } from './clocks.ts'
import { diskFull } from './disk-full.ts'
import { drain } from './drain.ts'
import { floods } from './floods.ts'
import { links } from './links.ts'
import { largeReports } from './large-reports.ts'
import { largeShop } from './large-shop.ts'
import { misuse } from './misuse.ts'
import { notifications } from './notifications.ts'
import { outbox } from './outbox.ts'
import { requestCost } from './request-cost.ts'
import { signIn } from './sign-in.ts'
import { sqlite } from './sqlite.ts'
import { text } from './text.ts'
import { LIMITS, type Limit } from './limits.ts'
import type { Attack, Measured } from './attacked-server.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress } from '../../tools/progress.mjs'

/** Families of attacks, as `npm run prove -- bad-day <family>` names them. */
export const FAMILIES: Readonly<Record<string, readonly Attack[]>> = {
  'request-cost': requestCost,
  floods,
  admission,
  'card-testing': cardTesting,
  sqlite,
  clocks,
  'disk-full': diskFull,
  drain,
  outbox,
  misuse,
  'sign-in': signIn,
  links,
  text,
  'large-shop': [...largeShop, ...largeReports],
  backlog,
  notifications,
}

/** What one family measured, and which of its attacks could not be carried out. */
export interface FamilyReport {
  readonly measured: Measured
  readonly problems: readonly string[]
}

const holds = (value: number, { most, least }: Limit): boolean =>
  (most === undefined || value <= most) && (least === undefined || value >= least)

const round = (value: number): number => (Math.abs(value) < 100 ? Math.round(value * 10) / 10 : Math.round(value))

const limitText = ({ most, least }: Limit): string => (most === undefined ? `at least ${least}` : `at most ${most}`)

/** One line for each figure of a family: before, now, limit. What has a limit and was not measured does not hold. */
export const judge = (family: string, { measured, problems }: FamilyReport) => {
  const limits = Object.entries(LIMITS[family] ?? {})
  const failures = limits.flatMap(([name, limit]) => {
    const value = measured[name]
    if (value === undefined) return [`${name} was not measured`]
    return holds(value, limit) ? [] : [`${name}: ${round(value)}, not ${limitText(limit)}`]
  })
  const lines = limits.map(([name, limit]) => {
    const value = measured[name]
    return `${name}: ${limit.before} → ${value === undefined ? 'not measured' : round(value)} (${limitText(limit)})`
  })
  return { lines, problems: [...problems, ...failures].map((problem) => `${family}: ${problem}`) }
}

const runFamily = async (family: string): Promise<FamilyReport> => {
  const measured: Record<string, number> = {}
  const problems: string[] = []
  for (const { name, run } of FAMILIES[family] ?? []) {
    printProgress(`${family}: ${name}`)
    try {
      Object.assign(measured, await run((line) => printProgress(`  ${line}`)))
    } catch (error) {
      problems.push(`${name} could not be carried out: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { measured, problems }
}

export const parameters = '[family]…'

export const measure = async (given: readonly string[]): Promise<Figures | null> => {
  const unknown = given.filter((family) => !Object.hasOwn(FAMILIES, family))
  if (unknown.length > 0)
    throw new CommandError(`no such family: ${unknown.join(' ')}. There are ${Object.keys(FAMILIES).join(', ')}`)
  await ensureBuilt()
  const figures: Record<string, number> = {}
  const problems: string[] = []
  for (const family of given.length > 0 ? given : Object.keys(FAMILIES)) {
    const report = await runFamily(family)
    const judged = judge(family, report)
    for (const line of judged.lines) printProgress(`${family}: ${line}`)
    problems.push(...judged.problems)
    for (const [name, value] of Object.entries(report.measured)) figures[`${family}: ${name}`] = round(value)
  }
  if (problems.length > 0) throw new CommandError(`${problems.length} limits do not hold:\n  ${problems.join('\n  ')}`)
  if (given.length > 0) return null
  const limits = Object.values(LIMITS).reduce((sum, each) => sum + Object.keys(each).length, 0)
  const attacks = Object.values(FAMILIES).reduce((sum, each) => sum + each.length, 0)
  return { attacks, limits, broken: 0, ...figures }
}
