/** Set-aside commands: what cannot be read and waits for an operator, to be looked at, tried again or dropped. */
import type { SetAsideDecision, SetAsideOutcome } from '#contract/console/operator.ts'
import { COMMAND_LINE } from '../operations/people/change-people.ts'
import { decideSetAside } from '../operations/set-aside.ts'
import { listSetAside } from '../store/merchant/set-aside.ts'
import { PROGRAM, type Command } from './command.ts'
import { withOperatorDependencies } from './operator-database.ts'
import { instantText, minuteText, tableLines } from './table.ts'

const LISTED = 100
const COLUMNS = ['queue and id', 'shop', 'since', 'why']

export const setAsideList: Command = {
  summary: 'lists what cannot be read and was set aside, the oldest first',
  example: 'set-aside list',
  run: (_given, env) =>
    withOperatorDependencies(env, async ({ database }) => {
      const found = await listSetAside(database, LISTED + 1)
      const items = found.slice(0, LISTED)
      const rows = items.map(({ queue, id, shop, at, why }) => [
        [queue, id],
        [shop ?? '-'],
        [minuteText(at) ?? ''],
        [why],
      ])
      const next = `Look at one, have it tried again or drop it: ${PROGRAM} set-aside decide --help`
      return {
        value: {
          items: items.map(({ queue, id, shop, at, why }) => ({ queue, id, shop, at: instantText(at), why })),
          isMore: found.length > LISTED,
        },
        lines: items.length === 0 ? ['Nothing is set aside.'] : [...tableLines(COLUMNS, rows, { wrap: ['why'] }), next],
      }
    }),
}

const DECISIONS = ['look', 'retry', 'drop'] as const satisfies readonly SetAsideDecision[]

const OUTCOMES: Readonly<Record<Exclude<SetAsideOutcome, 'gone'>, string>> = {
  'looked at': 'It stands in no more words than the list has.',
  'put back': 'It is back in its queue, and read again within a second. Where that fails, it is set aside again.',
  dropped: 'It is dropped.',
  'still unreadable': 'This release reads it no better. Nothing was changed.',
  'never dropped': 'It is a payment or its books: mend the row, and it is read as ever. Nothing was changed.',
}

export const setAsideDecide: Command = {
  summary: 'looks at one that was set aside, has it tried again, or drops it; written into the audit list',
  options: {
    queue: { value: '<queue>', help: 'as the list names it', isRequired: true },
    id: { value: '<id>', help: 'as the list names it', isRequired: true },
    merchant: { value: '<label>', help: 'its shop; left out, it has none' },
    do: { value: DECISIONS.join('|'), help: 'drop: it is never read again', isRequired: true },
  },
  example: 'set-aside decide --merchant tea --queue notifications --id "test unread.1f2e" --do look',
  run: (given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const decision = DECISIONS.find((each) => each === given.text('do'))
      if (decision === undefined) return { problem: `--do must be ${DECISIONS.join(', ')}.` }
      const named = { shop: given.textOrNull('merchant'), queue: given.text('queue'), id: given.text('id') }
      const { outcome, said } = await decideSetAside(deps, named, decision, COMMAND_LINE)
      return outcome === 'gone'
        ? { problem: `Nothing of this queue and id is set aside: ${PROGRAM} set-aside list shows what is.` }
        : { value: { outcome, said }, lines: [said ?? OUTCOMES[outcome]] }
    }),
}
