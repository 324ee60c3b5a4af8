import assert from 'node:assert/strict'
import { commandFor, keep } from './regressions.ts'
import { simulate, type Report, type Schedule } from './simulate.ts'

/** Plays a schedule that must break no promise. One that does is kept, and named with the command that plays it again. */
export const played = async (schedule: Schedule): Promise<Report> => {
  const report = await simulate(schedule)
  if (report.broken.length > 0) keep(report)
  assert.deepEqual(report.broken, [], `play it again: ${commandFor(schedule)}`)
  return report
}
