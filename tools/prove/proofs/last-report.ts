import { CommandError } from '../../command-error.mjs'
import { isRecord } from '../../is-record.mjs'

const MOST_SHOWN = 2000

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The report that a program prints as its last line, or what it said instead of one. */
export const lastReport = (program: string, output: string): Record<string, unknown> => {
  const report = parsed(output.trim().split('\n').at(-1) ?? '')
  if (isRecord(report)) return report
  throw new CommandError(`${program} ended without a report: ${output.trim().slice(-MOST_SHOWN)}`)
}

export const numberIn = (report: unknown, name: string): number => {
  const value = isRecord(report) ? report[name] : undefined
  if (typeof value !== 'number') throw new CommandError(`the report has no number ${name}`)
  return value
}
