/** Lost text of a document: what is cut off, what stands over another text, and what can be reached only by scrolling sideways. */

/** Runs in the browser, and can therefore use nothing from outside of itself. */
export const measureLosses = (): string[] => {
  const losses = new Set<string>()
  const range = document.createRange()
  /** Of a line of text, without the space above and below its letters. */
  const boxesOf = (node: Text): DOMRect[] => {
    range.selectNodeContents(node)
    return Array.from(range.getClientRects(), (rect) => {
      const inset = rect.height / 4
      return new DOMRect(rect.x, rect.y + inset, rect.width, rect.height - 2 * inset)
    })
  }
  const isOver = (a: DOMRect, b: DOMRect): boolean =>
    a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2
  const isOutside = (box: DOMRect, frame: DOMRect): boolean =>
    box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2
  const known = new Map<Element, DOMRect[]>()
  const framesOf = (element: Element): DOMRect[] => {
    const { parentElement } = element
    const frames = known.get(element) ?? [
      ...(getComputedStyle(element).overflow === 'visible' ? [] : [element.getBoundingClientRect()]),
      ...(parentElement === null ? [] : framesOf(parentElement)),
    ]
    known.set(element, frames)
    return frames
  }

  for (const screen of document.querySelectorAll<HTMLElement>('[data-screen]')) {
    const name = screen.dataset['screen'] ?? ''
    const drawn: { readonly box: DOMRect; readonly node: Text }[] = []
    const nodes = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT)
    while (nodes.nextNode() !== null) {
      const node = nodes.currentNode
      if (!(node instanceof Text) || node.data.trim() === '') continue
      const parent = node.parentElement
      // For screen readers alone, or a place that is kept free.
      if (parent === null || parent.closest('svg, style') !== null || getComputedStyle(parent).visibility === 'hidden')
        continue
      const frames = framesOf(parent)
      if (frames.some(({ width }) => width <= 1)) continue
      const boxes = boxesOf(node)
      if (boxes.some((box) => frames.some((frame) => isOutside(box, frame))))
        losses.add(`${name}: cut off: ${node.data}`)
      if (boxes.some((box) => box.left < -1 || box.right > window.innerWidth + 1))
        losses.add(`${name}: outside of the window: ${node.data}`)
      for (const box of boxes) {
        const other = drawn.find((each) => each.node !== node && isOver(each.box, box))
        if (other !== undefined) losses.add(`${name}: over each other: ${other.node.data} and ${node.data}`)
        drawn.push({ box, node })
      }
    }
    for (const input of screen.querySelectorAll('input')) {
      input.value = input.placeholder
      if (input.scrollWidth > input.clientWidth) losses.add(`${name}: cut off in its field: ${input.value}`)
    }
  }
  if (document.documentElement.scrollWidth > window.innerWidth) losses.add('the page scrolls sideways')
  return [...losses]
}
