/** Drawn parts: what a shopper sees on a page, in its order: texts, the shop's pictures, fields and buttons. */
import type { Page } from '@playwright/test'

/** One text, picture or field as the browser has it, seen or not. */
export interface DrawnNode {
  readonly kind: 'text' | 'picture' | 'field'
  /** A text, or the alternative text of a picture. */
  readonly text: string
  /** The element that a text stands in: h1, label, button, a, or another. */
  readonly within: string
  /** Texts of one block make one line. */
  readonly block: number
  readonly isShown: boolean
  /** Of a field its id, of a label the id of its field. */
  readonly field: string
  /** Of a picture its address and size, of a field its purpose, keyboard and example. */
  readonly attributes: Readonly<Record<string, string>>
}

export type DrawnPart = Omit<DrawnNode, 'isShown'>

/** Runs in the browser. */
const readNodes = (): DrawnNode[] => {
  const blocks = new Map<Element, number>()
  const blockOf = (element: Element): number => {
    let block = element
    while (/^(inline|contents)/.test(getComputedStyle(block).display) && block.parentElement !== null)
      block = block.parentElement
    const known = blocks.get(block) ?? blocks.size
    blocks.set(block, known)
    return known
  }
  /** Text for screen readers alone is one pixel wide. */
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  }
  const isLabel = (element: Element | null): element is HTMLLabelElement => element instanceof HTMLLabelElement
  const nodes: DrawnNode[] = []
  const root = document.getElementById('page') ?? document.body
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node instanceof Element ? node : node.parentElement
    if (element === null || element.closest('script, style, template, noscript, svg') !== null) continue
    const common = { block: blockOf(element), isShown: isShown(element), field: '', attributes: {} }
    if (node instanceof HTMLImageElement) {
      const { width, height } = node.getBoundingClientRect()
      const attributes = { src: node.src, width: String(Math.round(width)), height: String(Math.round(height)) }
      nodes.push({ ...common, kind: 'picture', text: node.alt, within: 'img', attributes })
    } else if (node instanceof HTMLInputElement) {
      const { autocomplete, inputMode, placeholder } = node
      const attributes = { autocomplete, inputmode: inputMode, placeholder }
      nodes.push({ ...common, kind: 'field', text: '', within: 'input', field: node.id, attributes })
    } else if (node instanceof Text) {
      const around = element.closest('h1, h2, h3, label, button, a')
      const field = isLabel(around) ? around.htmlFor : ''
      nodes.push({ ...common, kind: 'text', text: node.data, within: around?.localName ?? 'p', field })
    }
  }
  return nodes
}

const isOwnPicture = ({ attributes }: DrawnNode): boolean =>
  new URL(attributes['src'] ?? '').pathname.startsWith('/assets/')

/** Only what is seen. Our own icons become their alternative texts; the shop's pictures stay pictures. */
export const drawnParts = (nodes: readonly DrawnNode[]): DrawnPart[] => {
  const parts: DrawnPart[] = []
  for (const { isShown, ...node } of nodes) {
    if (!isShown) continue
    const isWord = node.kind === 'text' || (node.kind === 'picture' && isOwnPicture({ ...node, isShown }))
    if (!isWord) {
      parts.push(node)
      continue
    }
    const part: DrawnPart = { ...node, kind: 'text', within: node.kind === 'text' ? node.within : 'p', attributes: {} }
    const last = parts.at(-1)
    if (last?.kind === 'text' && last.block === part.block && last.within === part.within)
      parts[parts.length - 1] = { ...last, text: last.text + part.text }
    else parts.push(part)
  }
  return parts
    .map((part) => ({ ...part, text: part.text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ kind, text }) => kind !== 'text' || text !== '')
}

/** The parts of the page that is open. */
export const readDrawnParts = async (page: Page): Promise<DrawnPart[]> => drawnParts(await page.evaluate(readNodes))
