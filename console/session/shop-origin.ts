/** Origin of a shop's pages: beside the console's own host, below the same base. */
export const shopOrigin = (label: string, { protocol, host }: Pick<Location, 'protocol' | 'host'>): string =>
  `${protocol}//${label}.${host.replace(/^console\./, '')}`
