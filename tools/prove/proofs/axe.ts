import { axeViolations } from '../../../journeys/harness/axe.ts'
import type { Figures } from './figures.ts'
import { CommandError } from '../../command-error.mjs'
import { printProgress } from '../../progress.mjs'
import { chooseScreens, walkScreens } from '../../screens/screen-walk.ts'

const WIDTHS = [390, 1280] as const

/** One screen in one language at one width, and what axe holds against it. */
export interface Look {
  readonly screen: string
  readonly locale: string
  readonly width: number
  readonly violations: readonly string[]
}

const different = (values: readonly unknown[]): number => new Set(values).size

export const figuresOf = (looks: readonly Look[]): Figures => {
  const violations = looks.reduce((sum, look) => sum + look.violations.length, 0)
  if (looks.length === 0) throw new CommandError('axe looked at no screen')
  if (violations > 0) throw new CommandError(`axe found ${violations} violations in ${looks.length} looks, see above`)
  return {
    screens: different(looks.map(({ screen }) => screen)),
    languages: different(looks.map(({ locale }) => locale)),
    widths: different(looks.map(({ width }) => width)),
    checks: looks.length,
    violations,
  }
}

/** Looks with axe (WCAG 2.2, A and AA) at every screen in every language, on a phone and on a desk. */
export const prove = async (names: readonly string[]): Promise<Figures> => {
  const looks: Look[] = []
  await walkScreens(chooseScreens(names), async ({ screen, locale, page }) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      const violations = await axeViolations(page)
      for (const line of violations) printProgress(`${screen.name} ${locale} ${width}: ${line}`)
      looks.push({ screen: screen.name, locale, width, violations })
    }
  })
  return figuresOf(looks)
}
