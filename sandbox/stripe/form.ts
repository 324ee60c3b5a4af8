/** Form with brackets: `card[number]=…&expand[]=…` as an object of texts, lists and objects, as Stripe reads it. */
import type { JsonObject } from '../http/json.ts'

type Form =
  | { readonly kind: 'form'; readonly values: JsonObject }
  | { readonly kind: 'malformed'; readonly key: string }

const KEY = /^[^[\]]+(\[[^[\]]*\])*$/
const MAX_DEPTH = 6
const MAX_FIELDS = 500

interface Branch {
  readonly members: Map<string, Branch | string>
  readonly items: string[]
}

const newBranch = (): Branch => ({ members: new Map(), items: [] })

const segmentsOf = (key: string): [first: string, ...rest: string[]] | undefined => {
  if (!KEY.test(key)) return undefined
  const [first = '', ...rest] = key.split('[').map((part) => part.replace(/\]$/, ''))
  return rest.length < MAX_DEPTH ? [first, ...rest] : undefined
}

/** False where two fields contradict each other: a text that is also an object, or a name that comes twice. */
const insert = (branch: Branch, [first, ...rest]: readonly string[], value: string): boolean => {
  if (first === undefined) return false
  if (first === '') {
    if (rest.length > 0 || branch.members.size > 0) return false
    branch.items.push(value)
    return true
  }
  if (branch.items.length > 0) return false
  const present = branch.members.get(first)
  if (rest.length === 0) {
    if (present !== undefined) return false
    branch.members.set(first, value)
    return true
  }
  if (typeof present === 'string') return false
  const next = present ?? newBranch()
  branch.members.set(first, next)
  return insert(next, rest, value)
}

const valueOf = (branch: Branch | string): unknown => {
  if (typeof branch === 'string') return branch
  if (branch.items.length > 0) return branch.items
  const entries = [...branch.members].map(([name, member]) => [name, valueOf(member)] as const)
  const isList = entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

export const parseForm = (text: string): Form => {
  const root = newBranch()
  const fields = [...new URLSearchParams(text)]
  if (fields.length > MAX_FIELDS) return { kind: 'malformed', key: `more than ${MAX_FIELDS} fields` }
  for (const [key, value] of fields) {
    const segments = segmentsOf(key)
    if (segments === undefined || !insert(root, segments, value)) return { kind: 'malformed', key }
  }
  return {
    kind: 'form',
    values: Object.fromEntries([...root.members].map(([name, member]) => [name, valueOf(member)])),
  }
}
