/** Set-aside commands: what cannot be read and waits for an operator, to be looked at, tried again or dropped. */
import type { SetAsideDecision, SetAsideOutcome } from '#contract/console/operator.ts'
import { COMMAND_LINE } from '../operations/people/change-people.ts'
import { createSealing, type Sealing } from '../config/sealed.ts'
import { readSecretKeys } from '../config/secret-key.ts'
import { decideAllSetAside, decideSetAside } from '../operations/set-aside.ts'
import { listSetAside } from '../store/merchant/set-aside.ts'
import { operatorSealing } from './acquirer/operator-sealing.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem } from './command.ts'
import { withOperatorDependencies, type OperatorDependencies } from './operator-database.ts'
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
      const next = `Look at one, have it tried again or drop it: ${PROGRAM} set-aside decide --help; all of a queue: set-aside decide-all`
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
  'left its queue': 'Its row is gone, so it is not listed any more.',
  dropped: 'It is dropped.',
  'still unreadable': 'This release reads it no better. Nothing was changed.',
  'not whole':
    'It was too long to be kept whole, or its secret key is lost: it can only be dropped. Nothing was changed.',
  'never dropped':
    'It is a payment, its books or a setting: mend the row, and it is read as ever. Nothing was changed.',
}

/** Without a secret key nothing was sealed. */
const sealingOf = async (deps: OperatorDependencies): Promise<{ readonly sealing: Sealing } | CommandProblem> => {
  const reading = await readSecretKeys(deps.config)
  return 'keys' in reading && reading.keys.length === 0 ? { sealing: createSealing([]) } : operatorSealing(deps)
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
      const sealing = await sealingOf(deps)
      if (isProblem(sealing)) return sealing
      const named = { shop: given.textOrNull('merchant'), queue: given.text('queue'), id: given.text('id') }
      const { outcome, said } = await decideSetAside({ ...deps, ...sealing }, named, decision, COMMAND_LINE)
      return outcome === 'gone'
        ? { problem: `Nothing of this queue and id is set aside: ${PROGRAM} set-aside list shows what is.` }
        : { value: { outcome, said }, lines: [said ?? OUTCOMES[outcome]] }
    }),
}

const BULK_DECISIONS = ['retry', 'drop'] as const

export const setAsideDecideAll: Command = {
  summary: 'has all that were set aside in one queue tried again, or drops them; written into the audit list',
  options: {
    queue: { value: '<queue>', help: 'as the list names it', isRequired: true },
    merchant: { value: '<label>', help: 'of this shop alone' },
    do: { value: BULK_DECISIONS.join('|'), help: 'drop: none of them is ever read again', isRequired: true },
  },
  example: 'set-aside decide-all --merchant tea --queue events --do retry',
  run: (given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const decision = BULK_DECISIONS.find((each) => each === given.text('do'))
      if (decision === undefined) return { problem: `--do must be ${BULK_DECISIONS.join(' or ')}.` }
      const sealing = await sealingOf(deps)
      if (isProblem(sealing)) return sealing
      const which = { shop: given.textOrNull('merchant'), queue: given.text('queue') }
      const all = await decideAllSetAside({ ...deps, ...sealing }, which, decision, COMMAND_LINE)
      return all.size === 0
        ? { problem: `Nothing of this queue is set aside: ${PROGRAM} set-aside list shows what is.` }
        : { value: Object.fromEntries(all), lines: [...all].map(([outcome, count]) => `${count} ${outcome}`) }
    }),
}
