/** Hundreds of processes load the same files: without this each of them compiles them again, for half a second. */
import { join } from 'node:path'
import { onParentExit, STOP_SIGNALS } from '../exit-with-parent.ts'
import { CommandError } from '../command-error.mjs'
import { printProgress } from '../progress.mjs'
import { ROOT } from '../root.ts'
import { STAGES, type StageResult, type Stage } from './stages.ts'

/** npm test: runs the stages that its arguments select, in order. */
export type StageSelection =
  | { readonly ok: true; readonly stages: readonly Stage[]; readonly playwrightArgs: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/** `--only a,b` chooses stages; what follows `--` is for Playwright. */
export const selectStages = (args: readonly string[], all: readonly Stage[]): StageSelection => {
  const end = args.indexOf('--')
  const playwrightArgs = end === -1 ? [] : args.slice(end + 1)
  const [flag, list, ...rest] = end === -1 ? args : args.slice(0, end)
  const usage = `npm test -- --only ${all.map(({ name }) => name).join(',')} -- <options of playwright>`
  if (flag === undefined) return { ok: true, stages: all, playwrightArgs }
  if (flag !== '--only' || rest.length > 0) {
    return { ok: false, problem: `npm test does not know ${flag === '--only' ? rest.join(' ') : flag}: ${usage}` }
  }
  const names = (list ?? '').split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !all.some((stage) => stage.name === name))
  if (unknown !== undefined) return { ok: false, problem: `there is no stage ${unknown}: ${usage}` }
  if (names.length === 0) return { ok: false, problem: `--only names no stage: ${usage}` }
  return { ok: true, stages: all.filter(({ name }) => names.includes(name)), playwrightArgs }
}

const runStage = async (stage: Stage, playwrightArgs: readonly string[]): Promise<StageResult> => {
  try {
    return await stage.run({ playwrightArgs })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { passed: 0, failed: 0, skipped: 0, problem: error.message }
  }
}

export const timingLine = (name: string, milliseconds: number, budgetSeconds: number): string => {
  const seconds = milliseconds / 1000
  const line = `${name.padEnd(9)}${seconds.toFixed(1).padStart(6)} s of ${budgetSeconds} s`
  return seconds > budgetSeconds ? `${line}  ⚠ over its budget` : line
}

/** Runs stages in order up to the first that fails; the last line it writes has the totals of all that ran. */
export const runStagesInOrder = async (
  chosen: readonly Stage[],
  playwrightArgs: readonly string[],
  write: (text: string) => void,
): Promise<number> => {
  const totals = { passed: 0, failed: 0, skipped: 0 }
  const allStarted = performance.now()
  let code = 0
  for (const stage of chosen) {
    const started = performance.now()
    const { problem, ...result } = await runStage(stage, playwrightArgs)
    totals.passed += result.passed
    totals.skipped += result.skipped
    // A stage that failed without a failed test must show in the totals, or the last line reads like success.
    totals.failed += problem !== undefined && result.failed === 0 ? 1 : result.failed
    write(`${timingLine(stage.name, performance.now() - started, stage.budgetSeconds)}\n`)
    if (problem === undefined) continue
    write(`${stage.name} failed: ${problem}\nthis stage alone: npm test -- --only ${stage.name}\n`)
    code = 1
    break
  }
  const budget = chosen.reduce((seconds, stage) => seconds + stage.budgetSeconds, 0)
  if (chosen.length > 1 && code === 0) write(`${timingLine('all', performance.now() - allStarted, budget)}\n`)
  write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`)
  return code
}

const COMPILED_CODE = join(ROOT, 'dist', '.compiled')

export const runStages = async (args: readonly string[]): Promise<number> => {
  onParentExit(() => process.exit(1))
  const selection = selectStages(args, STAGES)
  if (!selection.ok) {
    printProgress(selection.problem)
    return 1
  }
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED_CODE
  // What a stage started exits with this process (exit-with-parent).
  for (const signal of STOP_SIGNALS) process.on(signal, () => process.exit(130))
  return runStagesInOrder(selection.stages, selection.playwrightArgs, (text) => process.stdout.write(text))
}
