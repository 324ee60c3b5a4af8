/** Test report: prints and counts what Node's test runner reports. `postgres` are the passed tests that ran on PostgreSQL. */
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { relative } from 'node:path'
import { inspect } from 'node:util'
import { isRecord } from '../is-record.mjs'

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly postgres: number
}

const fileOf = (data: EventData.LocationInfo): string => data.entryFile ?? data.file ?? ''

/** A test or suite that failed only because something inside it did, which is reported by itself. */
const onlySubtestsFailed = (error: unknown): boolean => isRecord(error) && error['failureType'] === 'subtestsFailed'

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ')

/** The runner's own counts, which are no diagnostic of a test. */
const isRunnerSummary = (message: string): boolean =>
  /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(message)

export interface TestReport {
  /** A diagnostic, or a test that failed. */
  line(text: string): void
  /** The path of a test that has started: the last one is where a process hangs. */
  running(test: string): void
}

/** Counts the tests and reports them. */
export const reportTests = async (events: AsyncIterable<TestEvent>, report: TestReport): Promise<TestCounts> => {
  const counts = { passed: 0, failed: 0, skipped: 0, postgres: 0 }
  const names = new Map<string, string[]>()

  const pathOf = (data: EventData.TestStart | EventData.TestPass | EventData.TestFail): string =>
    [...(names.get(fileOf(data)) ?? []).slice(0, data.nesting), data.name].join(' > ')

  const reportFailure = (data: EventData.TestPass | EventData.TestFail, why: string): void => {
    counts.failed += 1
    const place = `${relative('', data.file ?? '')}:${data.line ?? 0}`
    report.line(`  ✖ ${data.name === data.file ? place : `${pathOf(data)} (${place})`}\n${indent(why)}`)
  }

  const reportPass = (data: EventData.TestPass): void => {
    // The runner passes a file that holds no test as if it were one.
    if (data.name === data.file) return reportFailure(data, `${relative('', data.name)} holds no test`)
    if (data.details.type === 'suite') return
    if (data.skip !== undefined || data.todo !== undefined) {
      counts.skipped += 1
      return
    }
    counts.passed += 1
    if (pathOf(data).includes('PostgreSQL')) counts.postgres += 1
  }

  const reportDiagnostic = ({ message, file }: EventData.TestDiagnostic): void => {
    if (isRunnerSummary(message)) return
    report.line(`  ${message}`)
    // Without a file it is an error that was thrown after its test had ended: the runner alone would pass it.
    if (file === undefined) counts.failed += 1
  }

  for await (const event of events) {
    if (event.type === 'test:start') {
      const path = names.get(fileOf(event.data)) ?? []
      names.set(fileOf(event.data), [...path.slice(0, event.data.nesting), event.data.name])
      report.running(`${pathOf(event.data)} (${relative('', fileOf(event.data))})`)
    } else if (event.type === 'test:diagnostic') {
      reportDiagnostic(event.data)
    } else if (event.type === 'test:pass') {
      reportPass(event.data)
    } else if (event.type === 'test:fail') {
      const { error, type } = event.data.details
      if (event.data.todo !== undefined) counts.skipped += 1
      else if (!onlySubtestsFailed(error)) reportFailure(event.data, inspect(error.cause ?? error))
      else if (type !== 'suite') counts.failed += 1
    }
  }
  return counts
}
