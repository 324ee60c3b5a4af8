/** Paths of the console's own calls: signing in, people, keys, the audit list and the operator's screens. All else is the merchant API. */
import type { CallPath } from '../paths.ts'

export const CONSOLE_BASE = '/console/v1'
/** Beside the header `Merchant`: which of its modes a call with a session is about. */
export const MODE_HEADER = 'mode'

/**
 * Who may make a call. `anybody`: nobody has signed in yet. `session`: also one that began by a link and has no passkey yet.
 * `person`: a session with a passkey. `viewer` and `owner`: also a shop, named by the header Merchant, at which the person has
 * at least this role. `operator`: of the installation.
 */
export type ConsoleAccess = 'anybody' | 'session' | 'person' | 'viewer' | 'owner' | 'operator'

export interface ConsoleRoute extends CallPath {
  readonly access: ConsoleAccess
  /** Whether it gives or takes access, or opens or closes a shop, so that the passkey must have been asked for within five minutes. */
  readonly needsConfirmation: boolean
}

/**
 * Whether a passkey that does not confirm yet after a recovery is refused, however lately it was asked for: by what gives or takes
 * access, and by whatever an operator does that is more than reading.
 */
export const refusesNewPasskey = ({
  access,
  method,
  needsConfirmation,
}: Pick<ConsoleRoute, 'access' | 'needsConfirmation'> & { readonly method: string }): boolean =>
  needsConfirmation || (access === 'operator' && method !== 'GET')

const free = (access: ConsoleAccess, method: CallPath['method'], path: string): ConsoleRoute => ({
  access,
  method,
  path,
  needsConfirmation: false,
})
const confirmed = (access: ConsoleAccess, method: CallPath['method'], path: string): ConsoleRoute => ({
  access,
  method,
  path,
  needsConfirmation: true,
})

export const CONSOLE_ROUTES = {
  // Signing in: a link by mail, or a passkey. A link is looked at first, and consumed by a second call.
  askForLink: free('anybody', 'POST', '/links'),
  readLink: free('anybody', 'POST', '/links/read'),
  consumeLink: free('anybody', 'POST', '/links/use'),
  beginSignIn: free('anybody', 'POST', '/sign-in'),
  finishSignIn: free('anybody', 'POST', '/sign-in/passkey'),

  // The person who has signed in.
  readSession: free('session', 'GET', '/session'),
  endSession: free('session', 'DELETE', '/session'),
  changePerson: free('person', 'PATCH', '/person'),
  listSessions: free('person', 'GET', '/sessions'),
  endOtherSession: free('person', 'DELETE', '/sessions/:sessionId'),
  beginConfirmation: free('session', 'POST', '/confirmation'),
  finishConfirmation: free('session', 'POST', '/confirmation/passkey'),
  listPasskeys: free('person', 'GET', '/passkeys'),
  // A session without a passkey enrols the first passkey, or one after a recovery; with one, the operation asks that it confirms.
  beginEnrolment: free('session', 'POST', '/passkeys/enrolment'),
  finishEnrolment: free('session', 'POST', '/passkeys'),
  removePasskey: confirmed('person', 'DELETE', '/passkeys/:passkeyId'),

  // The people of a shop.
  listPeople: free('viewer', 'GET', '/people'),
  invitePerson: confirmed('owner', 'POST', '/invitations'),
  withdrawInvitation: confirmed('owner', 'DELETE', '/invitations/:invitationId'),
  changeRole: confirmed('owner', 'PATCH', '/people/:personId'),
  removePerson: confirmed('owner', 'DELETE', '/people/:personId'),
  approvePasskey: confirmed('owner', 'POST', '/people/:personId/passkeys/:passkeyId/approve'),

  // API keys, and what people have changed.
  listKeys: free('owner', 'GET', '/keys'),
  createKey: confirmed('owner', 'POST', '/keys'),
  rollKey: confirmed('owner', 'POST', '/keys/:keyId/roll'),
  revokeKey: confirmed('owner', 'POST', '/keys/:keyId/revoke'),
  listAudit: free('owner', 'GET', '/audit'),

  // The operator of the installation.
  listShops: free('operator', 'GET', '/operator/shops'),
  openShop: confirmed('operator', 'POST', '/operator/shops'),
  closeShop: confirmed('operator', 'POST', '/operator/shops/:label/close'),
  reopenShop: confirmed('operator', 'POST', '/operator/shops/:label/reopen'),
  listDoubts: free('operator', 'GET', '/operator/doubts'),
  listOutbox: free('operator', 'GET', '/operator/outbox'),
  retryOutbox: free('operator', 'POST', '/operator/outbox/retry'),
  listSetAside: free('operator', 'GET', '/operator/set-aside'),
  decideSetAside: free('operator', 'POST', '/operator/set-aside'),
  runDoctor: free('operator', 'POST', '/operator/doctor'),
  listInstallationAudit: free('operator', 'GET', '/operator/audit'),
} as const satisfies Record<string, ConsoleRoute>

export type ConsoleCallName = keyof typeof CONSOLE_ROUTES
