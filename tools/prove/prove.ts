/** Proofs: what npm run prove can show. Their figures are written to docs/proof.json. */
import { measurementsOf, runMeasurement, type Measurement } from '../measurement/measurement.ts'

const PROOFS: Readonly<Record<string, Measurement>> = {
  axe: { parameters: '[screen]…', load: () => import('./proofs/axe.ts') },
  backup: { parameters: '[backups of each database] [seed]', load: () => import('./proofs/backup.ts') },
  'bad-day': { parameters: '[family]…', load: () => import('./proofs/bad-day.ts') },
  browsers: { parameters: '', load: () => import('./proofs/browsers.ts') },
  canaries: { parameters: '', load: () => import('./proofs/canaries.ts') },
  'card-testing': { parameters: '[honest shoppers] [seed]', load: () => import('./proofs/card-testing.ts') },
  crashes: { parameters: '[kills on each database] [seed]', load: () => import('./proofs/crashes.ts') },
  'dropped-answers': { parameters: '', load: () => import('./proofs/dropped-answers.ts') },
  flaky: { parameters: "[repeats] [part of a journey's file name]…", load: () => import('./proofs/flaky.ts') },
  fuzz: { parameters: '[requests] [seed] [first episode]', load: () => import('./proofs/fuzz.ts') },
  'hostile-page': { parameters: '[seed]', load: () => import('./proofs/hostile-page.ts') },
  journeys: { parameters: '', load: () => import('./proofs/journeys.ts') },
  lists: { parameters: '[checkouts]', load: () => import('./proofs/lists.ts') },
  overload: { parameters: '[seconds of each load]', load: () => import('./proofs/overload.ts') },
  'planted-bugs': { parameters: '', load: () => import('./proofs/planted-bugs.ts') },
  proxy: { parameters: '', load: () => import('./proofs/proxy.ts') },
  reference: { parameters: '', load: () => import('./proofs/reference.ts') },
  release: { parameters: '', load: () => import('./proofs/release.ts') },
  scenarios: { parameters: '', load: () => import('./proofs/scenarios.ts') },
  simulation: { parameters: '[checkouts] [seed]', load: () => import('./proofs/simulation.ts') },
  survival: { parameters: '', load: () => import('./proofs/survival.ts') },
  webhooks: { parameters: '[events] [seed]', load: () => import('./proofs/webhooks.ts') },
}

export const runProof = (args: readonly string[]): Promise<number> =>
  runMeasurement(args, measurementsOf('prove', PROOFS, 'proof.json'))
