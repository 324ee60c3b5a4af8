/** Languages: a row of the table in contract/locale.ts is a language, and this test names every place that lacks it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { PAGE_LOCALES, toWireLocale } from '#contract/locale.ts'
import { ROOT } from '../root.ts'

/** Not the tests, which have samples or tables that the compiler holds; not what a tool has written, or what tells of the past. */
const LEFT_OUT = /\.(?:test|spec)\.ts$|^CHANGELOG|^decisions\/|^docs\/(?:performance|specification-coverage)\.md$/
const FILES = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx', '*.css', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && !LEFT_OUT.test(file))
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))

const names = (text: string, word: string): boolean => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text)

/** A list of languages has both ways to write Chinese. One that needs nothing for a language says so in a comment. */
const isListOfLanguages = (text: string): boolean => names(text, 'zh-Hans') && names(text, 'zh-Hant')

/** Each of the codes may stand for the language. Its own files are called by the first one. */
const placesWithout = ([locale, ...others]: readonly [string, ...string[]]): string[] => [
  ...FILES.filter((file) => {
    const text = TEXTS.get(file) ?? ''
    return isListOfLanguages(text) && ![locale, ...others].some((code) => names(text, code))
  }),
  ...FILES.filter((file) => file.endsWith('/zh-Hant.ts'))
    .map((file) => join(dirname(file), `${locale}.ts`))
    .filter((file) => !TEXTS.has(file)),
]

for (const locale of PAGE_LOCALES) {
  test(`${locale}: every place that knows a language knows this one`, () => {
    // The bank of the sandbox has no region in its codes.
    assert.deepEqual(placesWithout([locale, toWireLocale(locale), ...(locale === 'en-US' ? ['en'] : [])]), [])
  })
}

test('a language that is new is missed at each of these places', () => {
  assert.deepEqual(placesWithout(['xx', 'xx_XX']), [
    'contract/invoice-words.ts',
    'contract/jst.ts',
    'contract/line-breaks.ts',
    'contract/locale.ts',
    'contract/testing/jst-reference.ts',
    'docs/translation-glossary.md',
    'journeys/harness/screen-links.ts',
    'page/words/load-words.ts',
    'proof/harness/sample-mails.ts',
    'sandbox/bank/words.ts',
    'sandbox/http/style.ts',
    'server/background/mail/mail-fonts.ts',
    'server/background/mail/words/mail-words.ts',
    'server/http/pages/about-page-words.ts',
    'server/http/pages/confirmation-words.ts',
    'server/http/pages/link-page-words.ts',
    'ui/tokens.css',
    'contract/receipt-words/xx.ts',
    'page/words/xx.ts',
    'server/background/mail/words/xx.ts',
  ])
})

test('a document that counts the languages has the right number', () => {
  const numbers = ['five', 'six', 'seven', 'eight', 'nine']
  const right = [numbers[PAGE_LOCALES.length - 5], String(PAGE_LOCALES.length)]
  const wrong = FILES.flatMap((file) =>
    [...(TEXTS.get(file) ?? '').matchAll(/\b(\w+) languages\b/g)]
      .filter(([, word = '']) => (numbers.includes(word) || /^\d+$/.test(word)) && !right.includes(word))
      .map(([found]) => `${file}: ${found}`),
  )
  assert.deepEqual(wrong, [])
})
