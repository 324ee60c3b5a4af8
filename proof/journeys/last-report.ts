/** Last-line report: the JSON that a program prints as its last line. */
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'

const MAX_SHOWN_CHARACTERS = 2000

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Without a report the error shows the end of the output. */
export const lastReport = (program: string, output: string): Record<string, unknown> => {
  const report = parseJson(output.trim().split('\n').at(-1) ?? '')
  if (isRecord(report)) return report
  throw new CommandError(`${program} ended without a report: ${output.trim().slice(-MAX_SHOWN_CHARACTERS)}`)
}

export const numberIn = (report: unknown, name: string): number => {
  const value = isRecord(report) ? report[name] : undefined
  if (typeof value !== 'number') throw new CommandError(`the report has no number ${name}`)
  return value
}
