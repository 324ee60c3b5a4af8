/** Dependencies: everything an operation needs of the world; tests and the simulator hand in others. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MerchantMode } from '#contract/access.ts'
import type { CardNumber } from '#payment/card-number.ts'
import type { CardTestingLimits } from '#payment/card-testing.ts'
import type { ClockCheck } from '#payment/clock.ts'
import type { TakenCards } from '#payment/start-payment.ts'
import type { CardHold, Clock, Gateway, Random } from '#payment/ports.ts'
import type { AccountRef } from '#payment/references.ts'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'
import type { Sealing } from './config/sealed.ts'
import { randomId } from './ids.ts'
import type { Log } from './log.ts'
import type { ShopVelocity } from './store/checkout/shop-velocity.ts'
import type { Database } from './store/engine/database.ts'
import type { WriteProbe } from './store/engine/write-probe.ts'
import type { KeyScope } from './store/merchant/keys.ts'
import type { RecentMerchants } from './store/merchant/recent-merchants.ts'
import type { ReadWebhookAddress } from './webhooks/read-address.ts'
import type { SendWebhook } from './webhooks/send-webhook.ts'
import type { WebhookSecret } from './webhooks/signature.ts'

/** An account at an acquirer, with the merchants and modes whose money it moves. */
export interface AcquirerAccount {
  readonly gateway: Gateway
  readonly scopes: readonly KeyScope[]
}

/** The accounts at acquirers. */
export interface Gateways {
  /** The account of a merchant in a mode. */
  of(scope: KeyScope): Promise<Gateway>
  /** Which numbers may be sent to that account. */
  takenCards(scope: KeyScope): Promise<TakenCards>
  /** All accounts, for reconciliation and recovery. */
  accounts(): Promise<readonly AcquirerAccount[]>
}

/** Everything the server's own rules need of the world. Tests and the simulator hand in others. */
export interface Dependencies {
  readonly database: Database
  readonly writeProbe: WriteProbe
  /** By its label; what it answers may be a second old. */
  readonly findMerchant: RecentMerchants
  readonly gateways: Gateways
  readonly threeDSServer: ThreeDSServer
  readonly cardHold: CardHold
  readonly clock: Clock
  /** While it is not confirmed, nothing is deleted, nothing expires and no mail is sent. */
  readonly clockCheck: ClockCheck
  /** For how long to wait: a clock that is set back must not make a call hang. */
  readonly elapsed: Elapsed
  readonly random: Random
  readonly log: Log
  readonly gatewayTimeoutMs: number
  readonly cardTestingLimits: Readonly<Record<MerchantMode, CardTestingLimits>>
  readonly cardFingerprint: (number: CardNumber) => string
  /** Tells a card from others at one shop, and leads to nothing else. */
  readonly cardMark: (number: CardNumber, shop: AccountRef) => string
  /** In memory: how many cards more may be asked about at a shop without a challenge. */
  readonly shopVelocity: ShopVelocity
  /** How long every decline takes at least. */
  readonly minimumDeclineMs: number
  /** MACs of what a passkey is asked to sign, one by each secret key, the current one first. */
  readonly challengeMacs: (text: string) => readonly Buffer[]
  /** The token of a link that is mailed, by the hash of the link: derived, so that none is stored. */
  readonly mailedToken: (linkHash: string) => string
  /** By the secret keys at hand: the current one seals. */
  readonly sealing: Sealing
  /** Secrets of webhooks are derived, so that none is stored. */
  readonly webhookSecret: WebhookSecret
  /** The id of the secret key that new secrets of webhooks are derived from. */
  readonly webhookKeyId: string
  readonly sendWebhook: SendWebhook
  /** An address as it is stored, or why no webhook may go there. */
  readonly readWebhookAddress: ReadWebhookAddress
  /** The public base address: shops and the bridge are below it. */
  readonly publicBase: URL
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms) => {
    await sleep(ms)
  },
}

/** Milliseconds that have passed, by a clock that nobody can set. */
export type Elapsed = () => number

export const systemElapsed: Elapsed = () => performance.now()

export const systemRandom: Random = { id: randomId }
