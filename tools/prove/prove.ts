/** Proofs: what npm run prove can show. Their figures are written to docs/proof.json. */
import { measurementsOf, runMeasurement, type Measurement } from '../measurement/measurement.ts'

const PROOFS: Readonly<Record<string, Measurement>> = {
  axe: { parameters: '[screen]…', load: () => import('../../proof/axe/prove.ts') },
  backup: { parameters: '[backups of each database] [seed]', load: () => import('../../proof/backup/prove.ts') },
  'bad-day': { parameters: '[family]…', load: () => import('../../proof/bad-day/prove.ts') },
  browsers: { parameters: '', load: () => import('../../proof/browsers/prove.ts') },
  canaries: { parameters: '', load: () => import('../../proof/canaries/prove.ts') },
  'card-testing': { parameters: '[honest shoppers] [seed]', load: () => import('../../proof/card-testing/prove.ts') },
  crashes: { parameters: '[kills on each database] [seed]', load: () => import('../../proof/crashes/prove.ts') },
  'dropped-answers': { parameters: '', load: () => import('../../proof/dropped-answers/prove.ts') },
  flaky: { parameters: "[repeats] [part of a journey's file name]…", load: () => import('../../proof/flaky/prove.ts') },
  fuzz: { parameters: '[requests] [seed] [first episode]', load: () => import('../../proof/fuzz/prove.ts') },
  'hostile-page': { parameters: '[seed]', load: () => import('../../proof/hostile-page/prove.ts') },
  journeys: { parameters: '', load: () => import('../../proof/journeys/prove.ts') },
  lists: { parameters: '[checkouts]', load: () => import('../../proof/lists/prove.ts') },
  overload: { parameters: '[seconds of each load]', load: () => import('../../proof/overload/prove.ts') },
  'planted-bugs': { parameters: '', load: () => import('../../proof/planted-bugs/prove.ts') },
  proxy: { parameters: '', load: () => import('../../proof/proxy/prove.ts') },
  reference: { parameters: '', load: () => import('../../proof/reference/prove.ts') },
  release: { parameters: '', load: () => import('../../proof/release/prove.ts') },
  scenarios: { parameters: '', load: () => import('../../proof/scenarios/prove.ts') },
  simulation: { parameters: '[checkouts] [seed]', load: () => import('../../proof/simulation/prove.ts') },
  survival: { parameters: '', load: () => import('../../proof/survival/prove.ts') },
  webhooks: { parameters: '[events] [seed]', load: () => import('../../proof/webhooks/prove.ts') },
}

export const runProof = (args: readonly string[]): Promise<number> =>
  runMeasurement(args, measurementsOf('prove', PROOFS, 'proof.json'))
