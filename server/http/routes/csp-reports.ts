/** Routes of CSP violation reports. */
import type { FastifyPluginAsync } from 'fastify'
import type { Log } from '../../log.ts'

const REPORT_LIMIT = 16 * 1024

const directiveOf = (body: unknown): string => {
  const found = /"(?:effective-directive|effectiveDirective)"\s*:\s*"([a-z-]{1,40})"/.exec(String(body))
  return found?.[1] ?? 'unknown'
}

/** Browsers tell here when something on a card page was blocked. Only the directive's name is kept of what they say. */
export const cspReportRoutes: FastifyPluginAsync<{ readonly log: Log }> = async (app, { log }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: REPORT_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/csp-report', async (request, reply) => {
    log.warn('a browser blocked something on a card page', { directive: directiveOf(request.body) })
    return reply.code(204).send()
  })
}
