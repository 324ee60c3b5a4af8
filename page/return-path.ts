/** Return path: the server error page keeps in its history entry which page failed, so that a reload can offer it again. */
export const returnPathState = (path: string): { readonly back: string } => ({ back: path })

/** Only a path on this host: another site may have written anything else into the history entry. */
export const readReturnPath = (state: unknown): string | undefined => {
  if (typeof state !== 'object' || state === null || !('back' in state)) return undefined
  return typeof state.back === 'string' && /^\/(?!\/)/.test(state.back) ? state.back : undefined
}
