/** 3-D Secure credentials of an account: the merchant's own id and token, or those of the configuration. */
import type { MerchantMode } from '#contract/access.ts'
import { isLoopback } from '#contract/loopback.ts'
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

const isOnThisMachine = (apiBase: string | null): boolean => apiBase !== null && isLoopback(new URL(apiBase).hostname)

/** `account` null: none was set, so this merchant has the sandbox's acquirer in test mode, and no other in live mode. */
export const threeDSCredentialsFor = (
  mode: MerchantMode,
  account: ThreeDSAccount | null,
  { threeDS: { server }, publicBase }: Pick<Config, 'threeDS' | 'publicBase'>,
): ThreeDSCredentials | { readonly problem: string } => {
  if (server === null) return { problem: 'no 3-D Secure server is configured' }
  const { merchantId, merchantToken } = server
  const configured = { merchantId, merchantToken }
  if (mode === 'test') return account?.own ?? configured
  if (account === null) return { problem: 'there is no live account' }
  if (server.isSandbox) {
    // It says of every card that its holder was authenticated: a real card may never be charged by its word.
    return isLoopback(publicBase.hostname) && isOnThisMachine(account.apiBase)
      ? (account.own ?? configured)
      : { problem: 'the sandbox authenticates no real cards' }
  }
  return account.own ?? { problem: 'the live account has no merchant id at the 3-D Secure server' }
}
