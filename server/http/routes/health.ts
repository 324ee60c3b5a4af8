/** Routes of health and readiness. */
import type { FastifyPluginAsync } from 'fastify'
import { RETRY_AFTER_SECONDS } from '../load-shedding.ts'
import type { Parts } from '../../parts.ts'
import { takesWrites } from '../../store/write-probe.ts'

/** Anybody may ask: the database is written to at most once in this time. */
const READINESS_CACHE_MS = 2000

interface HealthOptions {
  readonly parts: Parts
  readonly isDraining: () => boolean
}

const health = { config: { lane: 'health' } } as const

/** `healthz`: this process runs. `readyz`: a payment could be written down, and the server is not stopping: traffic may come. */
export const healthRoutes: FastifyPluginAsync<HealthOptions> = async (app, { parts, isDraining }) => {
  let checked: { readonly at: number; readonly isReady: Promise<boolean> } | undefined

  const isReady = (): Promise<boolean> => {
    const now = parts.elapsed()
    if (checked === undefined || now - checked.at >= READINESS_CACHE_MS)
      checked = { at: now, isReady: takesWrites(parts.database) }
    return checked.isReady
  }

  app.get('/healthz', health, async (_request, reply) => reply.send({ status: 'ok' }))

  app.get('/readyz', health, async (_request, reply) => {
    if (!isDraining() && (await isReady())) return reply.send({ status: 'ready' })
    return reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)).send({ status: 'not ready' })
  })
}
