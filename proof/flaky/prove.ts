/** Proof, flaky tests: runs all of `npm test` again and again, alone and beside two busy loops. One failure fails the proof. */
import { runAndCapture, spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'

const BUSY_LOOPS = 2

export const parameters = '[runs quiet, and as many busy]'

const runAllTests = () => runAndCapture(process.execPath, ['tools/test.ts'], { cwd: ROOT })

/** The seconds of each run that passed. Of each that failed it prints all. */
const repeat = async (what: string, runs: number, run: typeof runAllTests): Promise<readonly number[]> => {
  const seconds: number[] = []
  for (let nth = 1; nth <= runs; nth += 1) {
    const started = performance.now()
    const { code, output } = await run()
    if (code === 0) seconds.push(Math.round((performance.now() - started) / 1000))
    else process.stdout.write(output)
    const failures = output.match(/^( {2}(failed|flaky)|\w+ failed): .*/gm) ?? []
    const total = output.trimEnd().split('\n').at(-1) ?? ''
    printProgress([`${what} ${nth} of ${runs}: ${secondsSince(started)}, ${total}`, ...failures].join('\n'))
  }
  return seconds
}

export const measure = async (
  [times = '10']: readonly string[],
  run: typeof runAllTests = runAllTests,
): Promise<Figures> => {
  const runs = wholeNumber('the number of runs', times, { from: 1, to: 100 })
  const quiet = await repeat('quiet', runs, run)
  const loops = Array.from({ length: BUSY_LOOPS }, () => spawnExitingWithParent(process.execPath, ['-e', 'for(;;);']))
  const busy = await repeat('busy', runs, run).finally(() => loops.forEach((loop) => loop.kill()))
  const failed = 2 * runs - quiet.length - busy.length
  if (failed > 0) throw new CommandError(`${failed} of ${2 * runs} runs failed, see above`)
  return { runs, quietSecondsMost: Math.max(...quiet), busySecondsMost: Math.max(...busy), failures: failed }
}
