/** 3-D Secure credentials of an account: the merchant's own id and token, or those of the configuration. */
import type { MerchantMode } from '#contract/access.ts'
import { isLoopback, isOnThisMachine } from '#contract/loopback.ts'
import type { Config } from '../config/config.ts'
import type { ThreeDSCredentials } from './active-server/three-ds-server.ts'

/** What an account says of 3-D Secure. */
export interface ThreeDSAccount {
  readonly mode: MerchantMode
  /** The acquirer's address; null: the acquirer's own. */
  readonly apiBase: string | null
  /** The merchant's own at the 3-D Secure server; null: it has none. */
  readonly own: ThreeDSCredentials | null
}

/** Why no card can be authenticated in the name of an account, and how to mend it. */
export interface NoThreeDSCredentials {
  readonly problem: string
  readonly mend: string
}

const none = (problem: string, mend: string): NoThreeDSCredentials => ({ problem, mend })

/** `account` null: none was set, so this merchant has the sandbox's acquirer in test mode, and no other in live mode. */
export const threeDSCredentialsFor = (
  mode: MerchantMode,
  account: ThreeDSAccount | null,
  { threeDS: { server }, publicBase }: Pick<Config, 'threeDS' | 'publicBase'>,
): ThreeDSCredentials | NoThreeDSCredentials => {
  if (server === null) return none('no 3-D Secure server is configured', 'set THREE_DS_API_URL and what belongs to it.')
  const { merchantId, merchantToken } = server
  const configured = { merchantId, merchantToken }
  if (mode === 'test') return account?.own ?? configured
  if (account === null) return none('there is no live account', 'set one: acquirer set.')
  if (server.isSandbox) {
    // It says of every card that its holder was authenticated: a real card may never be charged by its word.
    return isLoopback(publicBase.hostname) && isOnThisMachine(account.apiBase)
      ? (account.own ?? configured)
      : none(
          'the sandbox authenticates no real cards',
          'set THREE_DS_API_URL and what belongs to it to a real 3-D Secure server.',
        )
  }
  return (
    account.own ??
    none(
      'the live account has no merchant id at the 3-D Secure server',
      'set the account again with --three-ds-merchant-id and, if there is one, --three-ds-token-file.',
    )
  )
}
