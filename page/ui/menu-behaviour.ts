/** Menu behaviour: the list opens upward when there is less space below than its height and 20 px more. */
export const MENU_ITEM_HEIGHT_PX = 36
const MARGIN_PX = 20

export const opensUpward = (items: number, spaceBelowPx: number): boolean =>
  spaceBelowPx < items * MENU_ITEM_HEIGHT_PX + MARGIN_PX

/** The item that a key selects: arrows step, Home and End jump, a letter finds the next item that begins with it. */
export const itemForKey = (key: string, active: number, labels: readonly string[]): number | undefined => {
  const last = labels.length - 1
  if (key === 'ArrowDown') return Math.min(active + 1, last)
  if (key === 'ArrowUp') return Math.max(active - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (Array.from(key).length !== 1) return undefined
  const wanted = key.toLowerCase()
  const order = labels.map((_, index) => (active + 1 + index) % labels.length)
  return order.find((index) => labels[index]?.toLowerCase().startsWith(wanted) === true)
}
