/** Configuration of the demo shops: whether they are opened, and with which key. */
import { API_KEY } from '#contract/access.ts'
import { isLoopback } from '#contract/loopback.ts'
import { given, isProduction, oneOf, Problem, type Environment } from './readers.ts'
import type { SandboxConfig } from './sandbox.ts'
import type { ThreeDSConfig } from './three-ds.ts'

export interface DemoConfig {
  /** Null: made once and kept. */
  readonly merchantKey: string | null
  /** Whether a second shop takes live payments at the sandbox's double of Stripe. */
  readonly isLiveAtStripe: boolean
}

interface Surroundings {
  readonly publicBase: URL
  readonly sandbox: Pick<SandboxConfig, 'origin'> | null
  readonly threeDS: ThreeDSConfig
}

/** Live mode without real money: only where shopper, acquirer and 3-D Secure server are all on this machine. */
const readsLiveDemo = (
  env: Environment,
  isOpened: boolean,
  { publicBase, sandbox, threeDS: { server } }: Surroundings,
): boolean => {
  if (oneOf(env, 'DEMO_LIVE', ['off', 'stripe'], 'off') === 'off') return false
  const refused = (why: string): Problem =>
    new Problem(`DEMO_LIVE is stripe, but ${why}: it opens a shop that pretends, for a start on this machine alone.`)
  if (sandbox === null) throw refused('SANDBOX is off, which has the double of Stripe')
  if (!isLoopback(new URL(sandbox.origin).hostname))
    throw refused(`SANDBOX_URL is ${sandbox.origin}, which is not this machine`)
  if (!isOpened) throw refused('the demo is off (DEMO)')
  if (!isLoopback(publicBase.hostname)) throw refused(`PUBLIC_BASE is ${publicBase.origin}, which is not this machine`)
  if (server?.isSandbox !== true) throw refused('THREE_DS_API_URL names a 3-D Secure server beside the sandbox')
  return true
}

export const readDemoConfig = (env: Environment, surroundings: Surroundings): DemoConfig | null => {
  const usual = surroundings.sandbox !== null && !isProduction(env) ? 'on' : 'off'
  const isOpened = oneOf(env, 'DEMO', ['on', 'off'], usual) === 'on'
  const isLiveAtStripe = readsLiveDemo(env, isOpened, surroundings)
  if (!isOpened) return null
  const merchantKey = given(env, 'DEMO_MERCHANT_KEY') ?? null
  if (merchantKey !== null && !(merchantKey.startsWith('sk_test_') && API_KEY.test(merchantKey))) {
    throw new Problem('DEMO_MERCHANT_KEY must be sk_test_ followed by 16 to 64 letters and digits.')
  }
  return { merchantKey, isLiveAtStripe }
}
