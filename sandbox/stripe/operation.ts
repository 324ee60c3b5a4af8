/** Operation: what each call of the API works with, and the checks that several calls share. */
import { refused, type Answer } from './answers.ts'
import { unexpandableOf, type Kind } from './expand.ts'
import type { ObjectBodies } from './objects.ts'
import type { Store } from './store.ts'

export interface Operation {
  readonly store: Store
  readonly bodies: ObjectBodies
  readonly account: string
  /** Milliseconds, by the clock of the double. */
  readonly now: number
  /** A duration of the card table at the time scale of this sandbox. */
  scale(durationMs: number): number
}

export const secondsOf = (ms: number): number => Math.floor(ms / 1000)

/** Expand is checked strictly: an unknown path is refused (docs.stripe.com/expand). */
export const expandRefusal = (kind: Kind, expand: readonly string[]): Answer | undefined => {
  const path = unexpandableOf(kind, expand)
  if (path === undefined) return undefined
  return refused(400, `This property cannot be expanded (${path.slice(0, 100).replace(/\d{12,}/g, '…')}).`)
}

export const yen = (amount: number): string => `¥${amount.toLocaleString('en-US')}`
