/** Lint rules of our own, which oxlint runs as a plugin (`oxlint.config.ts`). */
import { costProblem } from './regexp-cost.ts'

/** What is read of a node of the syntax tree. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: Node
  readonly name?: string
  readonly key?: Node
  readonly arguments?: readonly Node[]
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[]
}

interface Context {
  report(problem: { readonly node: Node; readonly message: string }): void
}

/** A text that is known before the program runs; numbers may be put in where repetitions are counted. */
const textOf = (node: Node | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral') return undefined
  const parts = (node.quasis ?? []).map(({ value }) => value.cooked ?? '')
  return parts.slice(0, -1).every((part) => /[{,]$/.test(part)) ? parts.join('9') : undefined
}

const MEND = 'write it so that each character can be read in one way only, or bound its repetitions'

/** Regular expressions of the product are linear: a stranger's text may reach each of them, and one is enough to stop a server. */
const linearRegexp = {
  create: (context: Context) => {
    const check = (node: Node, source: string, flags: string): void => {
      const problem = costProblem(source, flags)
      if (problem !== undefined) context.report({ node, message: `/${source}/${flags}: ${problem}; ${MEND}` })
    }
    const checkMade = (node: Node): void => {
      if (node.callee?.name !== 'RegExp') return
      const [source, flags] = [textOf(node.arguments?.[0]), textOf(node.arguments?.[1]) ?? '']
      if (source !== undefined) check(node, source, flags)
      else
        context.report({
          node,
          message: 'the cost of an expression that is made at run time is not known: write it out',
        })
    }
    return {
      Literal: (node: Node): void => {
        if (node.regex !== undefined) check(node, node.regex.pattern, node.regex.flags)
      },
      NewExpression: checkMade,
      CallExpression: checkMade,
      // In a schema, which the validator makes an expression of.
      Property: ({ key, value }: Node & { readonly value?: Node }): void => {
        if (key?.name !== 'pattern' || value === undefined) return
        const source = textOf(value)
        if (source !== undefined) check(value, source, 'u')
      },
    }
  },
}

const plugin = { meta: { name: 'kaikei' }, rules: { 'linear-regexp': linearRegexp } }
export default plugin
