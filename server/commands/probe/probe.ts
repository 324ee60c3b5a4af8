/** Probe command: reports what has changed in the headers and scripts of a payment page, as a shopper gets it. */
import { readFile, writeFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { SCRIPT_INVENTORY } from '../../config/release.ts'
import { messageOf } from '../../log.ts'
import { parseJson } from '../../parse-json.ts'
import { fileNamed, isProblem, PROGRAM, type Command, type CommandProblem } from '../command.ts'
import { fetchPage, type FetchedPage } from './fetch-page.ts'
import { differences, notInInventory, type PageFacts } from './page-facts.ts'

const Stored = Type.Object({
  headers: Type.Record(Type.String(), Type.String()),
  scripts: Type.Record(Type.String(), Type.String()),
})
const Inventory = Type.Array(Type.Object({ file: Type.String(), integrity: Type.String(), why: Type.String() }))

const readStored = async (file: string): Promise<PageFacts | CommandProblem> => {
  try {
    const stored = parseJson(await readFile(file, 'utf8'))
    if (Check(Stored, stored)) return stored
    return { problem: `--against ${file} was not written by ${PROGRAM} probe --save: write it anew.` }
  } catch (error) {
    return { problem: `--against cannot be read (${messageOf(error)}): write it first, with --save.` }
  }
}

const inventoryHashes = async (): Promise<ReadonlySet<string>> => {
  const listed = parseJson(await readFile(SCRIPT_INVENTORY, 'utf8'))
  if (!Check(Inventory, listed)) throw new Error('dist/scripts.json cannot be read')
  return new Set(listed.map(({ integrity }) => integrity))
}

const readAddress = (text: string): URL | CommandProblem =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? new URL(text)
    : { problem: 'This is no address of a page: give one such as https://tea.pay.example.com/<checkout>.' }

/** Against what was stored; without it, against the scripts of this release. */
const judge = async (
  { facts, faults }: FetchedPage,
  against: string | null,
): Promise<readonly string[] | CommandProblem> => {
  // Nothing that was not seen can differ.
  const unseen = Object.keys(facts.scripts).length === 0 ? ['no script was seen: this is no page of ours'] : []
  if (against === null) return [...faults, ...unseen, ...notInInventory(facts.scripts, await inventoryHashes())]
  const stored = await readStored(against)
  if (isProblem(stored)) return stored
  return [...faults, ...unseen, ...differences(stored, facts)]
}

const summary = ({ headers, scripts }: PageFacts): string =>
  `${Object.keys(headers).length} headers, ${Object.keys(scripts).length} scripts`

/** Without a stored answer nothing is said of headers: there is nothing to compare them with. */
const inOrder = (facts: PageFacts, against: string | null): string =>
  against === null
    ? `Every script is one of this release: ${summary(facts)}. Headers are compared by --against.`
    : `No change: ${summary(facts)}.`

export const probeCommand: Command = {
  summary: 'reports changed headers and scripts of a payment page (PCI DSS 11.6.1)',
  places: ['url'],
  options: {
    against: {
      value: '<file>',
      help: 'compares with an answer that --save has stored; without it, scripts with this release',
    },
    save: { value: '<file>', help: 'stores the answer, to be compared with later' },
  },
  example: 'probe https://tea.pay.example.com/lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb --against page.json',
  endsWithOne: 'something has changed',
  run: async (given, env) => {
    const url = readAddress(given.text('url'))
    if ('problem' in url) return url
    const fileOf = (option: string): string | null => {
      const name = given.textOrNull(option)
      return name === null ? null : fileNamed(env, name)
    }
    let page: FetchedPage
    try {
      page = await fetchPage(url)
    } catch (error) {
      return {
        problem: `The page cannot be opened (${messageOf(error)}): see that the address is right and the server runs.`,
      }
    }
    const { facts } = page
    const found = await judge(page, fileOf('against'))
    if ('problem' in found) return found
    const save = fileOf('save')
    if (save !== null) await writeFile(save, `${JSON.stringify(facts, null, 2)}\n`)
    const isInOrder = found.length === 0
    const last = isInOrder ? inOrder(facts, given.textOrNull('against')) : `${found.length} found; ${summary(facts)}.`
    return {
      value: { url: url.href, changes: found, ...facts },
      lines: [...found, last],
      exitCode: isInOrder ? 0 : 1,
    }
  },
}
