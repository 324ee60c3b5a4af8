import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costProblem } from './regexp-cost.ts'

const problemOf = ({ source, flags }: RegExp): string | undefined => costProblem(source, flags)

const DEAR: readonly RegExp[] = [
  // The one that took 46 seconds for one request: it may begin at every character, and reads on to the end from each.
  /([^\s"=]+)="([^"]*)"/g,
  /\s+$/,
  /a+b/,
  /[^"]*"/,
  /\[[^\]]*\]/g,
  /<link\b([^>]*)>/gi,
  /"(?:[^"\\]|\\.)*"/g,
  /%.*$/,
  /a(?:[^b]*b)*/g,
  /x{1,301}y/,
  // From one beginning, in many ways.
  /^a*a*$/,
  /^\s*\n\s*$/,
  /^a*(?=a*b)/,
  /^(?:a*){1,3}b/,
  // In more ways than can be counted.
  /^(a+)+$/,
  /^(?:a|a)*b/,
  /^(?:a|ab|b)*c/,
  /^(?:\d|\w)+$/,
  /^(?:a?b?)*c/,
  /^(a*)*b/,
  /^(?:.|\n)*(?:[ab]|[bc])*$/s,
]

for (const expression of DEAR)
  test(`${expression} is found to be dear, with a text that shows it`, () => {
    assert.match(problemOf(expression) ?? '', /^its time grows faster than a text of many ".+"$/)
  })

const LINEAR: readonly RegExp[] = [
  /\d+/g,
  /(?:ab)*/,
  /^\s+$/,
  /^a+b/,
  /^a+$/gm,
  /a+b/y,
  /"[^"]*"/g,
  /\[[^\][]*\]/g,
  /x{1,300}y/,
  /^x{1,3000}y/,
  /(?<!\d)\d{14,16}(?!\d)/u,
  /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){12,}/gu,
  /^(?=.{1,253}$)[a-z-]+(\.[a-z-]+)*$/,
  /^[A-Za-z0-9_-]{1,64}$/,
]

for (const expression of LINEAR)
  test(`${expression} is found to be linear`, () => {
    assert.equal(problemOf(expression), undefined)
  })

test('an expression whose cost cannot be told is refused', () => {
  for (const [source, flags] of [
    ['(a)\\1', ''],
    ['(?<=a+)b', ''],
    ['[\\q{abc}]', 'v'],
    ['(', ''],
  ] as const)
    assert.match(costProblem(source, flags) ?? '', /^its cost is not known: /, source)
})
