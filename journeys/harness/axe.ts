import AxeBuilder from '@axe-core/playwright'
import type { Frame, Page } from '@playwright/test'

/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const depthOf = (frame: Frame): number => 1 + Math.max(0, ...frame.childFrames().map(depthOf))

/** Axe passes over a frame in silence when its script is not in it within a second: then it has to look again. */
const look = async (page: Page, triesLeft = 5): ReturnType<AxeBuilder['analyze']> => {
  const depth = depthOf(page.mainFrame())
  // Legacy mode spares a second page for every look, but never sees into a frame of another origin.
  const axe = new AxeBuilder({ page })
  // What passed is counted only to know how deep axe looked: it takes a third of the time of a look.
  if (depth === 1) axe.options({ resultTypes: ['violations'] })
  const results = await axe
    .withTags(TAGS)
    .setLegacyMode(depth === 1)
    .analyze()
  if (depth === 1) return results
  const rules = [...results.passes, ...results.violations, ...results.incomplete]
  const deepest = Math.max(...rules.flatMap(({ nodes }) => nodes.map(({ target }) => target.length)))
  if (deepest === depth) return results
  if (triesLeft === 0) throw new Error(`axe looked into ${deepest} of ${depth} frames within one another`)
  return look(page, triesLeft - 1)
}

/** What axe holds against the page as it stands, frames included, one line for each rule and element. */
export const axeViolations = async (page: Page): Promise<string[]> => {
  const { violations } = await look(page)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, failureSummary }) => `${id}: ${target.join(' > ')} ${html} ${failureSummary}`),
  )
}
