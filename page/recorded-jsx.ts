/**
 * Recorded JSX: React's own, which also notes the classes and the language of every element that is made. The server's build
 * alone is made with it (`vite.config.ts`): the critical CSS of a document is chosen by what was drawn, not by reading HTML.
 */
import * as runtime from 'react/jsx-runtime'
import type { DrawnStyle } from '#contract/page.ts'

interface Noted {
  readonly classes: Set<string>
  readonly languages: Set<string>
}

/** Until something is drawn: elements that a module makes once, when it is loaded. Any drawing may show them. */
let noted: Noted = { classes: new Set(), languages: new Set() }

/** A component hands on what it is given to an element, which is then noted. */
const note = (type: unknown, props: unknown): void => {
  if (typeof type !== 'string' || typeof props !== 'object' || props === null) return
  if ('className' in props && typeof props.className === 'string')
    for (const name of props.className.split(' ')) noted.classes.add(name)
  if ('lang' in props && typeof props.lang === 'string') noted.languages.add(props.lang)
}

export const { Fragment } = runtime

export const jsx: typeof runtime.jsx = (type, props, key) => {
  note(type, props)
  return runtime.jsx(type, props, key)
}

export const jsxs: typeof runtime.jsxs = (type, props, key) => {
  note(type, props)
  return runtime.jsxs(type, props, key)
}

/** `draw` must not wait: whatever another request draws meanwhile would be noted too. */
export const recordDrawn = <T>(draw: () => T): { readonly result: T; readonly drawn: DrawnStyle } => {
  const outside = noted
  const inside: Noted = { classes: new Set(outside.classes), languages: new Set(outside.languages) }
  noted = inside
  try {
    return { result: draw(), drawn: inside }
  } finally {
    noted = outside
  }
}
