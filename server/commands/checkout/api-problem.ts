/** API problem: why a call of the merchant API brought no answer, as one line that names the mend. */
import { COMMAND_NAMES } from '../../config/release.ts'
import { ERRORS } from '#contract/error-table.ts'
import { PROGRAM } from '../command.ts'

export type ApiProblem =
  /** The server has read the call and says no. */
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly message: string
      readonly params: Readonly<Record<string, string | number>>
      readonly requestId: string | null
    }
  /** Somebody has answered, but not in the words of the merchant API. */
  | { readonly kind: 'unreadable'; readonly status: number; readonly requestId: string | null }
  /** Nothing has left this machine. */
  | { readonly kind: 'not sent'; readonly why: string }
  /** It may have been carried out. */
  | { readonly kind: 'no answer'; readonly why: string }

const isServerFault = (status: number): boolean => status >= 500

/** Whether the call may have been carried out though nobody has said so. */
export const mayBeDone = (problem: ApiProblem): boolean => {
  switch (problem.kind) {
    case 'refused': {
      const known = Object.entries(ERRORS).find(([code]) => code === problem.code)
      return known === undefined || isServerFault(known[1].status)
    }
    case 'unreadable':
      return isServerFault(problem.status) || problem.status < 300
    case 'not sent':
      return false
    case 'no answer':
      return true
  }
}

type Params = Readonly<Record<string, string | number>>

const AGAIN = 'Run it again in a little while; the log of the server names the Request-Id.'

/** What helps in a terminal beside the words of the API. */
const MENDS: Readonly<Record<string, (params: Params) => string>> = {
  invalid_api_key: () =>
    `Set KAIKEI_KEY to a key of this server: ${PROGRAM} key list shows which work, key create makes one.`,
  key_not_allowed: ({ needed = 'full' }) =>
    `Set KAIKEI_KEY to one with that access: ${PROGRAM} key create --access ${needed} makes it.`,
  too_many_requests: ({ retryAfterSeconds = 1 }) => `Run it again after ${retryAfterSeconds} s.`,
  checkout_not_found: () =>
    `A key finds the checkouts of its own merchant and mode alone: ${PROGRAM} checkout list shows them.`,
  settings_changed: () => 'Somebody has changed them at this moment: run it again.',
  webhook_disabled: () => `${PROGRAM} webhook enable <webhook> does so.`,
  payment_in_progress: () => `${PROGRAM} checkout show tells how it ends.`,
  unavailable: () => AGAIN,
  system_error: () => AGAIN,
}

/** A sentence of the table speaks of `params.status`; here its value follows. */
const withParams = (message: string, params: Params): string =>
  message.replaceAll(/`params\.(\w+)`/g, (whole, name: string) =>
    params[name] === undefined ? whole : `${name} (${params[name]})`,
  )

const requestNote = (requestId: string | null): string => (requestId === null ? '' : ` Request-Id: ${requestId}`)

export const problemLine = (problem: ApiProblem, url: string): string => {
  switch (problem.kind) {
    case 'refused': {
      const { code, message, params, requestId } = problem
      const mend = MENDS[code]?.(params)
      return `${code}: ${withParams(message, params)}${mend === undefined ? '' : ` ${mend}`}${requestNote(requestId)}`
    }
    case 'unreadable':
      return `KAIKEI_URL is ${url}, which answers HTTP ${problem.status}, but not as a merchant API does: set it to the line merchant-api of ${COMMAND_NAMES.start}.${requestNote(problem.requestId)}`
    case 'not sent':
      return `KAIKEI_URL is ${url}, which cannot be reached (${problem.why}): start the server there, or set KAIKEI_URL to the line merchant-api of ${COMMAND_NAMES.start}.`
    case 'no answer':
      return `The server at KAIKEI_URL ${url} gave no answer (${problem.why}).`
  }
}
