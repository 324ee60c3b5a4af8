import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'
import { ROOT } from '../root.ts'

/**
 * Japanese documents: each page of docs/ja/ has the sections, commands, tables, links, identifiers and figures of its
 * English page. A section of the English page that is added, removed, renamed or moved is missed here by its name:
 * every Japanese heading begins with an anchor that is the one of the English heading, so links to a section lead to it
 * in both languages.
 */

const FOLDER = 'docs/ja'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const isThere = (path: string): boolean => existsSync(join(ROOT, path))

/** README.md stands at the top, the other pages in docs/. */
const englishOf = (japanese: string): string => {
  const name = basename(japanese)
  return name === 'README.md' ? name : `docs/${name}`
}
const japaneseOf = (english: string): string => `${FOLDER}/${basename(english)}`
const isTranslated = (path: string): boolean => isThere(japaneseOf(path)) && englishOf(japaneseOf(path)) === path

interface Page {
  readonly path: string
  readonly text: string
}

interface Section {
  /** Its level and its anchor; of the title, which names the page, the level alone. */
  readonly heading: string
  /** What stands in it, one block after the other: commands and code as they are, of the others their kind and size. */
  readonly blocks: readonly string[]
  /** Paths of the repository and addresses that it links to. */
  readonly links: readonly string[]
  /** What stands between backticks: names of settings, calls, fields, files. */
  readonly identifiers: readonly string[]
  readonly figures: readonly string[]
  /** What a reader reads, by paragraph, item and row. */
  readonly prose: readonly string[]
}

const FENCE = /(^```[^\n]*\n.*?^```$)/ms
const isFence = (block: string): boolean => block.startsWith('```')
const isComment = (block: string): boolean => /^<!--(?:(?!-->).)*-->$/s.test(block)

const blocksOf = (text: string): string[] =>
  text
    .split(FENCE)
    .flatMap((part) => (isFence(part) ? [part] : part.split(/\n{2,}/)))
    .map((block) => block.trim())
    .filter((block) => block !== '')

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

const headingOf = (block: string): string | undefined => {
  const [, level = '', title = ''] = /^(#{1,6}) (.+)$/.exec(block) ?? []
  if (level === '') return undefined
  if (level === '#') return level
  const [, written] = /^<a id="([^"]+)"><\/a>/.exec(title) ?? []
  return `${level} ${written ?? anchorOf(title)}`
}

const itemsOf = (block: string): string[] => block.split(/^(?:- |\d+\. )/m).filter((item) => item !== '')
const rowsOf = (table: string): string[] => table.split('\n').toSpliced(1, 1)
const columnsOf = (table: string): number => (table.split('\n')[0] ?? '').split('|').length - 2

/** What must be the same in both languages. Remarks behind commands, and the reason why some are not run, are words. */
const shapeOf = (block: string): string => {
  if (block.startsWith('```sh')) return block.replaceAll(/\s+# .*$/gm, '')
  if (isFence(block)) return block
  if (isComment(block)) return block.replace(/^<!-- not run: .*-->$/s, '<!-- not run -->')
  if (block.startsWith('|')) return `table: ${rowsOf(block).length} rows, ${columnsOf(block)} columns`
  if (block.startsWith('- ')) return `list: ${itemsOf(block).length} items`
  if (block.startsWith('1. ')) return `numbered list: ${itemsOf(block).length} items`
  if (block.startsWith('> ')) return 'quotation'
  return block.startsWith('![') ? 'picture' : 'paragraph'
}

const proseOf = (block: string): string[] => {
  if (isFence(block) || isComment(block)) return []
  if (block.startsWith('|')) return rowsOf(block)
  return itemsOf(block)
}

const distinct = (found: readonly string[]): string[] => [...new Set(found)].toSorted()

const linksIn = (prose: string, page: string): string[] =>
  [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) =>
    /^[a-z]+:/.test(link) ? link : normalize(join(dirname(page), link)),
  )

/** The page in the other language: both may link to it where they like. */
const linkToTwin = (path: string): string => (path.startsWith(FOLDER) ? englishOf(path) : japaneseOf(path))

/** An English page may begin with a link to the Japanese one, and a Japanese page must; it is no part of the text. */
const isLanguageLine = (block: string): boolean => /^\[(English|日本語)\]\(/.test(block)

const sectionsOf = ({ path, text }: Page): Section[] => {
  const sections: { heading: string; blocks: string[] }[] = []
  for (const block of blocksOf(text)) {
    const heading = headingOf(block)
    if (heading !== undefined) sections.push({ heading, blocks: [] })
    else if (!isLanguageLine(block)) sections.at(-1)?.blocks.push(block)
  }
  return sections.map(({ heading, blocks }) => {
    const prose = blocks.flatMap(proseOf).map((each) => each.replaceAll(/<!--.*?-->/gs, ''))
    const whole = prose.join('\n')
    const words = whole.replaceAll(/`[^`]*`|\]\([^)]*\)/g, ' ')
    return {
      heading,
      blocks: blocks.map(shapeOf),
      links: linksIn(whole, path)
        .filter((link) => link !== linkToTwin(path))
        .toSorted(),
      identifiers: distinct([...whole.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)),
      figures: distinct(words.match(/\d(?:[\d.,]*\d)?/g) ?? []),
      prose,
    }
  })
}

/** Where a link of the English page leads in the Japanese one. */
const translatedLink = (link: string): string => {
  const [path = '', anchor] = link.split('#')
  const target = isTranslated(path) ? japaneseOf(path) : path
  return anchor === undefined ? target : `${target}#${anchor}`
}

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** A row of names and figures has nothing to translate. */
const hasWords = (prose: string): boolean =>
  /[a-z]{3}/.test(prose.replaceAll(/`[^`]*`|\[[^\]]*\]\([^)]*\)|https?:\S+/g, ''))

const sectionFaults = (english: Section, japanese: Section): string[] => {
  const faults: string[] = []
  const compare = (what: string, expected: readonly string[], found: readonly string[]): void => {
    const missing = expected.filter((each) => !found.includes(each))
    const added = found.filter((each) => !expected.includes(each))
    if (missing.length > 0) faults.push(`${what}, missing: ${missing.join(' ')}`)
    if (added.length > 0) faults.push(`${what}, not in English: ${added.join(' ')}`)
  }
  const [blocks, translated] = [english.blocks.join('\n\n'), japanese.blocks.join('\n\n')]
  if (blocks !== translated) faults.push(`In English there are\n${blocks}\nand in Japanese\n${translated}`)
  compare('links', english.links.map(translatedLink), japanese.links)
  compare('identifiers', english.identifiers, japanese.identifiers)
  // English writes small numbers as words, Japanese as figures: more of them are no fault.
  const missing = english.figures.filter((figure) => !japanese.figures.includes(figure))
  if (missing.length > 0) faults.push(`figures, missing: ${missing.join(' ')}`)
  const untranslated = japanese.prose.filter((each) => hasWords(each) && !JAPANESE.test(each))
  return [...faults, ...untranslated.map((each) => `not translated: ${each}`)]
}

const faultsOf = (english: Page, japanese: Page): string[] => {
  const [expected, found] = [sectionsOf(english), sectionsOf(japanese)]
  const headings = expected.map(({ heading }) => heading)
  const translated = found.map(({ heading }) => heading)
  if (headings.join('\n') !== translated.join('\n'))
    return [`In English the sections are\n${headings.join('\n')}\nand in Japanese\n${translated.join('\n')}`]
  const titles = blocksOf(japanese.text).filter((block) => headingOf(block)?.startsWith('##'))
  return [
    ...titles.filter((title) => !JAPANESE.test(title)).map((title) => `not translated: ${title}`),
    ...expected.flatMap((section, place) => {
      const twin = found[place]
      return twin === undefined ? [] : sectionFaults(section, twin).map((fault) => `${section.heading}: ${fault}`)
    }),
  ]
}

const read = (path: string): Page => ({ path, text: textOf(path) })
const PAGES = globSync(`${FOLDER}/*.md`, { cwd: ROOT }).toSorted()

describe('a Japanese shop and its operator read the same as those who read English', () => {
  test('there are a README, a guide for merchants and one for operators', () => {
    assert.deepEqual(PAGES.map(englishOf), ['README.md', 'docs/merchant-guide.md', 'docs/operations.md'])
  })

  for (const path of PAGES)
    test(`${path} says what ${englishOf(path)} says`, () => {
      assert.deepEqual(faultsOf(read(englishOf(path)), read(path)), [])
    })

  for (const path of PAGES)
    test(`${path} begins with a link to ${englishOf(path)}`, () => {
      const [, line = ''] = blocksOf(textOf(path))
      assert.ok(isLanguageLine(line), line)
      assert.ok(linksIn(line, path).includes(englishOf(path)), line)
    })
})

test('the words that docs/translation-glossary.md has for these pages stand in them', () => {
  const [, section = ''] = textOf('docs/translation-glossary.md').split('\n## Words of the Japanese documents\n')
  const words = (section.split('\n## ', 1)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|')[2]?.trim() ?? '')
  assert.notEqual(words.length, 0)
  const pages = PAGES.map(textOf).join('\n')
  assert.deepEqual(
    words.filter((word) => !pages.includes(word)),
    [],
  )
})

describe('whatever changes in English alone is found', () => {
  const ENGLISH = `# A page

## Pay

Answer within 15 seconds. See [data](data.md) and [operations](operations.md#pay).

- The field \`paid\` is true.
- It is kept for 90 days.

\`\`\`sh
npm start   # starts
\`\`\`

## Refund

| Field | Meaning |
| ----- | ------- |
| \`id\`  | yours   |

\`\`\`ts
const id = 1

const amount = 2
\`\`\`
`
  const JAPANESE_PAGE = `# ページ

[English](../page.md)

## <a id="pay"></a>支払う

15秒以内に応答してください。[データ](../data.md)と[運用](operations.md#pay)もご覧ください。

- 項目\`paid\`はtrueです。
- 90日間保存します。

\`\`\`sh
npm start   # 起動します
\`\`\`

## <a id="refund"></a>返金する

| 項目 | 意味 |
| ---- | ---- |
| \`id\` | 任意 |

\`\`\`ts
const id = 1

const amount = 2
\`\`\`
`
  const faultsWith = (english: string, japanese = JAPANESE_PAGE): string[] =>
    faultsOf({ path: 'docs/page.md', text: english }, { path: 'docs/ja/page.md', text: japanese })
  const [title = '', pay = '', refund = ''] = ENGLISH.split(/^(?=## )/m)

  test('nothing is found where both say the same', () => {
    assert.deepEqual(faultsWith(ENGLISH), [])
    assert.deepEqual(faultsWith(ENGLISH.replace('# A page\n', '# A page\n\n[日本語](ja/page.md)\n')), [])
  })

  const CHANGES: Readonly<Record<string, string>> = {
    'a section more': `${ENGLISH}\n## Cancel\n`,
    'a section less': `${title}${pay}`,
    'a section moved': `${title}${refund}\n${pay}`,
    'a section renamed': ENGLISH.replace('## Refund', '## Refunds'),
    'a section on another level': ENGLISH.replace('## Refund', '### Refund'),
    'a paragraph more': ENGLISH.replace('\n\n- The', '\n\nBe quick.\n\n- The'),
    'an item more': ENGLISH.replace('90 days.\n', '90 days.\n- Ask again.\n'),
    'a row more': ENGLISH.replace('yours   |\n', 'yours   |\n| name | ours |\n'),
    'another command': ENGLISH.replace('npm start', 'npm run start'),
    'another spacing of a command': ENGLISH.replace('npm start', 'npm  start'),
    'other code': ENGLISH.replace('amount = 2', 'amount = 3'),
    'another kind of block': ENGLISH.replace('```ts', '```js'),
    'another identifier': ENGLISH.replace('`paid`', '`settled`'),
    'an identifier more': ENGLISH.replace('is true', 'of `status` is true'),
    'another figure': ENGLISH.replace('15 seconds', '20 seconds'),
    'another link': ENGLISH.replace('(data.md)', '(terms.md)'),
    'a link more': ENGLISH.replace('See [', 'See [terms](terms.md), ['),
    'another anchor': ENGLISH.replace('#pay', '#refund'),
  }
  for (const [change, english] of Object.entries(CHANGES))
    test(`${change} is found`, () => {
      assert.notEqual(english, ENGLISH)
      assert.notDeepEqual(faultsWith(english), [])
    })

  test('a heading, a paragraph and an item that were copied and not translated are found', () => {
    for (const [japanese, english] of [
      ['返金する', 'Refund'],
      [
        '15秒以内に応答してください。[データ](../data.md)と[運用](operations.md#pay)もご覧ください。',
        'Answer within 15 seconds. See [data](../data.md) and [operations](operations.md#pay).',
      ],
      ['90日間保存します。', 'It is kept for 90 days.'],
    ] as const)
      assert.notDeepEqual(faultsWith(ENGLISH, JAPANESE_PAGE.replace(japanese, english)), [], english)
  })

  test('a link that leads to the English page where there is a Japanese one is found', () => {
    assert.notDeepEqual(faultsWith(ENGLISH, JAPANESE_PAGE.replace('(operations.md', '(../operations.md')), [])
  })
})
