import type { CrashPoint } from './process.ts'
import type { Report } from './simulate.ts'

/** What many runs came to. */
export interface Sum {
  readonly runs: number
  readonly checkouts: number
  readonly steps: number
  readonly crashes: number
  readonly charges: number
  readonly refunds: number
  readonly alarms: number
  readonly endings: Readonly<Record<string, number>>
  readonly words: Readonly<Record<string, number>>
  /** Kinds of moments, before and after a call of a port, at which a process could have died. */
  readonly passed: readonly CrashPoint[]
  /** Those at which one did. */
  readonly diedAt: readonly CrashPoint[]
}

const added = (all: readonly Readonly<Record<string, number>>[]): Record<string, number> => {
  const sum: Record<string, number> = {}
  for (const [name, count] of all.flatMap((each) => Object.entries(each))) sum[name] = (sum[name] ?? 0) + count
  return sum
}

export const sumOf = (reports: readonly Report[]): Sum => {
  const total = (of: (report: Report) => number): number => reports.reduce((sum, report) => sum + of(report), 0)
  const points = (of: (report: Report) => ReadonlySet<CrashPoint>): CrashPoint[] => [
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
    endings: added(reports.map(({ endings }) => endings)),
    words: added(reports.map(({ words }) => words)),
    passed: points(({ passed }) => passed),
    diedAt: points(({ diedAt }) => diedAt),
  }
}
