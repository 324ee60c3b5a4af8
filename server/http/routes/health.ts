/** Routes of health and readiness. */
import type { FastifyPluginAsync } from 'fastify'
import { RETRY_AFTER_SECONDS } from '../load-shedding.ts'
import type { Parts } from '../../parts.ts'

/** `healthz`: this process runs. `readyz`: a payment could be written down, so traffic may come. */
export const healthRoutes: FastifyPluginAsync<{ readonly parts: Parts }> = async (app, { parts }) => {
  app.get('/healthz', async (_request, reply) => reply.send({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    if (await parts.writeProbe.takesWrites()) return reply.send({ status: 'ready' })
    return reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)).send({ status: 'not ready' })
  })
}
