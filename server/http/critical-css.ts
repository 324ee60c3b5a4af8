/** Critical CSS: of the style table that the build wrote, the rules that the first paint of a document can need. */
import { Type, type Static } from 'typebox'
import type { DrawnStyle } from '#contract/page.ts'

/** What a document must hold for one selector to match: all of these classes and all of these languages. */
const Selector = Type.Object({ classes: Type.Array(Type.String()), languages: Type.Array(Type.String()) })

/** One rule as text. It may match where one of its selectors may. */
const Rule = Type.Object({ text: Type.String(), selectors: Type.Array(Selector) })

/** Rules that follow each other under the same condition, such as a media query; the empty one is no condition. */
const Block = Type.Object({ condition: Type.String(), rules: Type.Array(Rule) })

/** The style table: `tools/build/style-table.ts` writes it, and `page-build.ts` reads it when the server starts. */
export const StyleTable = Type.Object({
  /** The style of what every document begins with, and of the card form. */
  first: Type.String(),
  /** The style of all that comes later. */
  later: Type.String(),
  /** The rules of both, in their order. */
  blocks: Type.Array(Block),
})
export type StyleTable = Static<typeof StyleTable>

const isIn = (language: string, range: string): boolean => language === range || language.startsWith(`${range}-`)

/** The rules that this drawing can need in a document of this language, in their order. */
export const criticalCss = ({ blocks }: StyleTable, drawn: DrawnStyle, language: string): string => {
  const drawnLanguages = [language, ...drawn.languages]
  const mayMatch = ({ classes, languages }: Static<typeof Selector>): boolean =>
    classes.every((name) => drawn.classes.has(name)) &&
    languages.every((range) => drawnLanguages.some((each) => isIn(each, range)))
  return blocks
    .map(({ condition, rules }) => {
      const text = rules
        .filter(({ selectors }) => selectors.some(mayMatch))
        .map((rule) => rule.text)
        .join('')
      return condition === '' || text === '' ? text : `${condition}{${text}}`
    })
    .join('')
}
