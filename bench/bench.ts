/** Benches: what npm run bench measures, each beside its limit. Their figures are written to docs/bench.json. */
import { join } from 'node:path'
import { CommandError } from '../tools/command-error.mjs'
import { measurementsOf, runMeasurement, type Measurement } from '../tools/measurement/measurement.ts'
import { ROOT } from '../tools/setup/setup.mjs'
import { drawPlots } from './plots/draw-plots.ts'

const BENCHES: Readonly<Record<string, Measurement>> = {
  growth: { parameters: '[most checkouts]', load: () => import('./growth/growth-bench.ts') },
  lighthouse: { parameters: '', load: () => import('./page/lighthouse-bench.ts') },
  page: { parameters: '[rounds]', load: () => import('./page/page-bench.ts') },
  server: {
    parameters: '[seconds of a round] [requests until memory is read]',
    load: () => import('./server/server-bench.ts'),
  },
}

/** Plots are drawn from figures that are already written: they measure nothing and belong to no commit. */
export const runBench = async (args: readonly string[]): Promise<number> => {
  const [name, ...rest] = args
  if (name !== 'plots') return runMeasurement(args, measurementsOf('bench', BENCHES, 'bench.json'))
  if (rest.length > 0) throw new CommandError(`plots takes nothing, not ${rest.join(' ')}: npm run bench -- plots`)
  return drawPlots(join(ROOT, 'docs'))
}
