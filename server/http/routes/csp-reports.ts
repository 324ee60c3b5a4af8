/** Routes of CSP violation reports: sampled, because anybody can send as many as they like. */
import type { FastifyPluginAsync } from 'fastify'
import { createSampler, type Log } from '../../log.ts'
import type { Elapsed } from '../../dependencies.ts'

const REPORT_LIMIT = 16 * 1024
/** The directives that a browser can report (CSP 3): a name of anybody's own would be a line of the log. */
const DIRECTIVES: readonly string[] =
  `default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr img-src font-src connect-src
  media-src object-src child-src frame-src worker-src manifest-src prefetch-src fenced-frame-src base-uri form-action
  frame-ancestors navigate-to sandbox plugin-types webrtc trusted-types require-trusted-types-for upgrade-insecure-requests
  block-all-mixed-content`.split(/\s+/)

const directiveOf = (body: unknown): string => {
  const found = /"(?:effective-directive|effectiveDirective)"\s{0,8}:\s{0,8}"([a-z-]{1,40})"/.exec(String(body))
  return DIRECTIVES.find((directive) => directive === found?.[1]) ?? 'unknown'
}

interface CspReportOptions {
  readonly log: Log
  readonly elapsed: Elapsed
}

/** Browsers report here when something on a card page was blocked. Only the directive's name is kept. */
export const cspReportRoutes: FastifyPluginAsync<CspReportOptions> = async (app, { log, elapsed }) => {
  // A browser that blocks something reports it on every page.
  const isSampled = createSampler(elapsed)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: REPORT_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/csp-report', { config: { lane: 'browserReports' } }, async (request, reply) => {
    const directive = directiveOf(request.body)
    if (isSampled(directive)) log.warn('a browser blocked something on a card page', { directive })
    return reply.code(204).send()
  })
}
