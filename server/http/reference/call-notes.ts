/** Call notes: what the reference says about each call beside the contract, with an example of it. Total. */
import { checkoutNotes } from './checkout-notes.ts'
import type { MerchantCallName } from '#contract/access.ts'
import { linkNotes } from './link-notes.ts'
import { moneyNotes } from './money-notes.ts'
import type { CallNote } from './note.ts'
import { reportNotes } from './report-notes.ts'
import { shopNotes } from './shop-notes.ts'
import { webhookNotes } from './webhook-notes.ts'

/** A call without a note does not compile. */
export const CALL_NOTES: Readonly<Record<MerchantCallName, CallNote>> = {
  ...checkoutNotes,
  ...linkNotes,
  ...moneyNotes,
  ...reportNotes,
  ...shopNotes,
  ...webhookNotes,
}
