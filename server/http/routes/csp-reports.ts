/** Routes of CSP violation reports: sampled, because anybody can send as many as they like. */
import type { FastifyPluginAsync } from 'fastify'
import { createSampler, type Log } from '../../log.ts'
import type { Elapsed } from '../../dependencies.ts'

const REPORT_LIMIT = 16 * 1024
/** No policy has more directives; the rest is counted as one. */
const DIRECTIVES_MAX = 40

const directiveOf = (body: unknown): string => {
  const found = /"(?:effective-directive|effectiveDirective)"\s{0,8}:\s{0,8}"([a-z-]{1,40})"/.exec(String(body))
  return found?.[1] ?? 'unknown'
}

interface CspReportOptions {
  readonly log: Log
  readonly elapsed: Elapsed
}

/** Browsers report here when something on a card page was blocked. Only the directive's name is kept. */
export const cspReportRoutes: FastifyPluginAsync<CspReportOptions> = async (app, { log, elapsed }) => {
  // A browser that blocks something reports it on every page.
  const isSampled = createSampler(elapsed)
  const known = new Set<string>()

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: REPORT_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/csp-report', { config: { lane: 'browserReports' } }, async (request, reply) => {
    const named = directiveOf(request.body)
    const directive = known.has(named) || known.size < DIRECTIVES_MAX ? named : 'unknown'
    known.add(directive)
    if (isSampled(directive)) log.warn('a browser blocked something on a card page', { directive })
    return reply.code(204).send()
  })
}
