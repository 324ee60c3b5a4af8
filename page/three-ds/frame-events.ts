/** Events from the 3-D Secure frames to the payment flow. */
import type { ProviderMessage } from './messages.ts'

/** Hidden collect frames: the card issuer collects facts about the browser. */
export interface CollectFrame {
  readonly orderCode: string
  readonly collectUrl: string
  readonly monitoringUrl: string
}

/** Challenge frame: the card issuer's own page. */
export interface ChallengeFrame {
  readonly orderCode: string
  readonly challengeUrl: string
  readonly monitoringUrl: string
}

export type FrameEvent =
  /** From one of our own frames, about its own order: `acceptMessage` has checked it. */
  | { readonly type: 'message'; readonly message: ProviderMessage }
  | { readonly type: 'collect timeout' }
  /** The polled monitor says that the challenge has its result. */
  | { readonly type: 'result ready'; readonly orderCode: string }
  /** The shopper went back from the frames, or the time limit of the challenge has passed. */
  | { readonly type: 'abandoned' }
