/** Shared app: the real app serves one simulated world after another, because building it takes longer than a small run. */
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../../server/dependencies.ts'
import type { Log } from '../../server/log.ts'
import { silentLog } from '../harness/silent-log.ts'
import { createTestApp } from '../harness/test-server.ts'
import { NO_LANE_LIMITS } from '../harness/no-limits.ts'

let current: (() => Dependencies) | null = null

/** Of the server that handles the request, in the world that runs. */
const currentDependencies = (): Dependencies => {
  if (current === null) throw new Error('no world is running')
  return current()
}

/** The app keeps this one log for as long as it lives. */
const log: Log = {
  ...silentLog,
  warn: (...args) => currentDependencies().log.warn(...args),
  error: (...args) => currentDependencies().log.error(...args),
  alarm: (...args) => currentDependencies().log.alarm(...args),
}

/** Each dependency is read anew from the server that runs at that moment. */
const dependenciesOfCurrentWorld = (first: Dependencies): Dependencies => {
  const deps = { ...first }
  for (const name of Object.keys(first))
    Object.defineProperty(deps, name, {
      get: (): unknown => (name === 'log' ? log : Reflect.get(currentDependencies(), name)),
    })
  return deps
}

let app: Promise<FastifyInstance> | null = null

/** `callingServer`: what the server has that handles the request. */
export const serveWorld = async (
  callingServer: () => Dependencies,
): Promise<{ readonly app: FastifyInstance; end(): void }> => {
  if (current !== null) throw new Error('worlds run one after another')
  current = callingServer
  app ??= createTestApp(dependenciesOfCurrentWorld(callingServer()), null, { lanes: NO_LANE_LIMITS })
  return {
    app: await app,
    end: () => {
      current = null
    },
  }
}
