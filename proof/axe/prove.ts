/** Proof, accessibility: checks every screen in every language with axe (WCAG 2.2, A and AA), on a phone and on a desktop, and how its lines are drawn. */
import { axeViolations } from '../../journeys/harness/axe.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { runAndCapture } from '../../tools/exit-with-parent.ts'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
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

/** Runs the test of drawn lines in all languages: two of them are in every run of the tests. */
const checkDrawnLines = async (): Promise<void> => {
  const env = { ...process.env, ALL_LANGUAGES: '1' }
  const args = ['--test', 'proof/whole-server/drawn-lines.test.ts']
  const { code, output } = await runAndCapture(process.execPath, args, { cwd: ROOT, env })
  if (code !== 0) throw new CommandError(`a line is drawn wrongly: ${output.slice(-2000)}`)
}

export const parameters = '[screen]…'

export const measure = async (names: readonly string[]): Promise<Figures> => {
  await checkDrawnLines()
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
