/**
 * Regexp cost: whether the time that a regular expression takes can grow faster than the text. It can where the automaton of
 * the expression, with a loop in front that begins anywhere in the text, has two loops of which the second can be entered
 * from the first by a text that both repeat (Weber and Seidl: infinite ambiguity), and no match is certain in the second.
 */
import { RegExpParser, type AST } from '@eslint-community/regexpp'
import { toCharSet } from 'regexp-ast-analysis'

type CharSet = ReturnType<typeof toCharSet>

/** A repetition of more than this counts as without end; one of fewer is cut to three, which shows what it is next to. */
const COUNT_MAX = 300
const COPIES_MAX = 3

/** A part of an automaton without empty steps: each state reads one character when it is entered. */
interface Part {
  readonly first: readonly number[]
  /** Certain: nothing behind it can refuse what was read so far. */
  readonly last: readonly { readonly state: number; readonly isCertain: boolean }[]
  /** In how many ways it reads nothing; 2 stands for all above 1. */
  readonly empty: 0 | 1 | 2
  /** Whether reading nothing depends on what stands around it. */
  readonly isAsserted: boolean
}

const NOTHING: Part = { first: [], last: [], empty: 1, isAsserted: false }
const ASSERTION: Part = { ...NOTHING, isAsserted: true }

const times = (ways: Part['empty'], states: readonly number[]): number[] =>
  Array.from({ length: ways }, () => states).flat()
const atMostTwo = (ways: number): Part['empty'] => (ways === 0 || ways === 1 ? ways : 2)

interface Automaton {
  readonly chars: readonly CharSet[]
  /** A state that stands there twice can be entered in two ways. */
  readonly next: readonly (readonly number[])[]
  readonly certain: ReadonlySet<number>
}

/** Where a text may begin to match: anywhere, behind a line end, or only at its beginning. */
const [ANYWHERE, LINE_END, BEGINNING] = [0, 1, 2] as const

const parse = (source: string, flags: string): AST.RegExpLiteral =>
  new RegExpParser().parseLiteral(String(new RegExp(source, flags)))

const charsOf = (element: AST.Character | AST.CharacterSet | AST.CharacterClass, flags: AST.Flags): CharSet => {
  // Of the flag v: such a set may hold whole texts.
  if (element.type === 'CharacterClass' && element.unicodeSets) throw new Error(`${element.raw} is a set of texts`)
  if (element.type === 'CharacterSet' && element.kind === 'property' && element.strings)
    throw new Error(`${element.raw} is a set of texts`)
  return toCharSet(element, flags)
}

const buildAutomaton = ({ pattern, flags }: AST.RegExpLiteral): Automaton => {
  const setOf = (source: string): CharSet => {
    const [element] = parse(source, '').pattern.alternatives[0]?.elements ?? []
    if (element?.type !== 'CharacterClass') throw new Error(`not a class of characters: ${source}`)
    return charsOf(element, flags)
  }
  const chars = [setOf('[^]'), setOf(String.raw`[\n\r\u2028\u2029]`), setOf('[]')]
  const next: number[][] = [[ANYWHERE, LINE_END], [], []]
  const connect = (from: readonly number[], to: readonly number[]): void => {
    for (const state of from) next[state]?.push(...to)
  }
  const follow = (one: Part, other: Part): Part => {
    connect(
      one.last.map(({ state }) => state),
      other.first,
    )
    const isCertain = !other.isAsserted
    const kept = other.empty === 0 ? [] : one.last.map((end) => ({ ...end, isCertain: end.isCertain && isCertain }))
    return {
      first: [...one.first, ...times(one.empty, other.first)],
      last: [...other.last, ...kept],
      empty: atMostTwo(one.empty * other.empty),
      isAsserted: one.isAsserted || other.isAsserted,
    }
  }
  const eitherOf = (parts: readonly Part[]): Part => ({
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    empty: atMostTwo(parts.reduce((sum, { empty }) => sum + empty, 0)),
    isAsserted: parts.every(({ empty, isAsserted }) => empty === 0 || isAsserted),
  })
  const optional = (part: Part): Part => ({ ...part, empty: 1, isAsserted: false })
  const repeated = (part: Part): Part => {
    connect(
      part.last.map(({ state }) => state),
      part.first,
    )
    return part
  }
  const ofQuantifier = ({ min, max, element }: AST.Quantifier): Part => {
    const isEndless = max > COUNT_MAX
    const most = isEndless ? Math.max(1, Math.min(min, COPIES_MAX)) : Math.min(max, COPIES_MAX)
    const least = min === max ? most : Math.min(min, isEndless ? most : most - 1)
    let part: Part = NOTHING
    for (let copy = most; copy >= 1; copy -= 1) {
      const one = isEndless && copy === most ? repeated(partOf(element)) : partOf(element)
      part = copy > least ? optional(follow(one, part)) : follow(one, part)
    }
    return part
  }
  const ofAlternatives = (alternatives: readonly AST.Alternative[]): Part =>
    eitherOf(alternatives.map(({ elements }) => elements.map(partOf).reduce(follow, NOTHING)))
  const partOf = (element: AST.Element): Part => {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass': {
        const state = chars.push(charsOf(element, flags)) - 1
        next.push([])
        return { first: [state], last: [{ state, isCertain: true }], empty: 0, isAsserted: false }
      }
      case 'Group':
      case 'CapturingGroup':
        return ofAlternatives(element.alternatives)
      case 'Quantifier':
        return ofQuantifier(element)
      case 'Assertion':
        if (element.kind === 'lookahead') return { ...ASSERTION, first: ofAlternatives(element.alternatives).first }
        if (element.kind === 'lookbehind' && /[*+]|,\}/.test(element.raw))
          throw new Error(`${element.raw} reads backwards without end`)
        return ASSERTION
      case 'Backreference':
      case 'ExpressionCharacterClass':
        throw new Error(`${element.raw} is more than a regular language`)
    }
  }
  const certain = new Set<number>()
  for (const alternative of pattern.alternatives) {
    const part = ofAlternatives([alternative])
    const [begin] = alternative.elements
    const isAtBeginning = flags.sticky || (begin?.type === 'Assertion' && begin.kind === 'start')
    if (!isAtBeginning) connect([ANYWHERE], part.first)
    else connect(flags.multiline && !flags.sticky ? [LINE_END, BEGINNING] : [BEGINNING], part.first)
    for (const { state, isCertain } of part.last) if (isCertain) certain.add(state)
  }
  return { chars, next, certain }
}

/** Every state that can be reached from each, itself only by a loop. */
const reachable = (next: Automaton['next']): Set<number>[] =>
  next.map((begin) => {
    const found = new Set(begin)
    for (const state of found) for (const each of next[state] ?? []) found.add(each)
    return found
  })

interface Place {
  readonly first: number
  readonly between: number
  readonly second: number
  /** Whether the run between has left the first loop's own, or the second loop has come to where a match is certain. */
  readonly mark: boolean
  readonly text: string
}

/** A text that one loop repeats, that leads from it into another, and that the other repeats; undefined: there is none. */
const pumpedText = ({ chars, next, certain }: Automaton): string | undefined => {
  const reach = reachable(next)
  const inOneLoop = (one: number, other: number): boolean =>
    reach[one]?.has(other) === true && reach[other]?.has(one) === true
  const loops = next.flatMap((_, state) => (inOneLoop(state, state) ? [state] : []))
  const known = new Map<string, number | undefined>()
  /** A character that leads into all three. */
  const charInto = (...states: readonly [number, number, number]): number | undefined => {
    const key = states.join()
    if (!known.has(key)) {
      const [set, ...others] = states.map((state) => chars[state])
      known.set(key, others.reduce((common, each) => each && common?.intersect(each), set)?.ranges[0]?.min)
    }
    return known.get(key)
  }
  const search = (begin: number, end: number): string | undefined => {
    const seen = new Set<string>()
    const places: Place[] = [{ first: begin, between: begin, second: end, mark: false, text: '' }]
    for (const { first, between, second, mark, text } of places)
      for (const a of new Set(next[first]))
        for (const [at, b] of (next[between] ?? []).entries())
          for (const c of new Set(next[second])) {
            if (!inOneLoop(a, begin) || !inOneLoop(c, end) || !(b === end || reach[b]?.has(end))) continue
            const char = charInto(a, b, c)
            if (char === undefined) continue
            const isOther = a !== b || (next[between] ?? []).indexOf(b) !== at
            const place = { first: a, between: b, second: c, text: text + String.fromCodePoint(char) }
            const marked = { ...place, mark: mark || (begin === end ? isOther : certain.has(c)) }
            if (a === begin && b === end && c === end && marked.mark === (begin === end)) return place.text
            const key = `${a} ${b} ${c} ${marked.mark}`
            if (seen.has(key)) continue
            seen.add(key)
            places.push(marked)
          }
    return undefined
  }
  for (const begin of loops)
    for (const end of loops) {
      const text = begin === ANYWHERE && end === ANYWHERE ? undefined : search(begin, end)
      if (text !== undefined) return text
    }
  return undefined
}

/** Why the time that an expression takes may grow faster than the text; undefined: it cannot. */
export const costProblem = (source: string, flags: string): string | undefined => {
  try {
    const text = pumpedText(buildAutomaton(parse(source, flags)))
    return text === undefined ? undefined : `its time grows faster than a text of many ${JSON.stringify(text)}`
  } catch (error) {
    return `its cost is not known: ${error instanceof Error ? error.message : String(error)}`
  }
}
