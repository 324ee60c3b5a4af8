import { runKept } from '../leashed.mjs'
import type { Figures } from '../prove.ts'
import { isRecord, Refusal } from '../say.mjs'
import { root } from '../setup.mjs'

const USUAL_CHECKOUTS = 1_000_000
const CHECKOUTS_EACH = 10

/** Simulates payments in worlds where everything goes wrong; a broken promise fails it and names the seed to run again. */
export const prove = async ([given = String(USUAL_CHECKOUTS), seed = '1']: string[]): Promise<Figures> => {
  const wanted = Number(given)
  if (!Number.isInteger(wanted) || wanted < CHECKOUTS_EACH) {
    throw new Refusal(`simulation takes a number of checkouts, not ${given}: npm run prove -- simulation 20000`)
  }
  const runs = String(Math.ceil(wanted / CHECKOUTS_EACH))
  const args = ['server/simulation/main.ts', '--seed', seed, '--runs', runs, '--checkouts', String(CHECKOUTS_EACH)]
  const { code, output } = await runKept(process.execPath, args, { cwd: root })
  const report: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? 'null')
  if (!isRecord(report) || code !== 0) throw new Refusal(`a promise was broken: ${output.trim().slice(-2000)}`)
  const figure = (name: string): number => Number(report[name])
  return {
    firstSeed: Number(seed),
    runs: figure('runs'),
    checkouts: figure('checkouts'),
    portCalls: figure('steps'),
    crashes: figure('crashes'),
    charges: figure('charges'),
    refunds: figure('refunds'),
    brokenPromises: 0,
  }
}
