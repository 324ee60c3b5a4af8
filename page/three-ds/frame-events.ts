import type { ProviderMessage } from './messages.ts'

/** The hidden frames in which the card company looks at the browser. */
export interface CollectFrame {
  readonly orderCode: string
  readonly collectUrl: string
  readonly monitoringUrl: string
}

/** The frame in which the card company asks the shopper something. */
export interface ChallengeFrame {
  readonly orderCode: string
  readonly challengeUrl: string
  readonly monitoringUrl: string
}

/** What the frames of 3-D Secure tell the payment flow. */
export type FrameEvent =
  /** From one of our own frames, about its own order: the gate has let it through. */
  | { readonly event: 'message'; readonly message: ProviderMessage }
  | { readonly event: 'collect time over' }
  /** The polled monitor says that there is nothing left to wait for. */
  | { readonly event: 'result ready'; readonly orderCode: string }
  /** The shopper took the way out of a challenge, or its time is over. */
  | { readonly event: 'given up' }
