/** Document shape: the elements, attributes and scripts of a document, as Chromium's own parser reads them. */
import type { Page } from '@playwright/test'

export interface DocumentShape {
  /** Elements in their order with the names of their attributes, and the texts of scripts and styles. */
  readonly shape: string
  /** Addresses that could run something, and data that cannot be read. */
  readonly faults: readonly string[]
  /** Whether the text stands in it as text or as a part of a value. */
  readonly isShown: boolean
}

/** A document and the text that was put into it. */
export interface DrawnText {
  readonly html: string
  readonly text: string
}

/** Runs in the browser. */
const parseAll = (documents: readonly DrawnText[]): DocumentShape[] => {
  /** What a click or a frame may lead to. A picture may have any address: none of them runs. */
  const LEADS_TO = new Set(['http:', 'https:', 'mailto:', 'tel:'])
  const isHarmless = (address: string): boolean => {
    const parsed = URL.parse(address, 'http://page.test/')
    return parsed === null || LEADS_TO.has(parsed.protocol)
  }
  /** Attributes whose values belong to the template. */
  const FIXED = new Set(['rel', 'as', 'type', 'http-equiv', 'target', 'role', 'id'])
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  /** The fixed part of a script or style: data it is called with and the shop's colours are left out. */
  const fixedText = (element: Element, faults: string[]): string => {
    const { localName, textContent: text } = element
    if (localName === 'style') return text.replaceAll(/#[0-9a-f]{6}|transparent|rgb\([^)]*\)/g, 'colour')
    if (localName !== 'script') return ''
    if (element.getAttribute('type') === 'application/json') {
      if (!isJson(text)) faults.push(`data that cannot be read: ${text}`)
      return ''
    }
    const called = /^(.*\}\))\((\{.*\})\)$/s.exec(text)
    return called !== null && isJson(called[2] ?? '') ? (called[1] ?? '') : text
  }
  return documents.map(({ html, text }) => {
    const faults: string[] = []
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    const values: string[] = []
    const describe = (element: Element, depth: number): string => {
      const attributes = [...element.attributes]
      const leads = !/^(?:img|link)$/.test(element.localName)
      for (const { name, value } of attributes) {
        values.push(value)
        if (leads && /^(?:href|src)$/.test(name) && !isHarmless(value)) faults.push(`${name}=${value}`)
      }
      const names = attributes.map(({ name, value }) => (FIXED.has(name) ? `${name}=${value}` : name)).toSorted()
      return `${depth} ${element.namespaceURI} ${element.localName} ${names.join()} ${fixedText(element, faults)}`
    }
    const walk = (element: Element, depth: number): string[] => [
      describe(element, depth),
      ...[...element.children].flatMap((child) => walk(child, depth + 1)),
    ]
    const shape = walk(parsed.documentElement, 0).join('\n')
    const shown = [parsed.documentElement.textContent, ...values]
    return { shape, faults, isShown: text !== '' && shown.some((value) => value.includes(text)) }
  })
}

const BATCH = 100

/** The shapes of these documents, in their order. `page` is any page without a policy. */
export const shapesOf = async (page: Page, documents: readonly DrawnText[]): Promise<DocumentShape[]> => {
  const shapes: DocumentShape[] = []
  for (let at = 0; at < documents.length; at += BATCH)
    shapes.push(...(await page.evaluate(parseAll, documents.slice(at, at + BATCH))))
  return shapes
}
