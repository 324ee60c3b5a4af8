/** Note: what the reference says about one call beside the contract. */
import type { Json } from './json.ts'

/** Groups of calls in the order in which the reference shows them, with what each is about. */
export const GROUPS = {
  Checkouts: 'A checkout is one invoice in yen with a link, which its shopper pays once.',
  'Reusable links': 'A reusable link is one address that opens a fresh checkout for each visitor.',
  Refunds: 'Money that goes back to the card that paid.',
  Webhooks: 'How your own server hears of every payment, refund and failure.',
  Reports: 'What was charged and given back, by day in Japan.',
  Shop: 'Your key, and how your page looks.',
} as const
export type Group = keyof typeof GROUPS

/** An example call as data: its texts in curl, TypeScript and PHP are drawn of it, so that they cannot differ. */
export interface Example {
  /** Values in the path. One that begins with $ is a variable of the environment. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  /** The file that is sent as the body. */
  readonly upload?: { readonly name: string; readonly type: string }
  /** The file that the answer is saved to, where it is no JSON. */
  readonly saveAs?: string
  /** How the checkout $CHECKOUT_ID stands. */
  readonly checkout?: 'open' | 'paid'
  /** An answer as it may come: JSON, or the text of a file. */
  readonly answer: Json
}

export interface CallNote {
  readonly group: Group
  /** Paragraphs are lines; one that begins with "- " is an item of a list. `code` stands in backticks. */
  readonly description: string
  /** What the answer is, in a few words. */
  readonly answers: string
  /** Headers that only this call answers with. */
  readonly answerHeaders?: Readonly<Record<string, string>>
  readonly example: Example
}
