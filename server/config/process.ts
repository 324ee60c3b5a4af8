/** Configuration of the process: whether it works off what is due, how long it drains, and where its metrics are read. */
import { given, oneOf, Problem, wholeNumber, type Environment } from './readers.ts'

const WORKER = ['on', 'off', 'only'] as const

/**
 * `on`: a server that also works off what is due. `off`: a server that leaves it to workers. `only`: a worker, which serves
 * nobody and may stand beside servers of the same database.
 */
export type Worker = (typeof WORKER)[number]

/** What the two variables ask for, and the words that name the one that did. */
const askedFor = (env: Environment): { readonly worker: Worker; readonly by: string } => {
  const worker = oneOf(env, 'WORKER', WORKER, 'on')
  const isOnly = oneOf(env, 'WORKER_ONLY', ['0', '1'], '0') === '1'
  if (isOnly && given(env, 'WORKER') !== undefined && worker !== 'only')
    throw new Problem(
      `WORKER is ${worker}, and WORKER_ONLY is 1, which means WORKER=only: unset WORKER_ONLY, or set WORKER to only.`,
    )
  if (!isOnly && given(env, 'WORKER_ONLY') !== undefined && worker === 'only')
    throw new Problem('WORKER is only, and WORKER_ONLY is 0: unset WORKER_ONLY.')
  return isOnly ? { worker: 'only', by: 'WORKER_ONLY is 1' } : { worker, by: `WORKER is ${worker}` }
}

const WHY_SHARED: Readonly<Record<Exclude<Worker, 'on'>, string>> = {
  only: 'a worker shares a PostgreSQL database with its server; set both to the same address',
  off: 'an embedded database has no worker beside its server, and nothing that is due would be done; leave WORKER unset, or set DATABASE_URL',
}

export const readWorker = (env: Environment): Worker => {
  const { worker, by } = askedFor(env)
  if (worker !== 'on' && given(env, 'DATABASE_URL') === undefined)
    throw new Problem(`${by}, but DATABASE_URL is not set: ${WHY_SHARED[worker]}.`)
  return worker
}

/**
 * A second by itself: without a load balancer nobody looks at /readyz, and it is enough for calls that lie in the system's
 * queue of connections. Five minutes is the longest that a load balancer of the big clouds takes to leave a server out.
 */
export const readDrainMs = (env: Environment): number =>
  wholeNumber(env, 'DRAIN_MS', { from: 0, to: 300_000, otherwise: 1000 })

export interface MetricsConfig {
  /** Null: Prometheus reads nowhere. */
  readonly metricsPort: number | null
  /** This machine alone by itself, whatever HOST is: merchants' hosts must never answer with the figures of all of them. */
  readonly metricsHost: string
}

export const LOCAL_METRICS_HOST = '127.0.0.1'

export const readMetricsConfig = (
  env: Environment,
  taken: Readonly<Record<string, number | undefined>>,
): MetricsConfig => {
  const port = wholeNumber(env, 'METRICS_PORT', { from: 1, to: 65535, otherwise: null })
  const host = given(env, 'METRICS_HOST')
  if (port === null && host !== undefined)
    throw new Problem(`METRICS_HOST is "${host}", but METRICS_PORT is not set: set both, or neither for no metrics.`)
  const rival = Object.entries(taken).find(([, other]) => other === port)
  if (rival !== undefined)
    throw new Problem(`METRICS_PORT is ${port}, which ${rival[0]} is too: set one of them to another port.`)
  return { metricsPort: port, metricsHost: host ?? LOCAL_METRICS_HOST }
}
