/** Proof, accessibility: checks every screen in every language with axe (WCAG 2.2, A and AA), on a phone and on a desktop. */
import { axeViolations } from '../../journeys/harness/axe.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { chooseScreens, visitScreens } from '../screens/visit-screens.ts'

const WIDTHS = [390, 1280] as const

/** Axe check: one screen in one language at one width, and the violations that axe found. */
export interface AxeCheck {
  readonly screen: string
  readonly locale: string
  readonly width: number
  readonly violations: readonly string[]
}

const countDistinct = (values: readonly unknown[]): number => new Set(values).size

export const figuresOf = (checks: readonly AxeCheck[]): Figures => {
  const violations = checks.reduce((sum, check) => sum + check.violations.length, 0)
  if (checks.length === 0) throw new CommandError('axe looked at no screen')
  if (violations > 0) throw new CommandError(`axe found ${violations} violations in ${checks.length} looks, see above`)
  return {
    screens: countDistinct(checks.map(({ screen }) => screen)),
    languages: countDistinct(checks.map(({ locale }) => locale)),
    widths: countDistinct(checks.map(({ width }) => width)),
    checks: checks.length,
    violations,
  }
}

export const parameters = '[screen]…'

export const measure = async (names: readonly string[]): Promise<Figures> => {
  const checks: AxeCheck[] = []
  await visitScreens(chooseScreens(names), async ({ screen, locale, page }) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      const violations = await axeViolations(page)
      for (const line of violations) printProgress(`${screen.name} ${locale} ${width}: ${line}`)
      checks.push({ screen: screen.name, locale, width, violations })
    }
  })
  return figuresOf(checks)
}
