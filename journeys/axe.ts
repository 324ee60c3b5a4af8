import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe holds against the page as it stands, one line for each rule and element. */
export const axeViolations = async (page: Page): Promise<string[]> => {
  // Legacy mode spares a second page for every look; there is no frame to look into.
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode(true).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
