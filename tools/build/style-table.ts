/** Style table: the page's style as rules with the classes and languages that each of them needs, for `critical-css.ts`. */
import { parse, type ChildNode, type Rule } from 'postcss'
import type { Plugin } from 'vite'
import type { StyleTable } from '../../server/http/critical-css.ts'

type Block = StyleTable['blocks'][number]
type Selector = Block['rules'][number]['selectors'][number]

const namesIn = (text: string, name: RegExp): string[] => [...text.matchAll(name)].map(([, found = '']) => found)

const selectorOf = (text: string): Selector => {
  // What an element must not be, or may be, need not be drawn.
  const required = text.replaceAll(/\[[^\][]*\]/g, '').replaceAll(/:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)/g, '')
  return { classes: namesIn(required, /\.([\w-]+)/g), languages: namesIn(required, /:lang\(([\w-]+)\)/g) }
}

const ruleOf = (rule: Rule): Block['rules'][number] => ({
  text: rule.toString(),
  selectors: rule.selectors.map(selectorOf),
})

const blockOf = (node: ChildNode): Block => {
  if (node.type === 'rule') return { condition: '', rules: [ruleOf(node)] }
  if (node.type === 'atrule' && node.name === 'keyframes')
    return { condition: '', rules: [{ text: node.toString(), selectors: [{ classes: [], languages: [] }] }] }
  const inside = node.type === 'atrule' && /^(?:media|supports)$/.test(node.name) ? (node.nodes ?? []) : []
  const rules = inside.filter((each) => each.type === 'rule')
  if (node.type !== 'atrule' || rules.length === 0 || rules.length < inside.length)
    throw new Error(`the style table knows no such rule: ${node.toString().slice(0, 80)}`)
  return { condition: `@${node.name}${node.raws.afterName ?? ''}${node.params}`, rules: rules.map(ruleOf) }
}

/** A style sheet as Vite has minified it: without comments. */
export const styleBlocks = (css: string): Block[] => parse(css).nodes.map(blockOf)

/** Writes the table beside the built style sheets. The style of the entry is the first one. */
export const writeStyleTable: Plugin = {
  name: 'write-style-table',
  generateBundle: {
    order: 'post',
    handler(_options, files) {
      const entry = Object.values(files).find((file) => file.type === 'chunk' && file.isEntry)
      const firstFiles = entry?.type === 'chunk' ? entry.viteMetadata?.importedCss : undefined
      const sheets = Object.values(files)
        .filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
        .toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1))
      const textOf = (isFirst: boolean): string =>
        sheets
          .filter(({ fileName }) => firstFiles?.has(fileName) === isFirst)
          .map((file) => (file.type === 'asset' ? file.source.toString() : ''))
          .join('')
      const [first, later] = [textOf(true), textOf(false)]
      const table: StyleTable = { first, later, blocks: styleBlocks(first + later) }
      this.emitFile({ type: 'asset', fileName: 'style-table.json', source: JSON.stringify(table) })
    },
  },
}
