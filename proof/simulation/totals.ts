/** Totals of many simulated runs. */
import type { CrashPoint } from './process.ts'
import type { RunReport } from './simulate.ts'

const sumByName = (all: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
  const sum: Record<string, number> = {}
  for (const [name, count] of all.flatMap((each) => Object.entries(each))) sum[name] = (sum[name] ?? 0) + count
  return sum
}

export const totalsOf = (reports: readonly RunReport[]) => {
  const total = (of: (report: RunReport) => number): number => reports.reduce((sum, report) => sum + of(report), 0)
  const points = (of: (report: RunReport) => ReadonlySet<CrashPoint>): CrashPoint[] => [
    ...new Set(reports.flatMap((report) => [...of(report)])),
  ]
  return {
    runs: reports.length,
    checkouts: total(({ schedule }) => schedule.checkouts),
    steps: total(({ steps }) => steps),
    crashes: total(({ crashes }) => crashes),
    charges: total(({ charges }) => charges),
    refunds: total(({ refunds }) => refunds),
    alarms: total(({ alarms }) => alarms),
    holdUnavailable: total(({ holdUnavailable }) => holdUnavailable),
    cardsLost: total(({ cardsLost }) => cardsLost),
    cardsBack: total(({ cardsBack }) => cardsBack),
    daysSummed: total(({ daysSummed }) => daysSummed),
    doubtsOnHome: total(({ doubtsOnHome }) => doubtsOnHome),
    statuses: sumByName(reports.map(({ statuses }) => statuses)),
    messagesShown: sumByName(reports.map(({ messagesShown }) => messagesShown)),
    /** Crash points, before and after a call of a port, that a process came to. */
    crashPointsPassed: points(({ crashPointsPassed }) => crashPointsPassed),
    /** Those at which one died. */
    crashPointsHit: points(({ crashPointsHit }) => crashPointsHit),
  }
}

export type SimulationTotals = ReturnType<typeof totalsOf>
