/** Measured texts: the lines of every text of a document, as the browser has laid them out. */

export interface MeasuredText {
  readonly screen: string
  readonly language: string
  /** Headings, buttons, labels and errors are short; all else is a paragraph. */
  readonly isShort: boolean
  readonly isCentred: boolean
  /** A value of a mail, at its right edge. */
  readonly isMailValue: boolean
  /** With every mark and space; those between two lines stand at the end of the first. */
  readonly lines: readonly { readonly text: string; readonly width: number }[]
  /** How wide the lines could be. */
  readonly room: number
}

/** Runs in the browser, and can therefore use nothing from outside of itself. Texts of one line are left out. */
export const measureTexts = (): MeasuredText[] => {
  /** The last: the names of a mail's values. */
  const SHORT =
    'h1, h2, h3, button, label, dt, dialog p, [aria-live], form p[id], h1[tabindex] ~ p, h1[tabindex] ~ a, footer a, nav, a[class], [style*="22px;word-break:keep-all"]'
  /** What a shop has written. */
  const MERCHANTS = 'address p:not(:has(a)), address a'
  const texts: MeasuredText[] = []
  const seen = new Set<string>()
  const isInline = new Map<Element, boolean>()

  const blockOf = (node: Node): Element | null => {
    let element = node.parentElement
    while (element !== null) {
      const known = isInline.get(element) ?? /^inline(-block)?$/.test(getComputedStyle(element).display)
      isInline.set(element, known)
      if (!known) return element
      element = element.parentElement
    }
    return null
  }

  interface Line {
    text: string
    left: number
    right: number
    bottom: number
  }

  const range = document.createRange()

  /** Most texts are: to measure their letters one by one would take most of the time. */
  const isOnOneLine = (nodes: readonly Text[]): boolean => {
    let [lowestTop, highestBottom] = [-Infinity, Infinity]
    for (const node of nodes) {
      range.selectNodeContents(node)
      for (const { width, top, bottom } of range.getClientRects()) {
        if (width === 0) continue
        lowestTop = Math.max(lowestTop, top)
        highestBottom = Math.min(highestBottom, bottom)
      }
    }
    return lowestTop < highestBottom - 3
  }

  const linesOf = (nodes: readonly Text[]): Line[] => {
    const lines: Line[] = []
    for (const node of nodes)
      for (let at = 0; at < node.length; at += 1) {
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const [rect] = range.getClientRects()
        const char = node.data.charAt(at)
        const line = lines.at(-1)
        if (line !== undefined && (rect === undefined || rect.width === 0 || rect.top < line.bottom - 3)) {
          line.text += char
          // A space that hangs over the end of its line is no part of its width.
          if (rect === undefined || rect.width === 0 || char.trim() === '') continue
          line.left = Math.min(line.left, rect.left)
          line.right = Math.max(line.right, rect.right)
          line.bottom = Math.max(line.bottom, rect.bottom)
        } else if (rect !== undefined && rect.width > 0)
          lines.push({ text: char, left: rect.left, right: rect.right, bottom: rect.bottom })
      }
    return lines
  }

  /** The texts of one block; what a line break in the source divides are two. */
  const groupsOf = (screen: Element): (readonly [Element, Text[]])[] => {
    const groups: (readonly [Element, Text[]])[] = []
    let isDivided = true
    const nodes = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    while (nodes.nextNode() !== null) {
      const node = nodes.currentNode
      if (!(node instanceof Text)) {
        isDivided ||= node instanceof HTMLBRElement
        continue
      }
      if (node.parentElement?.closest('svg, style') !== null) continue
      const block = blockOf(node)
      if (block === null || block.clientWidth <= 1) continue
      const last = groups.findLast(([each]) => each === block)
      if (node.data.trim() === '' && (last === undefined || isDivided)) continue
      if (last === undefined || isDivided) groups.push([block, [node]])
      else last[1].push(node)
      isDivided = false
    }
    return groups
  }

  for (const screen of document.querySelectorAll<HTMLElement>('[data-screen]'))
    for (const [block, nodes] of groupsOf(screen)) {
      const style = getComputedStyle(block)
      const room = block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
      const isShort = block.closest(SHORT) !== null && block.closest(MERCHANTS) === null
      const key = [...nodes.map(({ data }) => data), room, style.fontSize, style.fontFamily, isShort].join('\n')
      if (seen.has(key)) continue
      seen.add(key)
      if (isOnOneLine(nodes)) continue
      const lines = linesOf(nodes)
      if (lines.length < 2) continue
      texts.push({
        screen: screen.dataset['screen'] ?? '',
        language: block.closest<HTMLElement>('[lang]')?.lang ?? '',
        isShort,
        isCentred: style.textAlign === 'center',
        isMailValue: block.matches('td[align="right"]'),
        lines: lines.map(({ text, left, right }) => ({ text, width: right - left })),
        room,
      })
    }
  return texts
}
