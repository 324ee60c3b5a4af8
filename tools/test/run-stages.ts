import { onParentGone, stopSignals } from '../exit-with-parent/parent-exit.mjs'
import { CommandError } from '../command-error.mjs'
import { printProgress } from '../progress.mjs'
import { STAGES, type Result, type Stage } from './stages.ts'

export type Request =
  | { readonly ok: true; readonly stages: readonly Stage[]; readonly playwright: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/** `--only a,b` chooses stages; what follows `--` is for Playwright. */
export const readRequest = (args: readonly string[], all: readonly Stage[]): Request => {
  const end = args.indexOf('--')
  const playwright = end === -1 ? [] : args.slice(end + 1)
  const [flag, list, ...rest] = end === -1 ? args : args.slice(0, end)
  const usage = `npm test -- --only ${all.map(({ name }) => name).join(',')} -- <options of playwright>`
  if (flag === undefined) return { ok: true, stages: all, playwright }
  if (flag !== '--only' || rest.length > 0) {
    return { ok: false, problem: `npm test does not know ${flag === '--only' ? rest.join(' ') : flag}: ${usage}` }
  }
  const names = (list ?? '').split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !all.some((stage) => stage.name === name))
  if (unknown !== undefined) return { ok: false, problem: `there is no stage ${unknown}: ${usage}` }
  if (names.length === 0) return { ok: false, problem: `--only names no stage: ${usage}` }
  return { ok: true, stages: all.filter(({ name }) => names.includes(name)), playwright }
}

const runOne = async (stage: Stage, playwright: readonly string[]): Promise<Result> => {
  try {
    return await stage.run({ playwright })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { passed: 0, failed: 0, skipped: 0, problem: error.message }
  }
}

export const tableLine = (name: string, milliseconds: number, budgetSeconds: number): string => {
  const seconds = milliseconds / 1000
  const line = `${name.padEnd(9)}${seconds.toFixed(1).padStart(6)} s of ${budgetSeconds} s`
  return seconds > budgetSeconds ? `${line}  ⚠ over its budget` : line
}

/** Runs stages in order up to the first that fails; the last line it writes is the sum over all that ran. */
export const runInOrder = async (
  chosen: readonly Stage[],
  playwright: readonly string[],
  write: (text: string) => void,
): Promise<number> => {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  const begun = performance.now()
  let code = 0
  for (const stage of chosen) {
    const started = performance.now()
    const { problem, ...result } = await runOne(stage, playwright)
    sum.passed += result.passed
    sum.skipped += result.skipped
    // A stage that failed without a failed test must show in the sum, or the last line reads like success.
    sum.failed += problem !== undefined && result.failed === 0 ? 1 : result.failed
    write(`${tableLine(stage.name, performance.now() - started, stage.budgetSeconds)}\n`)
    if (problem === undefined) continue
    write(`${stage.name} failed: ${problem}\nthis stage alone: npm test -- --only ${stage.name}\n`)
    code = 1
    break
  }
  const budget = chosen.reduce((seconds, stage) => seconds + stage.budgetSeconds, 0)
  if (chosen.length > 1 && code === 0) write(`${tableLine('all', performance.now() - begun, budget)}\n`)
  write(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`)
  return code
}

export const runStages = async (args: readonly string[]): Promise<number> => {
  onParentGone(() => process.exit(1))
  const request = readRequest(args, STAGES)
  if (!request.ok) {
    printProgress(request.problem)
    return 1
  }
  // The programs a stage started are on leashes, which end them when this process does.
  for (const signal of stopSignals) process.on(signal, () => process.exit(130))
  return runInOrder(request.stages, request.playwright, (text) => process.stdout.write(text))
}
