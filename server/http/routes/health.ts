/** Routes of health and readiness. */
import type { FastifyPluginAsync } from 'fastify'
import { RETRY_AFTER_SECONDS } from '../limits/load-shedding.ts'
import type { Dependencies } from '../../dependencies.ts'

interface HealthOptions {
  readonly deps: Dependencies
  readonly isDraining: () => boolean
}

const health = { config: { lane: 'health' } } as const

/** `healthz`: this process runs. `readyz`: a payment could be written down, and the server is not stopping: traffic may come. */
export const healthRoutes: FastifyPluginAsync<HealthOptions> = async (app, { deps, isDraining }) => {
  app.get('/healthz', health, async (_request, reply) => reply.send({ status: 'ok' }))

  app.get('/readyz', health, async (_request, reply) => {
    if (!isDraining() && (await deps.writeProbe.takesWrites())) return reply.send({ status: 'ready' })
    return reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)).send({ status: 'not ready' })
  })
}
