/** 3-D Secure port: the 3-D Secure server, as the rules use it. */
import type { Instant } from '#contract/jst.ts'
import type { BrowserFacts, Verdict } from './authentication-verdict.ts'
import type { Card } from './ports.ts'
import type { AccountRef } from './references.ts'

/** The 3-D Secure server's ids of one authentication. We store them with the order code and send them back unread. */
export interface ThreeDSSession {
  readonly requestorTransId: string
  readonly serverTransId: string
  readonly authUrl: string
  /** Known once a challenge was asked for. */
  readonly challenge: {
    readonly monitorUrl: string | null
    readonly dsTransId: string | null
    readonly messageVersion: string | null
  } | null
}

/** No usable answer: nothing is known about the card holder, and nothing was charged. */
export interface ThreeDSUnavailable {
  readonly outcome: 'unavailable'
  readonly why: string
}

/** The account names whose id and token the 3-D Secure server is given. */
export interface ThreeDSOrder extends AccountRef {
  readonly orderCode: string
  readonly card: Card
  /** The address to which the server's pages send the browser with their events. */
  readonly eventUrl: string
}

export type ThreeDSStart =
  | {
      readonly outcome: 'started'
      readonly session: ThreeDSSession
      /** The server's page that collects facts about the browser; null when it wants none. */
      readonly collectUrl: string | null
      /** The server's page that reports when collecting takes too long. */
      readonly watchUrl: string | null
    }
  | { readonly outcome: 'not_enrolled' }
  | ThreeDSUnavailable

export interface ThreeDSRequest extends AccountRef {
  readonly session: ThreeDSSession
  readonly card: Card
  readonly amountYen: number
  readonly merchantName: string
  readonly purchasedAt: Instant
  /** The issuer must challenge the card holder. */
  readonly isChallengeMandatory: boolean
  /** What the server's own page collected, in its own format; null: `browser` is sent instead. */
  readonly collected: string | null
  readonly browser: BrowserFacts
}

export type ThreeDSAnswer =
  | { readonly outcome: 'decided'; readonly verdict: Verdict }
  | { readonly outcome: 'challenge'; readonly session: ThreeDSSession; readonly challengeUrl: string }
  | ThreeDSUnavailable

export type ThreeDSResult =
  | { readonly outcome: 'decided'; readonly verdict: Verdict }
  | { readonly outcome: 'pending' }
  | ThreeDSUnavailable

/** The hint of an event that came through the browser. Anybody can forge one, so it never decides anything. */
export type ThreeDSEvent =
  | { readonly hint: 'collected'; readonly collected: string | null }
  | { readonly hint: 'result ready' }
  | { readonly hint: 'nothing' }
  | { readonly hint: 'unknown'; readonly name: string }

export interface ThreeDSServer {
  start(order: ThreeDSOrder): Promise<ThreeDSStart>
  /** Reads an event's form fields. An event of another session is no hint. */
  event(session: ThreeDSSession, form: ReadonlyMap<string, string>): ThreeDSEvent
  /** At most once for a session: the issuer is asked here. */
  authenticate(request: ThreeDSRequest): Promise<ThreeDSAnswer>
  /** How a challenge ended. */
  result(session: ThreeDSSession, account: AccountRef): Promise<ThreeDSResult>
  /** Tells the server that a challenge was abandoned, before or after its page was shown. Never fails. */
  abandon(session: ThreeDSSession, challenge: 'not shown' | 'shown', account: AccountRef): Promise<void>
}
