import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DrawnStyle } from '#contract/page.ts'
import { criticalCss } from '../../server/http/critical-css.ts'
import { styleBlocks } from './style-table.ts'

/** What a document gets of a style sheet: the build's table and the server's choice together. */
const chosen = (css: string, style: DrawnStyle, language: string): string =>
  criticalCss({ first: css, later: '', blocks: styleBlocks(css) }, style, language)

const drawn = (classes: string, ...languages: string[]): DrawnStyle => ({
  classes: new Set(classes.split(' ')),
  languages: new Set(languages),
})

/** One rule a line, of which those that are expected are marked. */
const expectRules = (style: DrawnStyle, language: string, marked: string): void => {
  const lines = marked
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const css = lines.map((line) => line.replace(/^[+-] /, '')).join('')
  const expected = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(2))
  assert.equal(chosen(css, style, language), expected.join(''))
}

test('a receipt is sent the rules of its own classes first, and not those of the card form', () => {
  expectRules(
    drawn('receipt wide total'),
    'ja',
    `+ :root{--ink:#14181f}
     - .form{margin:0}
     + .receipt{margin:0}
     - .form .total{margin:0}
     + .receipt .total{margin:0}
     - .receipt.narrow{margin:0}
     + .wide:hover{margin:0}
     + *,:before,:after{box-sizing:border-box}`,
  )
})

test('a list of selectors is kept whole where one of them may match', () => {
  expectRules(
    drawn('total'),
    'ja',
    `+ .form,.total{margin:0}
     - .form,.field{margin:0}
     + h1,.form{margin:0}`,
  )
})

test('what an element must not be, or may be, need not be drawn', () => {
  expectRules(
    drawn('total'),
    'ja',
    `+ .total:not(.form){margin:0}
     + p:not(.form,.field){margin:0}
     + :is(h1,.form,:not(.field,.menu)){margin:0}
     + .total[href$=".svg"]{margin:0}
     + .total:has(.form){margin:0}
     - .form:not(.total){margin:0}`,
  )
})

test('of the languages those are kept that the document is in, or a part of it', () => {
  const rules = (marks: string): string =>
    ['ja', 'ko', 'zh', 'zh-Hans', 'th'].map((range, at) => `${marks[at]} :lang(${range}){margin:0}`).join('\n')
  expectRules(drawn(''), 'ja', rules('+----'))
  expectRules(drawn(''), 'zh-Hans', rules('--++-'))
  expectRules(drawn('', 'ja'), 'th', rules('+---+'))
})

test('a condition is kept with the rules in it that may match, and left out where none may', () => {
  const css =
    '@media (width>=560px){.total{margin:0}.form{margin:0}}@media print{.form{margin:0}}@supports (gap:0){p{margin:0}}'
  assert.equal(
    chosen(css, drawn('total'), 'ja'),
    '@media (width>=560px){.total{margin:0}}@supports (gap:0){p{margin:0}}',
  )
})

test('animations are kept, and no bracket or comma inside a text ends a rule', () => {
  expectRules(
    drawn('total'),
    'ja',
    String.raw`+ @keyframes turn{to{rotate:1turn}}
     + .total:before{content:"},{\""}
     - .form[title=")"],.form[title=","]{margin:0}
     + .total{margin:0}`,
  )
})

test('a line end between two files changes nothing', () => {
  const css = '.total{margin:0}\n@media (width>=1.5em){.total{margin:0}.form{margin:0}}\n'
  assert.equal(chosen(css, drawn('total'), 'ja'), '.total{margin:0}@media (width>=1.5em){.total{margin:0}}')
})

test('what the table cannot say stops the build: a condition inside a condition, an import, a rule without an end', () => {
  for (const css of [
    '@charset "utf-8";.total{margin:0}',
    '@import "x.css";',
    '@media print{@media (width>=1px){p{margin:0}}}',
    '@media print{p{margin:0}@font-face{font-family:x}}',
    '.total{margin:0}.form',
    '.total{margin:0',
  ])
    assert.throws(() => styleBlocks(css), css)
})
