/** Answer fields: how an instant is written in an answer, and how a field is left out of it. */
import type { Instant } from './jst.ts'

export const iso = (instant: Instant): string => new Date(instant).toISOString()

/** A field that is not set is left out of the answer, not sent as null. */
export const when = <V, T extends object>(value: V | null, field: (value: V) => T): T | undefined =>
  value === null ? undefined : field(value)
