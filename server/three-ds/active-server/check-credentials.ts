/** ActiveServer, check: whether it knows a merchant by its id and token, without a card of anybody. */
import { mayRepeat, readEnrol } from './answers.ts'
import type { ThreeDSCredentials } from './three-ds-server.ts'
import type { Exchange, Send } from './transport.ts'

/** Published by card brands for tests: no bank has issued it. */
const TEST_NUMBER = '4242424242424242'

/**
 * Asks whether a test number is enrolled, which asks no issuer and is refused to a merchant that the server does not know.
 * Null: it knows the merchant. `isRefused`: it answered and said no; else it could not be asked. No fault holds id or token.
 */
export const credentialsFault = async (
  send: Send,
  apiUrl: URL,
  { merchantId, merchantToken }: ThreeDSCredentials,
  timeoutMs: number,
): Promise<{ readonly fault: string; readonly isRefused: boolean } | null> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const url = new URL('/api/v2/auth/enrol', apiUrl)
  const message = { method: 'POST', url, body: { acctNumber: TEST_NUMBER, merchantId }, merchantToken } as const
  const first: Exchange = await send(message, signal)
  const exchange = mayRepeat('POST', first) ? await send(message, signal) : first
  const answer = readEnrol(exchange)
  if (answer === undefined || answer.outcome !== 'unavailable') return null
  return { fault: answer.why, isRefused: exchange.ok && exchange.reply.status < 500 }
}
