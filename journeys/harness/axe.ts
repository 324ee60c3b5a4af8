/** Axe: the accessibility check of a page, WCAG 2.2, levels A and AA. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Frame, type Page } from '@playwright/test'
import { runsAllJourneys } from './runs-all-journeys.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const depthOf = (frame: Frame): number => 1 + Math.max(0, ...frame.childFrames().map(depthOf))

/** Axe skips a frame without an error when its script is not in it within a second: then it has to run again. */
const runAxe = async (page: Page, triesLeft = 5): ReturnType<AxeBuilder['analyze']> => {
  const depth = depthOf(page.mainFrame())
  // Legacy mode spares a second page for every run, but never checks a frame of another origin.
  const axe = new AxeBuilder({ page })
  // Passed rules are needed only to know how deep axe went, and take a third of the time.
  if (depth === 1) axe.options({ resultTypes: ['violations'] })
  const results = await axe
    .withTags(TAGS)
    .setLegacyMode(depth === 1)
    .analyze()
  if (depth === 1) return results
  const rules = [...results.passes, ...results.violations, ...results.incomplete]
  const deepest = Math.max(...rules.flatMap(({ nodes }) => nodes.map(({ target }) => target.length)))
  if (deepest === depth) return results
  if (triesLeft === 0) throw new Error(`axe checked ${deepest} of ${depth} nested frames`)
  return runAxe(page, triesLeft - 1)
}

/** The violations on the page as it is, frames included, one line for each rule and element. */
export const axeViolations = async (page: Page): Promise<string[]> => {
  const { violations } = await runAxe(page)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, failureSummary }) => `${id}: ${target.join(' > ')} ${html} ${failureSummary}`),
  )
}

/** In the proof `journeys` alone: axe takes half the time of a journey through the console. */
export const expectAccessibleInProof = async (page: Page): Promise<void> => {
  if (runsAllJourneys()) expect(await axeViolations(page)).toEqual([])
}
