/** Routes of the console's calls: whoever makes a call is checked before anything that it names is looked up. */
import type { Static, TSchema } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConsoleCall } from '#contract/console/calls.ts'
import type { FindingAnswer } from '#contract/console/operator.ts'
import { refusesNewPasskey, type ConsoleAccess } from '#contract/console/paths.ts'
import { hasRole, type Role } from '#contract/console/roles.ts'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { MERCHANT_HEADER } from '#contract/paths.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isMerchantLabel } from '../../origins.ts'
import { confirmationProblem, newPasskeyProblem } from '../../operations/people/passkeys.ts'
import type { ConsoleSettings } from '../../operations/people/links.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import { findMembership } from '../../store/people/memberships.ts'
import { sendRefusal } from '../errors.ts'
import { routeOf } from '../routes/contract-route.ts'
import type { TryLimits } from './try-limits.ts'
import { isFromConsole, type CheckSession, type SignedIn } from './session-check.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may make this call of the console. */
    console?: { readonly access: ConsoleAccess; readonly needsConfirmation: boolean }
  }
}

/** The checks of `doctor`. Each has its time limit, so that it always answers. */
export type RunDoctor = () => Promise<readonly FindingAnswer[]>

/** A shop that the person who calls belongs to. */
export interface ShopOfCall {
  readonly merchant: Merchant
  readonly role: Role
}

/** What every file of routes of the console is given. */
export interface ConsoleRouteOptions {
  readonly deps: Dependencies
  readonly runDoctor: RunDoctor
  readonly settings: ConsoleSettings
  readonly tries: TryLimits
  readonly checkSession: CheckSession
  /** Of a call that somebody makes who has signed in. */
  readonly signedInOf: (request: FastifyRequest) => SignedIn
  /** Of a call with the access viewer or owner. */
  readonly shopOf: (request: FastifyRequest) => ShopOfCall
}

/** Who makes a call; `anybody`: nobody has signed in. */
export interface CallerOfConsole {
  readonly signedIn: SignedIn | null
  readonly shop: ShopOfCall | null
}

/** An unknown shop gets the answer of a shop at which the person has no role: nobody learns which shops there are. */
const findShop = async (
  { database, findMerchant }: Dependencies,
  header: unknown,
  personId: string,
  needed: Role,
): Promise<ShopOfCall | Refusal> => {
  const merchant = typeof header === 'string' && isMerchantLabel(header) ? await findMerchant(header) : null
  const role = merchant === null ? null : await findMembership(database, merchant.id, personId)
  return merchant !== null && role !== null && hasRole(role, needed)
    ? { merchant, role }
    : refuse('role_not_allowed', { needed })
}

/** Who makes this call, or why it is refused. */
export const findCaller = async (
  deps: Dependencies,
  checkSession: CheckSession,
  request: FastifyRequest,
): Promise<CallerOfConsole | Refusal> => {
  if (!isFromConsole(request, deps.publicBase)) return refuse('not_from_the_console')
  const { console: needed } = request.routeOptions.config
  // An address that is none of the console's: what it answers is the same for everybody.
  if (needed === undefined || needed.access === 'anybody') return { signedIn: null, shop: null }
  const signedIn = await checkSession(request)
  if (isRefusal(signedIn)) return signedIn
  // Whoever reads a mailbox gets such a session; the page offers it nothing but to enrol a passkey.
  if (needed.access !== 'session' && signedIn.session.passkey === null) return refuse('passkey_needed')
  if (needed.access === 'operator' && !signedIn.person.isOperator)
    return refuse('role_not_allowed', { needed: 'operator' })
  const shop =
    needed.access === 'viewer' || needed.access === 'owner'
      ? await findShop(deps, request.headers[MERCHANT_HEADER], signedIn.person.id, needed.access)
      : null
  if (shop !== null && isRefusal(shop)) return shop
  const now = deps.clock.now()
  const tooNew = refusesNewPasskey({ ...needed, method: request.method })
    ? newPasskeyProblem(signedIn.session, now)
    : null
  const problem = tooNew ?? (needed.needsConfirmation ? confirmationProblem(signedIn.session, now) : null)
  return problem ?? { signedIn, shop }
}

type RequestOf<Path extends TSchema, Body extends TSchema, Query extends TSchema> = FastifyRequest<{
  Params: Static<Path>
  Body: Static<Body>
  Querystring: Static<Query>
}>

/** Adds the route of a call of the console. `handle` returns its answer or a refusal. */
export const answerConsoleCall = <Path extends TSchema, Body extends TSchema, Query extends TSchema>(
  app: FastifyInstance,
  { access, needsConfirmation, ...call }: ConsoleCall<Path, Body, TSchema> & { readonly query?: Query },
  handle: (request: RequestOf<Path, Body, Query>, reply: FastifyReply) => Promise<object>,
): void => {
  const { config, ...route } = routeOf({ ...call, lane: 'consoleCalls' })
  app.route<{ Params: Static<Path>; Body: Static<Body>; Querystring: Static<Query> }>({
    ...route,
    config: { ...config, console: { access, needsConfirmation } },
    handler: async (request, reply) => {
      const result = await handle(request, reply)
      return isRefusal(result) ? sendRefusal(reply, result) : reply.code(call.status).send(result)
    },
  })
}
