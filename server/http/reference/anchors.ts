/** Anchors of the reference page: stable names, so that a link to a call or an error goes on working. */

export const callAnchor = (id: string): string => id
export const errorAnchor = (code: string): string => `error-${code}`
export const objectAnchor = (title: string): string => `object-${title}`
