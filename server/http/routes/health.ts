/** Routes of health and readiness. */
import type { FastifyPluginAsync } from 'fastify'
import type { Parts } from '../../parts.ts'

/** `healthz`: this process runs. `readyz`: it can also reach its database, so traffic may come. */
export const healthRoutes: FastifyPluginAsync<{ readonly parts: Parts }> = async (app, { parts }) => {
  app.get('/healthz', async (_request, reply) => reply.send({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    try {
      await parts.database.rows('SELECT 1 AS ready')
      return await reply.send({ status: 'ready', database: parts.database.version })
    } catch {
      return reply.code(503).send({ status: 'not ready', database: 'unreachable' })
    }
  })
}
