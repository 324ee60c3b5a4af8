import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts'
import { plant } from './planting.ts'
import { PLAYS } from './plays.ts'
import { argumentsFor } from './regressions.ts'

/** How long the simulator may look for a bug that its own schedule does not show any more. */
const SEARCH_SECONDS = '20'
const LIMIT_MS = 60_000

const run = (folder: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const options = { cwd: folder, timeout: LIMIT_MS, env: { PATH: process.env['PATH'] ?? '' } }
    execFile(process.execPath, args, options, (_error, stdout) => resolve(stdout))
  })

const Played = Type.Object({
  failures: Type.Array(Type.Object({ command: Type.String(), broken: Type.Array(Type.String()) })),
})

/** The promise that broke, and the command that shows it. Undefined when nothing broke, or when nothing ran at all. */
const brokenBy = async (folder: string, args: readonly string[]): Promise<string | undefined> => {
  const report: unknown = JSON.parse((await run(folder, ['proof/simulation/main.ts', ...args])).trim() || 'null')
  if (!Check(Played, report)) return undefined
  const [failure] = report.failures
  return failure === undefined ? undefined : `${failure.broken[0]} (${failure.command})`
}

const bySimulation = async (folder: string, known: readonly string[]): Promise<string | undefined> => {
  const found = await brokenBy(folder, known)
  if (found !== undefined) return found
  // The code has changed since its schedule was written down: a storm or a race must still show it.
  for (const play of Object.keys(PLAYS)) {
    const search = ['--play', play, '--runs', '10000', '--checkouts', '5', '--seconds', SEARCH_SECONDS, '--first']
    const anew = await brokenBy(folder, search)
    if (anew !== undefined) return `${anew}, found anew: write it down in planted-bugs.ts`
  }
  return undefined
}

/** The first test that failed. A file that could not even be loaded has caught nothing. */
const byTests = async (folder: string, file: string): Promise<string | undefined> => {
  const output = await run(folder, ['--test', '--test-reporter=tap', file])
  const failed = [...output.matchAll(/^\s*not ok \d+ - (.+)$/gm)].map(([, title = '']) => title)
  const title = failed.find((each) => !each.includes(file))
  return title === undefined ? undefined : `${file}: ${title}`
}

const witnessOf = async (bug: PlantedBug): Promise<string | undefined> => {
  const { folder, clear } = plant(bug)
  try {
    return await (typeof bug.caughtBy === 'string'
      ? byTests(folder, bug.caughtBy)
      : bySimulation(folder, argumentsFor(bug.caughtBy)))
  } finally {
    clear()
  }
}

describe('bugs that have cost others money, planted into a copy of the code', () => {
  for (const bug of PLANTED_BUGS) {
    test(`"${bug.name}" is caught`, async (t) => {
      const witness = await witnessOf(bug)
      assert.ok(witness !== undefined, 'nobody noticed')
      t.diagnostic(`caught by ${witness}`)
    })
  }

  test('a bug that no longer applies to the code is a failure', () => {
    const edits = [{ file: 'payment/charge.ts', find: 'nothing says this', replace: '' }] as const
    assert.throws(
      () => plant({ name: 'gone', edits, caughtBy: 'x.test.ts' }),
      /no longer applies to payment\/charge\.ts/,
    )
  })

  test('code without a bug is caught by nobody', async () => {
    const [{ file, find }] = PLANTED_BUGS[0]?.edits ?? [{ file: '', find: '' }]
    const { folder, clear } = plant({ name: 'none', edits: [{ file, find, replace: find }], caughtBy: 'x.test.ts' })
    const catchers = new Set(PLANTED_BUGS.flatMap(({ caughtBy }) => (typeof caughtBy === 'string' ? [caughtBy] : [])))
    for (const catcher of catchers) assert.equal(await byTests(folder, catcher), undefined)
    assert.equal(
      await brokenBy(folder, argumentsFor({ play: 'storm', seed: 1, checkouts: 5, crashAt: null })),
      undefined,
    )
    clear()
  })
})
