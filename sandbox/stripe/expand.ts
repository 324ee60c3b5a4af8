/** Expand: ids that a call wants answered as whole objects (`expand[]=latest_charge`). */

/** Which field of which object can be expanded, and into what. */
const expandable = {
  payment_intent: { latest_charge: 'charge', payment_method: 'payment_method' },
  charge: { payment_intent: 'payment_intent', refunds: 'refund' },
  refund: { charge: 'charge', payment_intent: 'payment_intent' },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  payment_method: {},
  balance: {},
} as const
export type Kind = keyof typeof expandable

export type Expand = readonly string[]

/** "Expansions have a maximum depth of four levels" (API reference, Expanding responses). */
const MAX_DEPTH = 4

/** The first path that cannot be expanded. */
export const unexpandableOf = (kind: Kind, expand: Expand): string | undefined =>
  expand.find((path) => {
    const fields = path.split('.')
    let at: Kind | undefined = kind
    for (const field of fields)
      at = at === undefined ? undefined : new Map<string, Kind>(Object.entries(expandable[at])).get(field)
    return at === undefined || fields.length > MAX_DEPTH
  })

export const isExpanded = (expand: Expand, field: string): boolean =>
  expand.some((path) => path === field || path.startsWith(`${field}.`))

export const below = (expand: Expand, field: string): Expand =>
  expand.flatMap((path) => (path.startsWith(`${field}.`) ? [path.slice(field.length + 1)] : []))
