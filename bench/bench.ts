/** Benches: what npm run bench measures, each beside its limit. Their figures are written to docs/bench.json. */
import { measurementsOf, runMeasurement, type Measurement } from '../tools/measurement/measurement.ts'

const BENCHES: Readonly<Record<string, Measurement>> = {
  lighthouse: { parameters: '', load: () => import('./page/lighthouse-bench.ts') },
  page: { parameters: '[rounds]', load: () => import('./page/page-bench.ts') },
}

export const runBench = (args: readonly string[]): Promise<number> =>
  runMeasurement(args, measurementsOf('bench', BENCHES, 'bench.json'))
