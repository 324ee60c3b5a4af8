/** Session of a call: whether the console's own page has made it, and who has signed in there. */
import type { FastifyRequest } from 'fastify'
import { refuse, type Refusal } from '#contract/errors.ts'
import { isSessionOver } from '#payment/person-session.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { SignedInPerson } from '../../operations/people/passkeys.ts'
import { consoleOrigin } from '../../origins.ts'
import { hashToken } from '../../store/people/people.ts'
import { findSession, saveSessionUse } from '../../store/people/sessions.ts'
import { readHost } from '../hosts.ts'
import { createUseNote } from '../last-use.ts'
import { readCookie } from './cookies.ts'

export type SignedIn = SignedInPerson

export type CheckSession = (request: FastifyRequest) => Promise<SignedIn | Refusal>

/**
 * Whether the console's own page makes the call. The hosts of merchants are of the same site, so that a browser sends the
 * session from them too: only `same-origin` tells them apart. A browser that does not tell sends its Origin with every POST.
 */
export const isFromConsole = ({ headers }: FastifyRequest, base: URL): boolean => {
  if (readHost(headers.host, base).host !== 'console') return false
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === consoleOrigin(base) : site === 'same-origin'
}

/** Who makes a call, or why nobody: not from the console's page, no session, or one that is over. A session is read for each call and never kept. */
export const createSessionCheck = ({
  database,
  clock,
  publicBase,
}: Pick<Dependencies, 'database' | 'clock' | 'publicBase'>): CheckSession => {
  const noteUse = createUseNote((hash, now) => saveSessionUse(database, hash, now))
  return async (request) => {
    if (!isFromConsole(request, publicBase)) return refuse('not_from_the_console')
    const token = readCookie(request, 'session', publicBase)
    const found = token === null ? null : await findSession(database, hashToken(token))
    const now = clock.now()
    // One answer for all reasons: the caller does not learn whether the session ever was.
    if (found === null || isSessionOver(found.session, now)) return refuse('signed_out')
    noteUse(found.session, now)
    return found
  }
}
