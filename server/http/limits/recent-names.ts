/** Recent names: names that this server has lately found good. They open nothing: what has one does not wait behind what was made up. */

/** More than are busy at the same time; the one that was not used for longest is forgotten. */
export const RECENT_NAMES_MAX = 50_000

export interface RecentNames {
  add(name: string): void
  has(name: string): boolean
}

export const createRecentNames = (): RecentNames => {
  const names = new Set<string>()
  return {
    add: (name) => {
      // Last in the order of the set.
      names.delete(name)
      const [oldest] = names
      if (oldest !== undefined && names.size >= RECENT_NAMES_MAX) names.delete(oldest)
      names.add(name)
    },
    has: (name) => names.has(name),
  }
}
