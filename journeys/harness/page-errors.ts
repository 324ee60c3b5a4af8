/** Page errors: what any page of a browser reports against itself: an exception, a hydration mismatch, a policy violation. */
import type { BrowserContext } from '@playwright/test'

/** A refused call is a part of some journeys; the browser reports it as an error on its console. */
const EXPECTED_CONSOLE_ERROR = /^Failed to load resource/

/** React's own, among them every hydration mismatch: no journey may tolerate one. */
const REACT_ERROR = /Minified React error|react\.dev\/errors|hydrat/i

/** Collects the errors of every page that the context opens, now and later. */
export const watchPageErrors = (context: BrowserContext, tolerated: RegExp | null = null): readonly string[] => {
  const errors: string[] = []
  const add = (text: string): void => {
    if (REACT_ERROR.test(text) || tolerated?.test(text) !== true) errors.push(text)
  }
  context.on('weberror', (error) => add(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED_CONSOLE_ERROR.test(message.text())) add(message.text())
  })
  return errors
}
