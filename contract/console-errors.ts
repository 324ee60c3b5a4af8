/** Error codes of the console: who has signed in, what they may do, and what they have asked for. */

export const CONSOLE_ERRORS = {
  signed_out: {
    type: 'console',
    status: 401,
    message: 'Nobody has signed in, or the session has ended. Sign in again.',
  },
  not_from_the_console: {
    type: 'console',
    status: 403,
    message: 'A call with a session is taken from the console’s own page alone.',
  },
  role_not_allowed: {
    type: 'console',
    status: 403,
    message: 'Your role at this shop does not allow this: it needs the role that `params.needed` names.',
  },
  passkey_needed: {
    type: 'console',
    status: 403,
    message: 'Confirm with your passkey first, then send the same call again.',
  },
  passkey_too_new: {
    type: 'console',
    status: 403,
    message:
      'This passkey was enrolled after a recovery. It confirms from `params.until` on, or when another owner has approved it.',
  },
  link_not_usable: {
    type: 'console',
    status: 422,
    message: 'This link has been used, has ended, or was asked for in another browser. Ask for a new one.',
  },
  passkey_refused: {
    type: 'console',
    status: 422,
    message: 'This passkey was not accepted. Try again, or ask for a link by mail.',
  },
  last_owner: {
    type: 'console',
    status: 409,
    message: 'A shop keeps at least one owner. Make another person an owner first.',
  },
  last_passkey: {
    type: 'console',
    status: 409,
    message: 'A person keeps at least one passkey. Enrol another one first.',
  },
  too_many_passkeys: {
    type: 'console',
    status: 409,
    message: 'There are as many passkeys as there may be. Remove one first; `params.most` says how many there may be.',
  },
  already_a_member: {
    type: 'console',
    status: 409,
    message: 'This address belongs to a person of this shop already. Change the role instead.',
  },
  too_many_people: {
    type: 'console',
    status: 409,
    message:
      'There are as many people and invitations as there may be. Remove one first; `params.most` says how many there may be.',
  },
  approval_not_allowed: {
    type: 'console',
    status: 403,
    message:
      'Only another person who owns every shop of this person can approve the passkey. It confirms by itself later.',
  },
  too_many_tries: {
    type: 'console',
    status: 429,
    message: 'There were too many tries. Try again after `params.retryAfterSeconds`.',
  },
  person_not_found: { type: 'console', status: 404, message: 'There is no such person, passkey or session.' },
  key_not_found: { type: 'console', status: 404, message: 'There is no such API key.' },
  too_many_keys: {
    type: 'console',
    status: 409,
    message:
      'There are as many API keys as there may be, those of the last day among them. `params.most` says how many there may be.',
  },
  shop_closed: { type: 'console', status: 403, message: 'This shop is closed. An operator can reopen it.' },
  shop_not_live: {
    type: 'console',
    status: 403,
    message: 'This shop has no account at an acquirer that has passed its check: it cannot take real money yet.',
  },
  shop_not_found: { type: 'console', status: 404, message: 'There is no such shop.' },
  label_taken: { type: 'console', status: 409, message: 'There is a shop with this label. Choose another one.' },
  nothing_to_retry: {
    type: 'console',
    status: 404,
    message: 'Nothing of this id waits or has failed. Read the list again.',
  },
} as const
