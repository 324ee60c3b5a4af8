/** API key: which account and mode a call is for, and what the key may do. */
import { createHash } from 'node:crypto'
import { refused, type Answer } from './answers.ts'

export type Permission = 'payment_intents' | 'payment_methods' | 'refunds' | 'charges' | 'disputes' | 'balance'

type ApiKey =
  | {
      readonly kind: 'key'
      readonly account: string
      /** The account may send card numbers (support.stripe.com, "Enabling access to raw card data APIs"). */
      readonly maySendCardNumbers: boolean
      may(permission: Permission): boolean
    }
  | { readonly kind: 'refused'; readonly answer: Answer }

const BEARER = /^Bearer ((?:sk|rk)_(test|live)_\w{8,200})$/

const unauthorised = (message: string): ApiKey => ({ kind: 'refused', answer: refused(401, message) })

/** The key itself is never kept: the account is its hash, with the mode before it. */
const accountOf = (key: string, mode: string): string =>
  `${mode}_${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`

export const isLive = (account: string): boolean => account.startsWith('live_')

export const readApiKey = (header: string | undefined): ApiKey => {
  if (header === undefined) return unauthorised('You did not provide an API key, in the Authorization header.')
  const [, key = '', mode = ''] = BEARER.exec(header) ?? []
  if (key === '' || key.includes('_revoked')) return unauthorised('Invalid API Key provided.')
  return {
    kind: 'key',
    account: accountOf(key, mode),
    maySendCardNumbers: !key.includes('_no_raw_card_data'),
    // A secret key may do everything; a restricted key what its owner has allowed (docs.stripe.com/keys).
    may: (permission) => !(key.startsWith('rk_') && key.includes(`_no_${permission}`)),
  }
}
