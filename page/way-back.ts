/** The address that led to the server error page is kept with the history entry, so that a reload does not lose it. */
export const wayBack = (address: string): { readonly back: string } => ({ back: address })

/** Only a path of this very host: whatever else stands in the history entry is not ours. */
export const readWayBack = (state: unknown): string | undefined => {
  if (typeof state !== 'object' || state === null || !('back' in state)) return undefined
  return typeof state.back === 'string' && /^\/(?!\/)/.test(state.back) ? state.back : undefined
}
