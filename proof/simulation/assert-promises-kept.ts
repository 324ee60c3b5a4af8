/** Assertion: runs a schedule that must break no promise. One that does is saved, with the command to repeat it. */
import assert from 'node:assert/strict'
import { commandFor, saveRegression } from './regressions.ts'
import { simulate, type RunReport, type Schedule } from './simulate.ts'

export const assertPromisesKept = async (schedule: Schedule): Promise<RunReport> => {
  const report = await simulate(schedule)
  if (report.brokenPromises.length > 0) saveRegression(report)
  assert.deepEqual(report.brokenPromises, [], `run it again: ${commandFor(schedule)}`)
  return report
}
