/** Release order: which of two releases is the older one, by their numbers such as 1.52.0. */

const NUMBER = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/

const partsOf = (release: string): readonly number[] | null => {
  const found = NUMBER.exec(release)
  return found === null ? null : found.slice(1).map(Number)
}

export const isRelease = (text: string): boolean => partsOf(text) !== null

/** A text that is no release number counts as older than every release: nothing is known of what it can do. */
export const isOlderRelease = (one: string, other: string): boolean => {
  const [ours, theirs] = [partsOf(one), partsOf(other)]
  if (ours === null || theirs === null) return ours === null
  const at = ours.findIndex((part, index) => part !== theirs[index])
  return at !== -1 && (ours[at] ?? 0) < (theirs[at] ?? 0)
}
