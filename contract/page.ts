/** Page data: what the server inlines into the document, and what drawing the page gives back. */
import type { CheckoutAnswer } from './checkout.ts'
import type { Instant } from './jst.ts'
import type { PageLocale } from './locale.ts'

/** What the operator sets for the footer. All items always stand; an unset badge gets neutral wording. `{locale}` in an address becomes the page's language. */
export interface FooterFacts {
  readonly aboutUrl: string
  readonly privacyUrl: string
  readonly badgeText: string | null
}

/** How the page meets 3-D Secure: whose messages it hears, and how long it waits for them. */
export interface ThreeDSFacts {
  /** Origins, two at most: a message counts from one of them or from a host below it, scheme and port equal. */
  readonly messageDomains: readonly string[]
  /** After this long in `collecting` the authentication goes on without the issuer's facts. */
  readonly collectLimitMs: number
  readonly challengeLimitMs: number
  /** When an open challenge offers a word of help. */
  readonly challengeHelpMs: number
}

/** What the page waits for at most; the specification names no limits of its own. */
export const THREE_DS_LIMITS = {
  collectLimitMs: 15_000,
  challengeLimitMs: 630_000,
  challengeHelpMs: 30_000,
} as const satisfies Omit<ThreeDSFacts, 'messageDomains'>

/** What a preview is told, because its link may have been made by a stranger. */
export interface PreviewFacts {
  /** Scheme, host and port of the preview: over plain http it shows pictures from there alone. */
  readonly origin: string
  /** The language of the visitor's browser. The page's own is chosen by whoever made the link. */
  readonly visitorLocale: PageLocale
}

/** Whose page it is, where that is known and no checkout is shown. */
export type ShopFacts = Pick<CheckoutAnswer, 'merchant' | 'receipt'>

/** What the server says to the page inside the document, so that opening a link needs no further call. */
export interface InlinedData {
  readonly checkout: CheckoutAnswer | null
  readonly locale: PageLocale
  /** The server's clock when the page was drawn: a shopper's own may be wrong, and expiry is judged by Japan's month. */
  readonly now: Instant
  /** Multiplies the page's timers; 1 except in a sandbox that is in a hurry. */
  readonly timeScale: number
  readonly threeDS: ThreeDSFacts
  readonly footer: FooterFacts
  /** Whether shoppers are sent mails: until they are, no screen may promise one. */
  readonly sendsMail: boolean
  readonly release: string
  /** Of an error page on the host of a shop. */
  readonly shop?: ShopFacts
  /** Of a preview alone. */
  readonly preview?: PreviewFacts
}

/** All that stands in the document: also which screen was drawn there, so that the page begins with the same one. */
export interface DocumentData extends InlinedData {
  /** The drawn address's path: `/404`, `/500`, `/preview` or `/{checkoutId}/{screen}`. */
  readonly drawnPath: string
}

/** The address a document was drawn for, as the page's router needs it. */
export interface PageAddress {
  readonly path: string
  readonly search: string
}

/** What decides which rules of the style a drawing needs: the classes and languages of its elements. */
export interface DrawnStyle {
  readonly classes: ReadonlySet<string>
  readonly languages: ReadonlySet<string>
}

/** What the page's renderer gives for the server's document. */
export interface Rendered {
  readonly html: string
  /** Of the page and of the failure notice. */
  readonly drawn: DrawnStyle
  readonly title: string
  /** What the watchdog shows when the page's script fails. */
  readonly failureNotice: string
  /** The merchant's colours as CSS custom properties: they travel in a nonced <style>, never in a style attribute. */
  readonly theme: string
}

export type RenderPage = (address: PageAddress, inlined: InlinedData) => Promise<Rendered>
